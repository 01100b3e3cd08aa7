"""Rates, costs and predictions of the three grids in all bootstrap draws (Mabrouk 2015, 4).

What is resampled are replicates: of the random networks each is a network of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from cutpoint.studies.inputs import Grid, Inputs, Method, grid
from cutpoint.studies.numbers import MEAN, Columns, grouped

REFERENCE = "mgcd"
PRINTED = {"mgcd": "mgcd", "ruichu": "ruichu", "friedman_tabu": "friedman"}  # our rows as the printed tables call them
OTHERS = tuple(name for name in PRINTED if name != REFERENCE)
SIZES = (1000, 2000, 5000, 7500, 10000)
PREDICTION_SIZES = (1000, 2000, 5000, 10000)
NETWORKS = ("child", "sachs")
FEWEST, GROUP = 10, 7  # variables of a random network, and how many counts are shown together: 10 to 16, ...
SHARES = (0.3, 0.6, 1.0)  # of the Markov blanket that is observed
TRUE = Method("true_network", "True network", "ceiling")
KEYS = ("network", "n", "noise")
PREDICTION_KEYS = (*KEYS, "share")
NOISES = {"structure": "truncated", "prediction": "uniform"}  # of the paper, by grid
_IDENTITY = ("grid", "network", "n", "noise", "replicate", "method", "share")
_ACCURACIES = ("expected", "sampled", "argmax")


def of_the_paper(inputs: Inputs) -> Inputs:
    """Return inputs with the runs of the noise of the paper alone, in each grid of NOISES that has any of it.

    The numbers of the paper would else be means over its noise and those that a user adds.
    """
    return inputs.once("noise of the paper", lambda: _of_the_paper(inputs))


def _of_the_paper(inputs: Inputs) -> Inputs:
    metrics, predictions = (_printed_noise(table) for table in (inputs.metrics, inputs.predictions))
    if metrics is inputs.metrics and predictions is inputs.predictions:
        return inputs
    return inputs.with_metrics(metrics, predictions=predictions)


def _printed_noise(table: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
    """Return the rows that of_the_paper keeps, the table itself where those are all."""
    dropped = np.zeros(len(table["grid"]) if table else 0, bool)
    for name, noise in NOISES.items() if table else ():
        there = table["grid"] == name
        printed = there & (table["noise"] == noise)
        if printed.any():
            dropped |= there & ~printed
    return {key: column[~dropped] for key, column in table.items()} if dropped.any() else table


def by_size(inputs: Inputs, metric: str, reference: str | None = None) -> Columns:
    """Return a metric of the structure grid by N, and its mean over N."""
    return grouped(of_the_paper(inputs), "structure", KEYS, metric, ("n",), reference)


def by_variables(inputs: Inputs, metric: str) -> Columns:
    """Return a metric of the structure grid by the number of variables of the network, the least of each group.

    Runs on networks that were not read are left out.
    """
    counted = inputs.once("variables", lambda: _with_variables(of_the_paper(inputs)))
    return grouped(counted, "structure", (*KEYS, "variables"), metric, ("variables",))


def _with_variables(inputs: Inputs) -> Inputs:
    table, read = inputs.metrics, inputs.networks
    found = np.full(len(table["grid"]), np.nan)
    for i, (network, replicate) in enumerate(zip(table["network"], table["replicate"], strict=True)):
        true = read.get(f"{network}-{replicate:.0f}", read.get(network))  # a family has a network for each replicate
        if true is not None:
            found[i] = FEWEST + GROUP * ((len(true.variables) - FEWEST) // GROUP)
    known = np.isfinite(found)
    return inputs.with_metrics({key: column[known] for key, column in {**table, "variables": found}.items()})


def by_noise(inputs: Inputs, name: str, metric: str) -> Columns:
    """Return a metric of a grid of random networks by (N, noise)."""
    return grouped(inputs, name, KEYS, metric, ("n", "noise"))


def tpr_gain(inputs: Inputs) -> Columns:
    """Return by how many percent the TPR of MGCD is above that of every method; the last column compares means."""
    return _against(inputs, "tpr_mabrouk2015", lambda mine, other: 100 * (mine / other - 1))


def fpr_reduction(inputs: Inputs) -> Columns:
    """Return by how many percent the FPR of MGCD is below that of every method; the last column compares means."""
    return _against(inputs, "fpr_mabrouk2015", lambda mine, other: 100 * (1 - mine / other))


def _against(inputs: Inputs, metric: str, change: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Columns:
    return inputs.once(("against", metric), lambda: _compared(inputs, by_size(inputs, metric), change))


def _compared(inputs: Inputs, source: Columns, change: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Columns:
    at = next((i for i, m in enumerate(inputs.methods) if m.name == REFERENCE), None)
    if at is None:
        nothing, why = np.full_like(source.values, np.nan), "no reference: not among the methods"
        return replace(source, values=nothing, strict=nothing, reasons=[[why] * len(r) for r in source.reasons])

    def compare(values: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            found = change(values[:, [at]], values)
        return np.where(np.isfinite(found), found, np.nan)

    lost = [f"no reference: {why}" for why in source.reasons[at]]
    return replace(
        source,
        values=compare(source.values),
        strict=compare(source.strict),
        runs=np.minimum(source.runs, source.runs[at]),
        reasons=[
            [theirs if runs else own for own, theirs, runs in zip(r, lost, count, strict=True)]
            for r, count in zip(source.reasons, source.runs, strict=True)
        ],
    )


def accuracy(inputs: Inputs, kind: str, *by: str) -> Columns:
    """Return the percentage of correct predictions, of the true network last of all methods.

    Args:
        inputs: of the study.
        kind: "sampled" as in the paper, its expectation "expected", or "argmax".
        by: what a column stands for, of network, n and share.
    """
    return grouped(predicted(inputs), "prediction", PREDICTION_KEYS, kind, by)


def prediction_grid(inputs: Inputs) -> Grid:
    """Return the predictions as a grid, cells (network, N, noise, share); the true network is its last method."""
    return grid(predicted(inputs), "prediction", *PREDICTION_KEYS)


def predicted(inputs: Inputs) -> Inputs:
    """Return inputs whose metrics are the predictions in percent, means over the targets of a replicate.

    A run with a target that could not be predicted has no value. The true network, given the true codes of the
    same variables, is the last method; sampling from it has the expectation that is shown.
    """
    return inputs.once("predicted", lambda: _predicted(of_the_paper(inputs)))


def _predicted(inputs: Inputs) -> Inputs:
    table = inputs.predictions
    runs: dict[tuple, list[int]] = {}
    for i, identity in enumerate(zip(*(table[key] for key in _IDENTITY), strict=True) if table else ()):
        runs.setdefault(identity, []).append(i)
    rows = [_mean_of_targets(table, identity, places) for identity, places in runs.items()]
    first: dict[tuple, dict] = {}
    for row in rows:
        first.setdefault(tuple(row[key] for key in _IDENTITY if key != "method"), row)
    rows += [
        row | {"method": TRUE.name, "status": "ok", "message": ""} | row["ceilings"] for row in list(first.values())
    ]
    texts, numbers = ("grid", "network", "noise", "method", "status", "message"), ("n", "replicate", "share")
    columns = {key: np.array([row[key] for row in rows], object) for key in texts}
    columns |= {key: np.array([row[key] for row in rows], float) for key in (*numbers, *_ACCURACIES)}
    return inputs.with_metrics(columns, methods=[*inputs.methods, TRUE])


def _mean_of_targets(table, identity: tuple, places: list[int]) -> dict:
    row = dict(zip(_IDENTITY, identity, strict=True))
    bad = [i for i in places if table["status"][i] != "ok"]
    row["status"], row["message"] = (table[key][bad[0] if bad else places[0]] for key in ("status", "message"))
    row |= {kind: 100 * float(np.mean(table[kind][places])) for kind in _ACCURACIES}
    row["ceilings"] = {kind: 100 * float(np.mean(table[f"ceiling_{kind}"][places])) for kind in ("expected", "argmax")}
    row["ceilings"]["sampled"] = np.nan
    return row


def is_learned(method: Method) -> bool:
    """Return whether a row is a method and not the true network."""
    return method.name != TRUE.name


def asked(inputs: Inputs) -> list[tuple[str, float, int]]:
    """Return (network, share, N) of every cell of Table 2, those of the paper and those that were run."""
    cells = [(w, s, n) for w in NETWORKS for s in SHARES for n in PREDICTION_SIZES]
    names = accuracy(inputs, "sampled", "network", "n", "share").names
    return sorted({*cells, *((w, s, int(n)) for w, n, s in (name for name in names if name != MEAN))})


def printed_times(inputs: Inputs, n: int) -> dict[str, float]:
    """Return the printed ratios of run times at one N by method."""
    lines = inputs.printed("table_1_runtime_ratio")
    found = {name: lines.get(called, {}).get(f"n{n}") for name, called in PRINTED.items()}
    return {name: value for name, value in found.items() if value is not None}


def printed_accuracy(inputs: Inputs, network: str, share: float, n: int) -> dict[str, float]:
    """Return the printed percentages of a cell of Table 2 by method."""
    for row in inputs.published.get("table_2_prediction", ()):
        if (row["network"], int(row["n"])) == (network, n):
            found = {name: row.get(f"{called}_mb{round(100 * share)}") for name, called in PRINTED.items()}
            return {name: float(text) for name, text in found.items() if text}
    return {}
