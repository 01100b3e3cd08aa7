"""How true the probabilities of `cp.posterior` are, beside the votes of the default and shares of 15 bootstraps.

    nice uv run python benchmarks/calibration.py                      # own prior and nineteen kinds of data, an hour
    uv run python benchmarks/calibration.py --kinds mixed --graphs 4  # of some
    uv run python benchmarks/calibration.py --picture docs/images/how_sure.svg

Data are those of `foreign.py` with 10 variables, and some drawn from the posterior's own prior. Printed for each kind
and way are the calibration error (ECE, ten bins) of pairs, and what it would be by chance if all probabilities were
true; how many arrows are above 0.9 and how many of them are true; and for each way log loss, Brier score, SHD for each
true edge, the share of runs whose chains agree, and CPU seconds.
"""

import argparse
import time
import warnings

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import foreign
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import cutpoint as cp
from cutpoint.bench.plots.style import MARKERS
from cutpoint.graphs.dags import topological_order
from cutpoint.plots.style import COLOURS, styled
from cutpoint.posteriors.chains import draw_graphs
from cutpoint.posteriors.families import FamilyTables

VARIABLES, ESS, OWN, SURE = 10, 4.0, "own prior", 0.9
NAMES = {"posterior": "posterior", "consensus": "votes (consensus)", "steck3": "15 bootstraps (steck3)"}


