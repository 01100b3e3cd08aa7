"""Judge the default against fixed methods on data from generators that the studies do not use.

    uv run --group bench python benchmarks/default.py               # 60 data sets, five minutes
    uv run --group bench python benchmarks/default.py --seeds 4     # 240

Twelve kinds of data, each on five graphs: equations (linear with normal or other noise, stretched, rounded, additive
curves, a random network of neurons, multiplied noise, cut into levels) and levels (read with little or much noise, with
skewed values at uneven places, as intervals of a normal variable). Columns stand in random order.
"""

import argparse
import time

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import numpy as np
from scipy.stats import norm

import cutpoint as cp
from cutpoint.graphs.dags import topological_order

METHODS = ("consensus", "steck3", "modl3", "bach_stable", "miic", "pc_copula", "boss_gaussian", "boss_copula")
METHODS += ("boss_polynomial", "latent", "eqfreq3")
EQUATIONS = ("linear", "not normal", "stretched", "rounded", "curves", "neurons", "multiplied", "cut")
LEVELS = ("little noise", "much noise", "skewed", "intervals")
GRAPHS = (("random", 12, 500), ("tree-like", 25, 1000), ("insurance", 27, 2000), ("random", 30, 4000), ("asia", 8, 250))


def standard(x):
    return (x - x.mean()) / x.std() if x.std() > 0 else x - x.mean()


def random_graph(rng, kind, n):
    """Return a random graph of 2.2 neighbours a variable, or one that prefers variables with many children."""
    dag, order, weight = np.zeros((n, n), bool), rng.permutation(n), np.ones(n)
    for b in range(1, n):
        if kind == "random":
            parents = np.flatnonzero(rng.random(b) < 2.2 / (n - 1))
        else:
            most = min(b, 1 + int(rng.random() < 0.4))
            parents = rng.choice(b, most, replace=False, p=weight[:b] / weight[:b].sum())
        weight[parents] += 1
        dag[order[parents], order[b]] = True
    return dag


def curve(rng, x):
    scale = rng.uniform(0.8, 1.8)
    shapes = (np.sin(1.5 * scale * x), np.tanh(2 * scale * x), x**2, np.abs(x) + 0.4 * x)
    return rng.choice([-1, 1]) * standard(shapes[rng.integers(4)])


def by_equations(rng, dag, records, kind):
    values = np.zeros((records, len(dag)))
    shape = {"cut": ("linear", "curves", "neurons")[rng.integers(3)]}.get(kind, kind)
    for i in topological_order(dag):
        parents, ratio = values[:, dag[:, i]], rng.uniform(0.5, 1.5)
        noises = [rng.laplace(size=records), rng.exponential(size=records), rng.uniform(-1, 1, records)]
        noise = standard(noises[rng.integers(3)] if kind == "not normal" else rng.standard_normal(records))
        if not parents.shape[1]:
            values[:, i] = noise
            continue
        if shape == "curves":
            told = sum(curve(rng, x) for x in parents.T)
        elif shape == "neurons":
            hidden = np.tanh(parents @ (1.2 * rng.normal(size=(parents.shape[1], 12))) + rng.normal(size=12))
            told = hidden @ rng.normal(size=12)
        else:
            told = parents @ (rng.uniform(0.4, 1, parents.shape[1]) * rng.choice([-1, 1], parents.shape[1]))
        if kind == "multiplied":
            noise = noise * np.exp(0.6 * standard(parents.sum(axis=1)))
        values[:, i] = standard(ratio * standard(told) + noise)
    discrete = np.zeros(len(dag), bool)
    if kind == "stretched":
        shapes = (
            lambda x: np.exp(0.9 * x),
            lambda x: x**3,
            lambda x: np.sinh(1.2 * x),
            lambda x: 1 / (1 + np.exp(-2 * x)),
        )
        values = np.column_stack([shapes[rng.integers(4)](x) for x in values.T])
    elif kind == "rounded":
        values = np.round(values, rng.integers(2))
    elif kind == "cut":
        discrete = rng.random(len(dag)) < 0.4
        for i in np.flatnonzero(discrete):
            cuts = np.sort(np.quantile(values[:, i], rng.uniform(0.15, 0.85, rng.integers(1, 4))))
            values[:, i] = np.searchsorted(cuts, values[:, i])
    return values, discrete


