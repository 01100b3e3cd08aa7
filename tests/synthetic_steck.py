"""Experiments and jackknife runs of the Steck study with known numbers, as the paper says they are."""

from itertools import product

import numpy as np
from synthetic import lost, of_study, results

from cutpoint.bench.engine.inputs import Data, MethodLabel, replicates

MEASURES = ("learned_edges", "levels", "seconds", "discretize_seconds", "score_calls")
QUANTILES = {f"steck_quantile{r}": 100.0 - 10 * r for r in range(2, 7)}
OPTIMISED = {f"steck_levels{r}": 105.0 - 10 * r for r in range(2, 7)}
EDGES = {**QUANTILES, **OPTIMISED, "steck_both": 65.0}
METHODS = [MethodLabel(name, name, "prediscretization" if name in QUANTILES else "integrated") for name in EDGES]
VARIABLES = ("A", "B", "C", "D", "E")
SHARES = (  # any, forward, backward, undirected
    ("A", "B", 0.90, 0.60, 0.10, 0.20),
    ("A", "C", 0.45, 0.15, 0.25, 0.05),
    ("B", "C", 0.50, 0.00, 0.00, 0.50),
    ("C", "D", 0.34, 0.34, 0.00, 0.00),
    ("D", "E", 0.80, 0.00, 0.80, 0.00),
)
SIZES = (10, 50, 200)


def clusters(samples=12, panels=range(2, 11), levels=range(2, 11)):
    rows = []
    for s, k, r in product(range(samples), panels, levels):
        rise, excess = 150.0 * (min(r, k) - 1), max(r - k, 0)
        quantile = (150.0 if r == k else 100.0 if k % r == 0 or r % k == 0 else 20.0) * (k - 1)
        row = {"sample": s, "clusters": k, "levels": r, "exact": rise - excess + s}
        rows.append(row | {"greedy": rise - 6 * excess + s, "quantile": quantile + s})
    return rows


def dependence(samples=12):
    panels = {
        "independent": (150, 50, 1, -3.0), "dependent": (100, 0, 2, -1.0), "low noise": (151, 51, 6, 50.0),
        "high noise": (102, 2, 4, 10.0),
    }  # fmt: skip
    return [
        {
            "sample": s, "panel": panel, "variable": i, "records": 300, "threshold": 0.5 + 0.1 * i, "below": below,
            "wrong": wrong, "free": free, "third": third,
        }
        for s in range(samples) for panel, (below, wrong, free, third) in panels.items() for i in range(2)
    ]  # fmt: skip


def overlap(samples=12):
    return [
        {
            "sample": s, "ess": float(ess), "score": 200.0 - abs(ess - 2 - s % 4) + s,
            "levels0": 4 if ess == 2 + s % 4 else 9, "levels1": 2, "thresholds0": "0.25 0.5 0.75", "thresholds1": "1.5",
        }
        for s in range(samples) for ess in range(1, 11)
    ]  # fmt: skip


def sizes(samples=12):
    return [
        {
            "ess": ess, "records": n, "sample": s, "score": 0.0 if n == 10 else 5.0,
            "levels0": n // 10 if n > 10 else 1, "levels1": n // 10 + 2 if n > 10 else 1, "independent": n == 10,
        }
        for ess in (1.0, 3.0) for n in SIZES for s in range(samples)
    ]  # fmt: skip


def invariance(samples=2):
    return [
        {"sample": s, "change": change, "policy": 1e-12, "optimum": -1e-12}
        for s in range(samples) for change in ("reversed", "order of the records")
    ]  # fmt: skip


def graphs(samples=4, lost=()):
    """Of the samples of steck2 those with 10 records are learned as independent, of steck3 those with 30 too."""
    return [
        {
            "method": name, "records": n, "status": "timeout" if name in lost else "ok",
            "message": "over 60 s" if name in lost else "", "samples": samples,
            "independent": None if name in lost else samples * (n <= most),
        }
        for name, most in (("steck2", 10), ("steck3", 30)) for n in (10, 30, 100)
    ]  # fmt: skip


def ess(samples=5):
    rows = [(25.0, s, s - 70.0) for s in range(samples)] + [(100.0, s, s - 71.0 - s / 2) for s in range(samples)]
    ended = {"dataset": "sachs", "status": "ok", "message": ""}
    return [{**ended, "ess": size, "sample": s, "score": score} for size, s, score in rows]


def deletes(samples=4):
    ended = {"dataset": "sachs", "status": "ok", "message": ""}
    return [
        {**ended, "delete": count, "sample": s, "what": what, "value": float(s % 2 + k)}
        for count in (1, 30) for s in range(samples) for k, what in enumerate(("edges", "A"))
    ]  # fmt: skip


MAKERS = {f.__name__: f for f in (clusters, dependence, overlap, sizes, graphs, invariance, ess, deletes)}


def runs(samples=4, dataset="sachs", grid="jackknife", status="ok"):
    return [
        {
            "study": "steck2007", "grid": grid, "cell": f"{dataset}-{grid}30", "network": None, "dataset": dataset,
            "method": method, "status": status, "message": "" if status == "ok" else "no file", "replicate": s,
            **(dict.fromkeys(MEASURES, 1.0) | {"learned_edges": edges + s if status == "ok" else None}),
        }
        for s in range(samples) for method, edges in EDGES.items()
    ]  # fmt: skip


def shares(dataset="sachs", samples=320, cell="sachs-composite30"):
    return [
        {
            "dataset": dataset, "cell": cell, "method": "steck_both", "runs": samples, "source": a, "target": b,
            "any": any_, "forward": forward, "backward": backward, "undirected": undirected,
        }
        for a, b, any_, forward, backward, undirected in SHARES
    ]  # fmt: skip


def data(name="sachs", rows=60, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, len(VARIABLES))).cumsum(axis=1)
    return Data(name, VARIABLES, values, np.zeros(len(VARIABLES), bool))


LOST = lost("no file")


def inputs(*, rows=None, scale="published", **changes):
    """Return inputs of the study; `changes` replace what they are made from."""
    rows = runs() + runs(dataset="hartemink", status="unavailable") if rows is None else rows
    usual = {"experiments": {name: make() for name, make in MAKERS.items()}, "edges": shares()}
    usual |= {"datasets": {"sachs": data(), "hartemink": LOST}, "methods": METHODS} | changes
    return of_study("steck2007", rows, replicates=replicates(results(rows)), scale=scale, **usual)
