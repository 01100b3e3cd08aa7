"""Judge the default against fixed methods on nineteen kinds of data from recipes, written without a look at it.

    uv run python benchmarks/foreign.py                             # eleven methods, 266 data sets, an hour on one core
    uv run python benchmarks/foreign.py --methods consensus --graphs 2 --save before.csv
    uv run python benchmarks/foreign.py --methods consensus --graphs 2 --against before.csv

Graphs are random with 1.5 edges a variable, n = 10, 20 and 40, with N = 200, 1,000 and 5,000 records. Printed are SHD
between patterns for each true edge by kind and N, F1 of skeletons, calibration of the default's votes, and controls: no
edges (1 by definition), random graphs of equal density, and the best of the methods by the truth.
"""

import argparse
import itertools
import time
import warnings
import zlib
from collections.abc import Callable, Iterator

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import numpy as np
import pandas as pd

import cutpoint as cp
from cutpoint.graphs.dags import topological_order

METHODS = ("consensus", "boss_polynomial", "miic", "steck3_boss", "bach_stable", "pc_fisherz", "boss_gaussian")
METHODS += ("boss_degenerate", "boss_copula", "eqfreq3", "latent")
SIZES = ((10, 200), (10, 1000), (10, 5000), (20, 200), (20, 1000), (20, 5000), (40, 1000))


def standard(x):
    """Return a column with mean 0 and deviation 1, or zeros."""
    return (x - x.mean()) / x.std() if x.std() > 0 else x - x.mean()


def random_graph(rng, n, edges=1.5):
    """Return a random graph with so many edges a variable, bool [n, n]."""
    order = rng.permutation(n)
    dag = np.zeros((n, n), bool)
    dag[np.ix_(order, order)] = np.triu(rng.random((n, n)) < 2 * edges / (n - 1), 1)
    return dag


def slopes(rng, k, low=0.5, high=1.5):
    """Return k slopes of either sign."""
    return rng.uniform(low, high, k) * rng.choice([-1, 1], k)


def filled(dag, records, equation):
    """Return values, float64 [records, n], each column what the equation makes of its parents' columns [records, k]."""
    values = np.zeros((records, len(dag)))
    for i in topological_order(dag):
        values[:, i] = equation(values[:, dag[:, i]])
    return values


def lines(rng, dag, records, errors=None):
    """Return linear equations with normal errors, or others; columns have deviation 1."""
    errors = errors or rng.standard_normal
    return filled(dag, records, lambda of: standard(of @ slopes(rng, of.shape[1]) + standard(errors(size=records))))


def t_errors(rng, dag, records):
    """Return lines with errors of Student's t distribution, 3 degrees of freedom."""
    return lines(rng, dag, records, lambda size: rng.standard_t(3, size))


def skewed_errors(rng, dag, records):
    """Return lines with errors of gamma distributions (Shimizu et al. 2011)."""
    return lines(rng, dag, records, lambda size: rng.gamma(rng.uniform(0.7, 2), size=size))


def cut(column, places):
    """Return whole numbers 1, 2, ...: how many places lie below a value, and 1."""
    return 1.0 + np.searchsorted(np.sort(places), column)


def ordinal(rng, dag, records):
    """Return answers 1 to 5: lines cut at uneven places (Likert 1932; thresholds as of polychoric correlations)."""
    columns = lines(rng, dag, records).T
    return np.column_stack(
        [cut(x, np.array([-1.4, -0.5, 0.5, 1.4]) + rng.normal(0, 0.3, 4) + rng.normal(0, 0.3)) for x in columns]
    )


def skewed_scales(rng, dag, records):
    """Return answers 1 to 4, 5 or 7 of which most are low, or most are high."""
    cuts = [np.linspace(0, 2, rng.choice([3, 4, 6])) + rng.normal(0, 0.1) for _ in dag]
    sides = rng.choice([-1, 1], len(dag))
    return np.column_stack(
        [cut(x, side * at) for x, side, at in zip(lines(rng, dag, records).T, sides, cuts, strict=True)]
    )


