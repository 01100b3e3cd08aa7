"""Count how often searches reach the score of the exact search on parts of the shipped networks.

    uv run --group bench python benchmarks/optimum.py       # a minute

Of each data set: 6 to 20 connected variables of a network, 200 to 2000 records, BDeu or BIC. With more than 14
variables the exact search takes up to six parents.
"""

import argparse
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


def main():
    """Print the share of optima of each search and the most that one lacks, as a share of the optimum."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=200, help="how many data sets (default 200)")
    parser.add_argument("--variables", type=int, default=20, help="the most variables (default 20)")
    arguments = parser.parse_args()
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