def own_prior(records: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values of levels, and their graph: all from the prior, values uniform within levels."""
    n, rng = VARIABLES, np.random.default_rng([records, seed])
    candidates = np.array([[j for j in range(n) if j != i] for i in range(n)])
    families = FamilyTables(candidates, 3, 3)
    weights = np.where(families.sizes <= families.most, families.log_prior(None), -np.inf)
    dag = draw_graphs(weights, candidates, np.zeros((n, n), bool), 50, rng)[-1]
    levels = rng.integers(2, 6, n)
    codes, values = np.zeros((records, n), int), np.zeros((records, n))
    for i in topological_order(dag):
        joint, cells = np.zeros(records, int), 1
        for p in np.flatnonzero(dag[:, i]):
            joint, cells = joint * levels[p] + codes[:, p], cells * levels[p]
        table = rng.dirichlet(np.full(levels[i], ESS / cells / levels[i]), cells).cumsum(axis=1)
        codes[:, i] = (rng.random(records)[:, None] > table[joint, :-1]).sum(axis=1)
        edges = np.concatenate([[0], np.sort(rng.choice(np.arange(1, 256), levels[i] - 1, replace=False)) / 256, [1]])
        values[:, i] = edges[codes[:, i]] + rng.random(records) * np.diff(edges)[codes[:, i]]
    return values, dag


def cases(options):
    """Yield a kind, values, names of columns of states and the graph."""
    for seed in range(options.first, options.first + options.graphs):
        for records in options.records:
            if OWN in options.kinds:
                values, dag = own_prior(records, seed)
                yield OWN, values, [], dag
            kinds = [kind for kind in options.kinds if kind != OWN]
            for kind, *_, values, states, dag in foreign.datasets(kinds, [(VARIABLES, records)], 1, seed):
                yield kind, values, [f"x{i}" for i in np.flatnonzero(states)], dag


def judged(way, kind, values, names, dag):
    """Return a row for each pair and one for each arrow, with what is said and true, and one about the run."""
    began, own = time.process_time(), {"ess": ESS} if (way, kind) == ("posterior", OWN) else {}
    learned = cp.learn(values, way, discrete=names, **own)
    shares = learned.uncertainty.edges if learned.uncertainty else None
    if shares is None:
        shares = cp.edge_confidence(values, way, samples=15, discrete=names)
    diagnostics = learned.uncertainty and learned.uncertainty.diagnostics
    agree = 1.0 if diagnostics is None else float(diagnostics.converged)
    true, pairs, arcs = cp.cpdag(dag), np.triu_indices(len(dag), 1), ~np.eye(len(dag), dtype=bool)
    about = {"way": way, "kind": kind}
    run = {"shd": foreign.marks(learned.cpdag, dag)["shd"], "agree": agree, "seconds": time.process_time() - began}
    return (
        pd.DataFrame(about | {"p": shares.adjacent[pairs], "true": (dag | dag.T)[pairs]}),
        pd.DataFrame(about | {"p": shares.directed[arcs], "true": (true & ~true.T)[arcs], "right": dag[arcs]}),
        about | run,
    )


def error(rows) -> float:
    """Return the mean distance of probabilities from the share that is true, in ten bins."""
    bins = rows.groupby(np.minimum((10 * rows.p).astype(int), 9))
    return float((bins.size() * (bins.p.mean() - bins.true.mean()).abs()).sum() / len(rows))


def by_chance(rows) -> float:
    """Return the error if all probabilities were true, which few pairs have too: the mean of 20 draws of truths."""
    draws = np.random.default_rng(0).random((20, len(rows)))
    return float(np.mean([error(rows.assign(true=each < rows.p)) for each in draws]))


def log_loss(rows) -> float:
    """Return the mean log loss of pairs, of probabilities between 0.01 and 0.99."""
    p = rows.p.clip(0.01, 0.99)
    return float(-np.log(np.where(rows.true, p, 1 - p)).mean())


@styled
def draw(pairs) -> Figure:
    """Draw the share of pairs that have an edge by what was said."""
    figure, axes = plt.subplots(figsize=(3.4, 3.2))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for k, (way, rows) in enumerate(pairs.groupby("way", sort=False)):
        bins = rows.groupby(np.minimum((10 * rows.p).astype(int), 9))
        axes.plot(bins.p.mean(), bins.true.mean(), marker=MARKERS[k], color=COLOURS[k], label=NAMES.get(way, way))
    axes.set(xlabel="probability or share", ylabel="share of pairs that have an edge")
    axes.legend()
    return figure


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", default=(OWN, *foreign.KINDS))
    parser.add_argument("--ways", nargs="+", default=tuple(NAMES))
    parser.add_argument("--graphs", type=int, default=2, help="of each kind and number of records")
    parser.add_argument("--records", nargs="+", type=int, default=(300, 1000))
    parser.add_argument("--first", type=int, default=701, help="the first seed")
    parser.add_argument("--save", help="pairs, arrows and runs as PREFIX-pairs.csv and so on")
    parser.add_argument("--picture", help="a file to draw calibration into")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = []
    for case in cases(options):
        found += [judged(way, *case) for way in options.ways]
        pairs, arrows = (pd.concat([each[k] for each in found]) for k in (0, 1))
        runs, sure = pd.DataFrame([each[2] for each in found]), arrows[arrows.p > SURE]
        for name, rows in {"pairs": pairs, "arrows": arrows, "runs": runs}.items():
            if options.save:
                rows.to_csv(f"{options.save}-{name}.csv", index=False)
    pd.set_option("display.width", 200, "display.max_columns", 40, "display.precision", 3)
    groups = pairs.groupby(["kind", "way"], sort=False)
    table, chance = groups.apply(error).unstack(), groups.apply(by_chance).unstack()
    counts = sure.groupby(["kind", "way"], sort=False).true.agg(["size", "sum"]).unstack(fill_value=0)
    print(table.join(chance, rsuffix=" by chance"), counts, sep="\n")
    others = pairs[pairs.kind != OWN].groupby("way", sort=False)
    errors, least = (each.drop(OWN, errors="ignore") for each in (table, chance))
    print(pd.DataFrame({
        "mean ECE of kinds": errors.mean(), "by chance": least.mean(), "worst": errors.max(),
        "ECE of all": others.apply(error),
        "log loss": others.apply(log_loss), "Brier": others.apply(lambda rows: ((rows.p - rows.true) ** 2).mean()),
        "true arrows": sure[sure.kind != OWN].groupby("way").true.mean(),
        **runs.groupby("way")[["shd", "agree", "seconds"]].mean(),
    }))  # fmt: skip
    if options.picture:
        draw(pairs[pairs.kind != OWN]).savefig(options.picture)


if __name__ == "__main__":
    main()