def counts(rng, dag, records):
    """Return counts of which many are zero: rates on a logarithmic scale, and zeros besides (Lambert 1992)."""

    def equation(of):
        told = np.log1p(of) @ slopes(rng, of.shape[1], 0.4, 0.9)
        rate = np.exp(np.clip(rng.uniform(0.5, 1.5) + told - told.mean(), -4, 4)) * rng.gamma(5, 0.2, records)
        return rng.poisson(rate) * (rng.random(records) > rng.uniform(0.1, 0.4))

    return filled(dag, records, equation)


def changing_variance(rng, dag, records):
    """Return lines with errors whose deviation follows the parents too (Park 2020; Xu et al. 2022)."""

    def equation(of):
        k = of.shape[1]
        deviation = np.exp(np.clip(of @ slopes(rng, k, 0.3, 0.7), -2.5, 2.5))
        return standard(of @ slopes(rng, k) + deviation * rng.standard_normal(records))

    return filled(dag, records, equation)


def perceptrons(rng, dag, records):
    """Return a random network of 100 sigmoids for each variable (Zheng et al. 2020, NOTEARS-MLP)."""

    def equation(of):
        hidden = 1 / (1 + np.exp(-of @ slopes(rng, of.shape[1] * 100, 0.5, 2).reshape(-1, 100)))
        return standard(hidden @ slopes(rng, 100, 0.5, 2) + rng.standard_normal(records))

    return filled(dag, records, equation)


def index_models(rng, dag, records):
    """Return tanh, cos and sin of three sums of parents (Zheng et al. 2020)."""

    def equation(of):
        sums = of @ slopes(rng, of.shape[1] * 3, 0.5, 2).reshape(-1, 3)
        told = np.tanh(sums[:, 0]) + np.cos(sums[:, 1]) + np.sin(sums[:, 2])
        return standard(told * bool(of.size) + rng.standard_normal(records))

    return filled(dag, records, equation)


def products(rng, dag, records):
    """Return the product of the parents, and noise."""

    def equation(of):
        told = standard(of.prod(axis=1)) if of.size else np.zeros(records)
        return standard(rng.uniform(0.7, 1.5) * told + rng.standard_normal(records))

    return filled(dag, records, equation)


def gaussian_process(rng, dag, records):
    """Return a draw of a Gaussian process with a kernel of width 1 in all parents, by 200 random features."""

    def equation(of):
        waves = of @ rng.standard_normal((of.shape[1], 200)) + rng.uniform(0, 2 * np.pi, 200)
        told = np.cos(waves) @ rng.standard_normal(200) * np.sqrt(2 / 200) * bool(of.size)
        return standard(told + rng.uniform(0.5, 1) * rng.standard_normal(records))

    return filled(dag, records, equation)


