"""Scores of another program on data sets, as JSON; it runs in an environment of that program.

usage: peer_scores.py LIBRARY FILE   prints one list for each case of the file, the scores of its graphs
A case has `columns` (a list each), `levels` (their numbers, None for numbers), `dags` (lists of rows), the program's
name of a `score` and its `options`. Without `dags` it is the graph that the program's hill climbing finds, as rows,
and with the name hartemink the thresholds of its discretization.
"""

import json
import sys
from pathlib import Path

import numpy as np


def bnlearn(case):
    """Return what bnlearn's C core says, through bnlearn-port."""
    import pandas as pd
    import pybnlearn

    names = [f"v{i}" for i in range(len(case["columns"]))]
    columns = [
        np.array(values, float) if levels is None else pd.Categorical(values, categories=range(levels))
        for values, levels in zip(case["columns"], case["levels"], strict=True)
    ]
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)))
    if case["score"] == "hartemink":
        import bnlearn_port

        coded = pybnlearn.discretize(frame, "hartemink", **case["options"])
        return [cuts.tolist() for cuts in bnlearn_port.thresholds_of(frame.to_numpy(), coded)]
    if "dags" not in case:
        learned = pybnlearn.hc(frame, score=case["score"], **case["options"])
        return [[(one, other) in learned.arcs for other in names] for one in names]
    scores = []
    for dag in case["dags"]:
        parents = [[names[j] for j, row in enumerate(dag) if row[i]] for i in range(len(names))]
        nodes = [f"[{name}{'|' if some else ''}{':'.join(some)}]" for name, some in zip(names, parents, strict=True)]
        network = pybnlearn.model2network("".join(nodes))
        scores.append(pybnlearn.score(network, frame, type=case["score"], **case["options"]))
    return scores


def tetrad(case):
    """Return the sums of Tetrad's local scores."""
    import jpype
    import tetrad as method

    method.java()
    values = np.column_stack([np.array(column, float) for column in case["columns"]])
    data = method.dataset(values, np.array([levels is not None for levels in case["levels"]]))
    score = jpype.JClass(f"edu.cmu.tetrad.search.score.{case['score']}")(data, True, 0.0)
    score.setPenaltyDiscount(case["options"]["penalty"])
    families = [[[j for j, row in enumerate(dag) if row[i]] for i in range(len(dag))] for dag in case["dags"]]
    return [sum(float(score.localScore(i, jpype.JInt[:](some))) for i, some in enumerate(each)) for each in families]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "methods"))
    peer = {"bnlearn-port": bnlearn, "tetrad": tetrad}[sys.argv[1]]
    cases = json.loads(Path(sys.argv[2]).read_text())
    print("\n" + json.dumps([peer(case) for case in cases]))
