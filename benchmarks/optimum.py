"""Count how often searches reach the score of the exact search on parts of the shipped networks.

    uv run --group bench python benchmarks/optimum.py       # a minute
    uv run --group bench python benchmarks/optimum.py --certify steck --sets 10 --variables 8

Of each data set: 6 to 20 connected variables of a network, 200 to 2000 records, BDeu or BIC. With more than 14
variables the exact search takes up to six parents.

With `--certify` it compares the optimum of graph and thresholds, by `cp.certify`, with thresholds and graph in turns
and with the default method, on chance curves: does a method fail by its score, or by its search?
"""

import argparse
import time
from functools import partial

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import numpy as np

import cutpoint as cp
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.order import exact
from cutpoint.learners.scores import bdeu, bic

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "hailfinder", "win95pts", "hepar2")
RECORDS = (200, 500, 1000, 2000)
SEARCHES = {
    "hill climbing": hill_climbing,
    "tabu": tabu,
    "boss, no restart": partial(boss, restarts=0),
    "boss": boss,
    "boss, 20 restarts": partial(boss, restarts=20),
}


def connected(dag, n, rng):
    """Return n variables of a graph, each a neighbour of one before it where there is any, in random order."""
    chosen = [int(rng.integers(len(dag)))]
    while len(chosen) < n:
        near = [j for j in np.flatnonzero((dag | dag.T)[chosen].any(axis=0)) if j not in chosen]
        chosen.append(int(rng.choice(near or [j for j in range(len(dag)) if j not in chosen])))
    return rng.permutation(chosen)


def score_of(seed, most):
    """Return the score of the data set of a seed."""
    rng, network = np.random.default_rng(seed), cp.network(NETWORKS[seed % 8])
    n = min(int(rng.integers(6, most + 1)), len(network.variables))
    part = connected(network.dag, n, rng)
    codes = np.ascontiguousarray(cp.sample(network, n=RECORDS[seed // 8 % 4], seed=seed)[:, part])
    return (bdeu, bic)[seed % 2](codes, np.array(network.cardinalities)[part])


def curves(seed, n, records=500):
    """Return curves of at most two parents with normal noise, float64 [records, n], and their graph."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((n, n)) < 2 / (n - 1), 1)
    for j in range(n):
        dag[np.flatnonzero(dag[:, j])[2:], j] = False
    x = rng.standard_normal((records, n))
    for j in range(n):
        for i in np.flatnonzero(dag[:, j]):
            x[:, j] += rng.uniform(0.7, 1.5) * np.tanh(1.5 * x[:, i])
    order = rng.permutation(n)
    return x[:, order], dag[np.ix_(order, order)]


def certified(score, sets, n):
    """Print scores and SHD of the optimum, of thresholds and graph in turns, and of the default method.

    All lists have at most three levels. The candidates are ten evenly spaced ones and the thresholds of the turns.
    """
    row = {"steck": "steck3", "friedman": "friedman3", "monti_total": "monti3"}[score]
    print("set   gap nodes CPU s  turns lack  their parents  SHD: optimum  turns  default", flush=True)
    rows = []
    for seed in range(sets):
        x, dag = curves(seed, n)
        turns, default = cp.learn(x, row, max_levels=3), cp.learn(x)
        even = cp.discretize(x, "equal_frequency", bins=11)
        began = time.process_time()
        candidates = [np.union1d(cuts, more) for cuts, more in zip(even, turns.thresholds, strict=True)]
        best = cp.certify(x, score, candidates=candidates)
        seconds = time.process_time() - began
        reached = cp.policy_score(x, turns.thresholds, turns.dag, score) * (-1 if score == "friedman" else 1)
        distances = [cp.shd(result.cpdag, dag, "standard") for result in (best, turns, default)]
        rows.append([best.gap, best.nodes, seconds, best.score - reached, turns.dag.sum(axis=0).max(), *distances])
        print(
            "{:3d} {:5.2f} {:5.0f} {:5.1f} {:11.2f} {:14.0f} {:13.0f} {:6.0f} {:8.0f}".format(seed, *rows[-1]),
            flush=True,
        )
    gaps, *_, optimum, turned, own = np.array(rows).T
    print(f"proven {np.sum(gaps == 0)} of {sets}; mean SHD {optimum.mean():.2f}, {turned.mean():.2f}, {own.mean():.2f}")


def main():
    """Print the share of optima of each search and the most that one lacks, as a share of the optimum."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=200, help="how many data sets (default 200)")
    parser.add_argument("--variables", type=int, default=20, help="the most variables (default 20)")
    parser.add_argument("--certify", choices=["steck", "friedman", "monti_total"], help="the score of a joint optimum")
    arguments = parser.parse_args()
    if arguments.certify:
        certified(arguments.certify, arguments.sets, arguments.variables)
        return
    lacks = {name: [] for name in SEARCHES}
    for seed in range(arguments.sets):
        score = score_of(seed, arguments.variables)
        best = exact(score, max_parents=None if score.n <= 14 else 6).score
        for name, search in SEARCHES.items():
            lacks[name].append((best - search(score).score) / abs(best))
    for name, shares in lacks.items():
        print(f"{name:20s} optimum {sum(share < 1e-9 for share in shares):4d}   lacks at most {max(shares):.3%}")


if __name__ == "__main__":
    main()