def hidden_causes(rng, dag, records):
    """Return lines of which every fifth variable's cause is not seen; truth has the edges of those seen."""
    n, more = len(dag), max(len(dag) // 5, 1)
    whole = np.zeros((n + more, n + more), bool)
    whole[:n, :n] = dag
    for h in range(n, n + more):
        whole[h, rng.choice(n, 2, replace=False)] = True
    return lines(rng, whole, records)[:, :n]


def post_nonlinear(rng, dag, records):
    """Return a distorted sum of curves and noise (Zhang and Hyvarinen 2009)."""
    shapes = (lambda x: x**3 / 3 + x, np.sinh, lambda x: np.exp(0.7 * x), lambda x: np.tanh(x) + 0.2 * x)
    curves = (np.tanh, np.sin, lambda x: x**2 / 2, lambda x: x, np.abs)

    def equation(of):
        told = sum(
            (curves[rng.integers(5)](1.5 * x) * s for x, s in zip(of.T, slopes(rng, of.shape[1]), strict=True)), 0
        )
        return standard(shapes[rng.integers(4)](standard(told + 0.7 * rng.standard_normal(records))))

    return filled(dag, records, equation)


def selection(rng, dag, records):
    """Return lines of records that were kept as the sum of two variables is high."""
    values = lines(rng, dag, 3 * records)
    total = values[:, rng.choice(len(dag), 2, replace=False)].sum(axis=1)
    return values[np.sort(np.argsort(-(total + rng.normal(size=total.size)))[:records])]


def mixed(rng, dag, records):
    """Return numbers and three unordered states, by lines and logits of all parents (Lee and Hastie 2015)."""
    states = rng.random(len(dag)) < 0.5
    values = np.zeros((records, len(dag)))
    for i in topological_order(dag):
        told = np.zeros((records, 3 if states[i] else 1))
        for p in np.flatnonzero(dag[:, i]):
            if states[p]:
                told += rng.normal(0, 1.5, (3, told.shape[1]))[values[:, p].astype(int)]
            else:
                told += values[:, p, None] * slopes(rng, told.shape[1])
        noise = rng.gumbel(size=told.shape) if states[i] else rng.standard_normal(told.shape)
        values[:, i] = (told + noise).argmax(axis=1) if states[i] else standard((told + noise)[:, 0])
    return values, states


def saturating(rng, dag, records):
    """Return sums of curves that rise and level off (Hill 1910), with noise that multiplies."""

    def equation(of):
        told = np.ones(records)
        for x in of.T:
            power, half = rng.uniform(1, 3), np.median(x) * rng.uniform(0.6, 1.6)
            share = x**power / (x**power + half**power)
            told *= 0.3 + 2 * (share if rng.random() < 0.6 else 1 - share)
        return told * np.exp(rng.uniform(0.2, 0.5) * rng.standard_normal(records))

    return filled(dag, records, equation)


def laboratory(rng, dag, records):
    """Return rounded exponentials of lines; of every second column the lowest 5 to 30 % stand at a detection limit."""
    values = np.exp(rng.uniform(0.4, 0.9) * lines(rng, dag, records) + rng.uniform(-1, 4, len(dag)))
    for x in values.T[rng.random(len(dag)) < 0.5]:
        x[:] = np.maximum(x, np.quantile(x, rng.uniform(0.05, 0.3)))
    digits = 1 - np.floor(np.log10(np.median(values, axis=0))).astype(int)
    return np.column_stack([np.round(x, d) for x, d in zip(values.T, digits, strict=True)])


def levels(rng, dag, records):
    """Return codes of a random discrete network with 2 to 4 levels, int64 [records, n]."""
    sizes, codes = rng.integers(2, 5, len(dag)), np.zeros((records, len(dag)), int)
    for i in topological_order(dag):
        row = (
            np.ravel_multi_index(codes[:, dag[:, i]].T, sizes[dag[:, i]]) if dag[:, i].any() else np.zeros(records, int)
        )
        shares = rng.dirichlet(np.full(sizes[i], 0.5), int(np.prod(sizes[dag[:, i]])))
        codes[:, i] = (rng.random(records)[:, None] > shares[row].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return codes


def skewed_levels(rng, dag, records):
    """Return levels that are read at uneven places with noise of a gamma distribution."""
    codes = levels(rng, dag, records)
    places = np.cumsum(rng.uniform(0.7, 2.5, (4, len(dag))), axis=0)
    return np.take_along_axis(places, codes, 0) + rng.gamma(2, 0.2, codes.shape)


def noisy_levels(rng, dag, records):
    """Return levels that are read with normal noise."""
    codes = levels(rng, dag, records)
    return codes + 0.4 * rng.standard_normal(codes.shape)


KINDS: dict[str, Callable] = {
    "ordinal": ordinal, "skewed scales": skewed_scales, "counts": counts, "changing variance": changing_variance,
    "perceptrons": perceptrons, "products": products, "gaussian process": gaussian_process,
    "hidden causes": hidden_causes, "post-nonlinear": post_nonlinear, "index models": index_models,
    "selection": selection, "mixed": mixed, "t errors": t_errors, "saturating": saturating, "laboratory": laboratory,
    "linear": lines, "skewed errors": skewed_errors, "skewed levels": skewed_levels, "noisy levels": noisy_levels,
}  # fmt: skip


def drawn(kind, n, records, seed):
    """Return values, float64 [records, n], names of columns of states, and the graph, bool [n, n]."""
    rng = np.random.default_rng([zlib.crc32(kind.encode()), n, records, seed])
    dag = random_graph(rng, n)
    made = KINDS[kind](rng, dag, records)
    values, states = made if isinstance(made, tuple) else (made, np.zeros(n, bool))
    return values, states, dag


def datasets(kinds, sizes, graphs, first) -> Iterator[tuple]:
    """Yield kind, n, records, seed, values, states and the graph of data sets whose columns all vary."""
    for kind, (n, records), seed in itertools.product(kinds, sizes, range(first, first + graphs)):
        values, states, dag = drawn(kind, n, records, seed)
        if dag.any() and (np.ptp(values, axis=0) > 0).all():
            yield kind, n, records, seed, values, states, dag


def marks(pattern, dag):
    """Return SHD for each true edge, F1 of the skeleton, and by true edge: extra, missing, and wrong directions."""
    joined, true = pattern | pattern.T, dag | dag.T
    total = cp.shd(pattern, cp.cpdag(dag), "standard") / dag.sum()
    extra, missing = (joined & ~true).sum() / 2 / dag.sum(), (true & ~joined).sum() / 2 / dag.sum()
    f1 = 2 * (joined & true).sum() / (joined.sum() + true.sum())
    return {"shd": total, "f1": f1, "extra": extra, "missing": missing, "turned": total - extra - missing}


def votes(learned, dag):
    """Return a row for each learned edge: its shares of votes, and whether pair and direction are true."""
    if learned.uncertainty is None:
        return []
    edges, true = learned.uncertainty.edges, cp.cpdag(dag)
    rows = []
    for a, b in np.argwhere(learned.dag):
        settled = true[a, b] != true[b, a]
        right = bool(true[a, b]) if settled else np.nan
        rows.append({"pair": edges.adjacent[a, b], "true": bool((dag | dag.T)[a, b]), "arrow": edges.directed[a, b],
                     "drawn": bool(learned.cpdag[a, b] and not learned.cpdag[b, a]), "right": right})  # fmt: skip
    return rows


def run(options):
    """Return a row for each run, and one for each edge that the default learned."""
    runs, edges = [], []
    for kind, n, records, seed, values, states, dag in datasets(
        options.kinds, options.sizes, options.graphs, options.first
    ):
        names = [f"x{i}" for i in np.flatnonzero(states)]
        frame = pd.DataFrame(values, columns=[f"x{i}" for i in range(n)])
        for method in options.methods:
            began = time.process_time()
            learned = cp.learn(frame, method, discrete=names)
            row = {"method": method, "kind": kind, "n": n, "records": records, "seed": seed}
            runs.append({**row, **marks(learned.cpdag, dag), "seconds": time.process_time() - began})
            if method == "consensus":
                edges += [{**row, **each} for each in votes(learned, dag)]
        rng = np.random.default_rng(seed)
        density = (learned.dag if learned.dag is not None else dag).sum() / len(dag)
        row["method"] = "random"
        runs.append({**row, **marks(cp.cpdag(random_graph(rng, n, density)), dag), "seconds": 0.0})
        if options.save:
            pd.DataFrame(runs).to_csv(options.save, index=False)
    return pd.DataFrame(runs), pd.DataFrame(edges)


def show(runs, edges):
    """Print the tables."""
    pd.set_option("display.width", 250, "display.max_columns", 40, "display.precision", 3)
    judged = runs[runs.method != "random"]
    best = judged.groupby(["kind", "n", "records", "seed"], as_index=False).shd.min().assign(method="best by truth")
    everything = pd.concat([runs, best])
    table = everything.pivot_table(values="shd", index="kind", columns="method", sort=False)
    print(pd.concat([table, table.mean().to_frame("mean of kinds").T]))
    print(judged.pivot_table(values="shd", index="kind", columns=["method", "records"], sort=False))
    print(judged.groupby("method")[["shd", "f1", "extra", "missing", "turned", "seconds"]].mean())
    if len(edges):
        print(edges.groupby(["pair", "records"]).true.agg(["mean", "size"]).unstack())
        settled = edges[edges.drawn & edges.right.notna()]
        print(settled.groupby("arrow").right.agg(["mean", "size"]))


def main():
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--kinds", nargs="+", default=tuple(KINDS), choices=KINDS)
    parser.add_argument("--graphs", type=int, default=2, help="of each kind and size")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--sizes", nargs="+", default=SIZES, type=lambda text: tuple(map(int, text.split("x"))))
    parser.add_argument("--save", help="runs as CSV")
    parser.add_argument("--against", nargs="+", default=[], help="runs saved before, shown beside as other methods")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    runs, edges = run(options)
    before = [pd.read_csv(path) for path in options.against]
    before = [
        each.assign(method=each.method + f" ({path})") for each, path in zip(before, options.against, strict=True)
    ]
    show(pd.concat([runs, *before]), edges)


if __name__ == "__main__":
    main()