def by_levels(rng, codes, kind):
    if kind in ("little noise", "much noise"):
        return codes + (0.35 if kind == "little noise" else 0.6) * rng.standard_normal(codes.shape)
    values = np.zeros(codes.shape)
    for i, column in enumerate(codes.T):
        shares = np.bincount(column) / len(column)
        if kind == "skewed":
            values[:, i] = np.cumsum(rng.uniform(0.7, 2.5, len(shares)))[column] + rng.gamma(2, 0.2, len(column))
        else:
            below = np.concatenate([[0], shares.cumsum()])[column]
            values[:, i] = norm.ppf(np.clip(below + rng.random(len(column)) * shares[column], 1e-6, 1 - 1e-6))
    return values


def data(kind, graph, n, records, seed):
    """Return values, which columns are discrete, and the graph."""
    rng = np.random.default_rng([seed, n, records, (*EQUATIONS, *LEVELS).index(kind)])
    if graph in cp.network_names():
        network, order = cp.network(graph), rng.permutation(n)
        dag, levels = network.dag[np.ix_(order, order)], network.cardinalities[order]
        codes = cp.sample(network, n=records, seed=seed)[:, order]
    else:
        dag, levels = random_graph(rng, graph, n), rng.integers(2, 5, n)
        codes = np.zeros((records, n), int)
        for i in topological_order(dag):
            shares = rng.dirichlet(np.full(levels[i], 0.5), int(np.prod(levels[dag[:, i]])))
            row = np.zeros(records, int)
            for p in np.flatnonzero(dag[:, i]):
                row = row * levels[p] + codes[:, p]
            codes[:, i] = (rng.random(records)[:, None] > shares[row].cumsum(axis=1)[:, :-1]).sum(axis=1)
    if kind in EQUATIONS:
        return *by_equations(rng, dag, records, kind), dag
    return by_levels(rng, codes, kind), np.zeros(n, bool), dag


def marks(pattern, dag):
    """Return SHD for each true edge, and F1 of the skeleton."""
    joined, true = pattern | pattern.T, dag | dag.T
    return cp.shd(pattern, cp.cpdag(dag), "standard") / dag.sum(), 2 * (joined & true).sum() / (
        joined.sum() + true.sum()
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    options = parser.parse_args()
    found = {method: {kind: [] for kind in (*EQUATIONS, *LEVELS)} for method in METHODS}
    for seed in range(options.first, options.first + options.seeds):
        for kind in (*EQUATIONS, *LEVELS):
            for graph, n, records in GRAPHS:
                values, discrete, dag = data(kind, graph, n, records, seed)
                if not dag.any() or (np.ptp(values, axis=0) == 0).any():
                    continue
                for method in METHODS:
                    began = time.process_time()
                    learned = cp.learn(values, method, discrete=[f"x{i}" for i in np.flatnonzero(discrete)])
                    found[method][kind].append((*marks(learned.cpdag, dag), time.process_time() - began))
    count = sum(map(len, found[METHODS[0]].values()))
    for place, title in ((0, "SHD per true edge"), (1, "F1 of the skeleton")):
        print(
            f"\n{title}, {count} data sets\n{'':16}"
            + "".join(f"{kind:>13}" for kind in found[METHODS[0]])
            + f"{'mean':>9}"
        )
        for method, kinds in found.items():
            means = [np.mean([run[place] for run in runs]) for runs in kinds.values()]
            print(f"{method:16}" + "".join(f"{mean:13.2f}" for mean in means) + f"{np.mean(means):9.3f}")
    seconds = {method: np.mean([run[2] for runs in kinds.values() for run in runs]) for method, kinds in found.items()}
    print("\nCPU seconds: " + ", ".join(f"{method} {each:.2f}" for method, each in seconds.items()))


if __name__ == "__main__":
    main()
