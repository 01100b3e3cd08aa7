"""Inputs of the study of own data made by hand: records of a random network, graphs that are near the true one."""

import numpy as np
from script_tools import script
from synthetic import of_study, results

from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.data.schemas import HELD_OUT
from cutpoint.bench.engine.inputs import Data, Inputs, MethodLabel
from cutpoint.bench.evaluation.held_out import SHARED, TRUTH
from cutpoint.bench.runs.runner import edge_rows
from cutpoint.data.worries import worries
from cutpoint.networks.network import Network

LABELS = (
    ("Equal frequency", "prediscretization"), ("Hartemink", "prediscretization"), ("Ruichu", "prediscretization"),
    ("Friedman, 3 levels", "integrated"), ("MGCD", "integrated"), ("Monti", "integrated"), ("Steck", "integrated"),
    ("Tran, iterated", "integrated"), ("Bach", "direct"), ("PC", "direct"), ("Gaussian BIC", "direct"),
)  # fmt: skip
NAMES = ("age", "income", "body_mass_index", "sys", "blood_pressure_mean", "x", "glucose", "an_exceedingly_long1")
RATES = {"tpr_standard": 0.9, "precision_skeleton": 0.8, "recall_skeleton": 0.75, "f1_skeleton": 0.77}
RATES |= {"f1_pattern": 0.7, "parent_aid": 0.2}
ABOUT = {"study": "own", "dataset": "own"}


class Learned:
    """What `cutpoint.bench.evaluation.results.Results` is asked for, by method."""

    def __init__(self, graphs, statuses):
        self.graphs, self.statuses = graphs, statuses

    def run(self, key):
        name, cell, replicate = key
        assert (cell, replicate) == ("own", 0)
        if name in self.statuses:
            return {"status": "timeout", "message": self.statuses[name], "kind": None, "levels": None}
        _, thresholds = self.graphs[name]
        return {"status": "ok", "message": "", "kind": "dag", "levels": None if thresholds is None else 2.0}

    def graph(self, key, variables):
        return self.graphs[key[0]][0]

    def kinds(self, key, variables):
        return None

    def thresholds(self, key, variables):
        return self.graphs[key[0]][1]


def random_dag(n, edges, rng):
    """A DAG whose nodes are in a random order."""
    pairs = np.array([(i, j) for i in range(n) for j in range(i + 1, n)])
    dag = np.zeros((n, n), bool)
    chosen = pairs[rng.permutation(len(pairs))[:edges]]
    dag[chosen[:, 0], chosen[:, 1]] = True
    order = rng.permutation(n)
    return dag[np.ix_(order, order)]


def near(dag, changes, rng):
    """The graph with some edges left out and others added, without a cycle."""
    order = np.argsort([int(x) for x in _depths(dag)], kind="stable")
    sorted_ = dag[np.ix_(order, order)].copy()
    for _ in range(changes):
        i, j = sorted(rng.choice(len(dag), 2, replace=False))
        sorted_[i, j] ^= True
    for i, j in np.argwhere(sorted_)[:changes]:
        sorted_[i, j] = rng.random() < 0.7
    back = np.argsort(order)
    return sorted_[np.ix_(back, back)]


def _depths(dag):
    depth = np.zeros(len(dag), int)
    for _ in range(len(dag)):
        depth = np.maximum(depth, np.max(np.where(dag, depth[:, None] + 1, 0), axis=0, initial=0))
    return depth


def judged(alone, total, turn):
    """Log-likelihoods under all evaluators, of which each is the best in turn."""
    families = list(SHARED)
    best = families[turn % len(families)]
    values = {name: alone + (total - alone) * (1 if name == best else 0.8) for name in families}
    own = alone + (total - alone) * 0.9
    return {**values, "own": own, "log_likelihood": total, "evaluator": best, "levels": 3 + turn % 2}


def names_of(n):
    """Names of up to 20 characters."""
    return sorted([*NAMES, *(f"variable_{i:02}{'_of_a_name' * (i % 3 == 0)}"[:20] for i in range(n))][:n])


