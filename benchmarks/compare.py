"""Measure the learners and the methods against other packages, on the same data in one process.

    uv run --group bench python benchmarks/compare.py --network hailfinder --n 5000
    uv run --group bench python benchmarks/compare.py --network link --n 5000 --searches

Every figure is CPU seconds (user + system) of the call alone, one thread, kernels compiled, the
smallest of several repetitions; what matters are the ratios. The unit is pyAgrum's hill climbing.
"""

import argparse
import io
from contextlib import redirect_stderr, redirect_stdout
from functools import partial

from timing import cpu, network_of, noisy_codes  # isort: skip; it sets the numbers of threads
import numpy as np
import pandas as pd

import cutpoint as cp
from cutpoint.base import user_code
from cutpoint.learners.constraint import pc_fisherz
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.scores import bdeu, bic
from cutpoint.method.rows import method_rows, parse


def pyagrum_learner(frame, search, score):
    """Return a call of a pyAgrum search; reading the data is not in it."""
    import pyagrum as gum

    learner = gum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    getattr(learner, search)()
    getattr(learner, score)()
    return learner.learnDAG


def pgmpy_hill_climbing(frame):
    """Return a call of pgmpy's hill climbing with BDeu and no tabu list."""
    from pgmpy.causal_discovery import HillClimbSearch
    from pgmpy.structure_score import BDeu

    search = HillClimbSearch(
        BDeu(frame, equivalent_sample_size=1), tabu_length=0, return_type="dag", show_progress=False
    )
    return partial(search.fit, frame)


def ours(learner, score, codes, levels):
    """Return a call of one of our searches, counting included."""
    return lambda: learner(score(codes, levels))


def measure(name, call, most, rows):
    """Measure one call and keep it with its number of edges."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        seconds, _ = cpu(call, most)
    rows[name] = seconds
    return seconds


def measure_all(values, most, with_pgmpy, searches_only):
    """Return CPU seconds by name, ours and theirs; of hill climbing alone where only searches are asked for."""
    codes = cp.encode(values, cp.discretize(values, "equal_width", bins=3))
    levels = np.full(codes.shape[1], 3)
    frame = pd.DataFrame(codes.astype(str), columns=[f"v{i:03d}" for i in range(codes.shape[1])])
    rows = {}
    climb = pyagrum_learner(frame, "useGreedyHillClimbing", "useScoreBDeu")
    list_search = pyagrum_learner(frame, "useLocalSearchWithTabuList", "useScoreBIC")
    mine = ours(hill_climbing, bdeu, codes, levels)
    mine()
    measure("hill climbing, BDeu", mine, most, rows)
    measure("pyAgrum hill climbing, BDeu", climb, most, rows)
    if searches_only:
        return rows
    measure("pyAgrum tabu, BIC", list_search, most, rows)
    for name, call in (
        ("tabu, BIC", ours(tabu, bic, codes, levels)),
        ("PC, Fisher's Z", lambda: pc_fisherz(values, np.zeros(values.shape[1], bool))),
    ):
        call()
        measure(name, call, most, rows)
    causal_learn = user_code.module_of("scripts/methods/causal_learn.py").learn
    measure("causal-learn PC, Fisher's Z", lambda: causal_learn(values, None), min(most, 2), rows)
    if with_pgmpy:
        measure("pgmpy hill climbing, BDeu", pgmpy_hill_climbing(frame.astype("category")), 1, rows)
    discrete = np.zeros(values.shape[1], bool)
    for name, row in method_rows().items():
        if row["category"] not in ("external", "reference"):
            method = parse(row)
            method.warm()
            measure(name, partial(method.learn, values, discrete), most, rows)
    return rows


def report(rows):
    """Print the table in units of pyAgrum's hill climbing, and the ratios against peers."""
    unit = rows["pyAgrum hill climbing, BDeu"]
    print(f"{'':32s}{'CPU s':>10s}{'units':>10s}")
    for name, seconds in rows.items():
        print(f"{name:32s}{seconds:10.4f}{seconds / unit:10.3f}")
    print()
    for name in [name for name in rows if name.split(" ")[0] in ("pyAgrum", "pgmpy", "causal-learn")]:
        mine = name.split(" ", 1)[1]
        print(f"{mine}: {rows[name] / rows[mine]:.1f} x faster than {name.split(' ')[0]}")


def main():
    """Read the command line, make the data, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="hailfinder", help="a shipped network, or one of pgmpy's examples")
    parser.add_argument("--n", type=int, default=5000, help="records")
    parser.add_argument("--sigma", type=float, default=0.35, help="noise around the codes")
    parser.add_argument("--repeat", type=int, default=5, help="repetitions, the least counts")
    parser.add_argument("--pgmpy", action="store_true", help="measure pgmpy too, which takes minutes")
    parser.add_argument("--searches", action="store_true", help="measure hill climbing only, ours and pyAgrum's")
    arguments = parser.parse_args()
    values = noisy_codes(network_of(arguments.network), arguments.n, arguments.sigma)
    print(f"{arguments.network}, {values.shape[1]} variables, N = {arguments.n}, sigma = {arguments.sigma}")
    report(measure_all(values, arguments.repeat, arguments.pgmpy, arguments.searches))


if __name__ == "__main__":
    main()