def inputs(
    n=8, methods=11, *, seed=0, records=400, resamples=20, folds=5, truth=False, failed=(), broken=(), discrete=2
):
    """Inputs with n columns.

    Args:
        truth: whether there is a true network.
        failed: places of methods that failed everywhere.
        broken: places of methods that failed in one fold and one resample.
    """
    rng = np.random.default_rng(seed)
    names = names_of(n)
    rows = [
        MethodLabel(label.lower().replace(" ", "_").replace(",", ""), label, kind) for label, kind in LABELS[:methods]
    ]
    true = random_dag(n, int(1.3 * n), rng)
    values, coded = records_of(n, records, discrete, rng)
    about, graphs, statuses, held, edges, runs = [], {}, {}, [], [], []
    for k, m in enumerate(rows):
        good = k not in failed
        why = "" if good else "stopped after 600 s of wall time; give more with time_limit, or leave the method out"
        changes = 1 + k % 4
        learned = near(true, changes, rng)
        direct = m.category == "direct"
        graphs[m.name] = learned, None if direct else policy(values, coded, k, rng)
        if not good:
            statuses[m.name] = why
        common = ABOUT | {"network": None, "method": m.name, "n": records}
        counts = ("whole", "own", 1), ("confidence", "own-jackknife", resamples), ("folds", "own-folds", folds)
        for grid, cell, count in counts:
            for r in range(count):
                ok = good and not (k in broken and r == 1)
                row = {**common, "grid": grid, "cell": cell, "replicate": r, "status": "ok" if ok else "timeout"}
                row |= {"message": None if ok else why or "stopped after 600 s", "kind": "dag"}
                if ok:
                    shd = changes + r % 3
                    row |= {"seconds": 0.05 * (k + 1), "learned_edges": int(learned.sum())}
                    if truth:
                        row |= {"shd_fu2005": 2 * shd, "shd_standard": shd, "fpr_standard": 0.01 * k, **RATES}
                about.append(row)
                if grid == "confidence" and ok:
                    runs.append(row)
                    identity = {"method": m.name, "cell": cell, "replicate": r}
                    edges += edge_rows(identity, names, near(learned, int(rng.integers(0, 3)), rng))
                if grid == "folds":
                    size = records // folds
                    alone = -size * (5 + 0.1 * r)
                    total = alone + size * (0.5 - 0.15 * changes + 0.02 * rng.normal())
                    tried = judged(alone, total, k + r) if ok else {}
                    held.append({**row, "records": size, "independence": alone, **tried})
    if truth:
        common = ABOUT | {"grid": "folds", "cell": "own-folds", "status": "ok", "method": TRUTH}
        for r in range(folds):
            size, alone = records // folds, -(records // folds) * (5 + 0.1 * r)
            found_true = judged(alone, alone + 0.4 * size, r) | {"own": None}
            held.append({**common, "replicate": r, "records": size, "independence": alone, **found_true})
    shares = [{"dataset": "own", **row} for row in script("edges").edge_shares(runs, edges)]
    kinds = ("continuous (numbers, 400 different)", "discrete, 2 levels (2 different texts in 400 rows)")
    notes = [f"{name}: {kinds[int(d)]}" for name, d in zip(names, coded, strict=True)]
    levels = {name: ("no", "yes") for name, d in zip(names, coded, strict=True) if d}
    notes += ["3 rows with a missing cell were left out"]
    data = Data("own", names, values, coded, notes=notes, levels=levels, truth="mine" if truth else None,
                worries=worries(values, coded, names))  # fmt: skip
    return of_study(
        "own", about, rows, resamples, seed=2005,
        networks={"mine": network(true, names)} if truth else {}, datasets={"own": data},
        held_out=results(held, HELD_OUT), results=Learned(graphs, statuses), edges=shares,
    )  # fmt: skip


def nothing():
    """Inputs without data and without runs."""
    example = inputs(5, 2)
    lost = Data("own", (), np.empty((0, 0)), np.zeros(0, bool), status="unavailable", message="cannot be read")
    return Inputs(
        example.study, example.metrics.iloc[:0], {}, {"own": lost}, {}, example.methods, RunScale("quick", 1, 0)
    )


def network(dag, names):
    """A network of the graph; nobody looks at its tables."""
    parents = tuple(tuple(np.flatnonzero(column).tolist()) for column in dag.T)
    return Network("mine", tuple(names), (("a", "b"),) * len(names), parents, ())


def records_of(n, count, discrete, rng):
    """Columns of unlike shapes, the last ones of codes."""
    kinds = [
        lambda: rng.normal(50, 12, count), lambda: rng.exponential(30_000, count), lambda: rng.standard_cauchy(count),
        lambda: np.where(rng.random(count) < 0.4, rng.normal(-2, 0.4, count), rng.normal(1, 0.6, count)),
        lambda: rng.uniform(0, 1e-4, count),
    ]  # fmt: skip
    coded = np.arange(n) >= n - discrete
    values = np.column_stack([kinds[i % 5]() if not coded[i] else rng.integers(0, 2, count) for i in range(n)])
    return values, coded


def policy(values, coded, k, rng):
    """Thresholds at quantiles; now and then none."""
    cuts = []
    for column, d in zip(values.T, coded, strict=True):
        levels = 2 if d else int(rng.integers(1, 6)) if k else 4
        cuts.append(np.array([0.5]) if d else np.quantile(column, np.arange(1, levels) / levels))
    return cuts
