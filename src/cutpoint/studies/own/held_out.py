"""How likely the methods hold records that they have not learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import mean_interval
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.own.outcomes import FOLDS, basis, lost, short

EMPTY = "independence", "No edges"  # the row of the model without edges
FAIR = (
    "All methods share the same density of each column, so that the differences come from the edges, and, of a method "
    "with thresholds, from what its levels keep of the dependence."
)


@dataclass(frozen=True, eq=False)
class Folds:
    """Log-likelihood per record of every method on every fold, in nats.

    Attributes:
        values: float64 [M, F], NaN where a method failed.
        independence: float64 [F], of the model without edges.
        expected: int [M], the folds that a method was asked for.
        reasons: [M], why folds are missing, or "".
    """

    values: np.ndarray
    independence: np.ndarray
    expected: np.ndarray
    reasons: Sequence[str]

    @property
    def gains(self) -> np.ndarray:
        """What the edges add, float64 [M, F]."""
        return self.values - self.independence

    @property
    def runs(self) -> np.ndarray:
        """The folds that succeeded, int [M]."""
        return np.isfinite(self.values).sum(1)

    @property
    def best(self) -> int | None:
        """The method with the highest mean among those with the most folds, None where all failed."""
        most = int(self.runs.max(initial=0))
        if not most:
            return None
        means = [
            mean_interval(g)[0] if runs == most else -np.inf for g, runs in zip(self.gains, self.runs, strict=True)
        ]
        return int(np.argmax(means))


def missing(inputs: Inputs) -> str:
    """Return why nothing is known of records held out, or ""."""
    return lost(inputs, FOLDS) or ("" if len(inputs.held_out.get("method", ())) else "no records were held out")


def folds(inputs: Inputs) -> Folds:
    """Return the log-likelihoods of all methods, without folds where there are none."""
    return inputs.once(("folds",), lambda: _folds(inputs))


def _folds(inputs: Inputs) -> Folds:
    table, count = inputs.held_out, len(inputs.methods)
    if missing(inputs):
        return Folds(np.empty((count, 0)), np.empty(0), np.zeros(count, int), [missing(inputs)] * count)
    numbers = sorted(set(table["replicate"]))
    place = {m.name: i for i, m in enumerate(inputs.methods)}
    values, independence = np.full((count, len(numbers)), np.nan), np.full(len(numbers), np.nan)
    expected, texts = np.zeros(count, int), [[] for _ in range(count)]  # type: tuple[np.ndarray, list[list[str]]]
    for k, method in enumerate(table["method"]):
        if method not in place:
            continue
        i, fold, records = place[method], numbers.index(table["replicate"][k]), table["records"][k]
        expected[i] += 1
        if np.isfinite(alone := table["independence"][k]):
            independence[fold] = alone / records
        if table["status"][k] == "ok":
            values[i, fold] = table["log_likelihood"][k] / records
        else:
            texts[i].append(table["message"][k] or table["status"][k])
    reasons = [short(max(sorted(set(found)), key=found.count)) if found else "" for found in texts]
    reasons = [why or ("" if asked else "no runs") for why, asked in zip(reasons, expected, strict=True)]
    return Folds(values, independence, expected, reasons)


def mean_cell(values: np.ndarray, expected: int, reason: str, digits: int = 3) -> Cell:
    """Return the mean over folds with its interval, of the folds that succeeded."""
    mean, low, high = mean_interval(values)
    runs = int(np.isfinite(values).sum())
    return Cell(mean, low=low, high=high, runs=runs, expected=expected, reason=reason, digits=digits)


def gain_cell(found: Folds, i: int) -> Cell:
    """Return what the edges of a method add."""
    return mean_cell(found.gains[i], int(found.expected[i]), found.reasons[i])


def table_held_out(inputs: Inputs) -> Table:
    """Return the log-likelihood per record held out by method."""
    found = folds(inputs)
    best = found.best
    rows = [Row(m.name, m.label, m.category, _cells(found, i, best)) for i, m in enumerate(inputs.methods)]
    if best is not None:
        alone, count = found.independence, len(found.independence)
        below = mean_cell(-found.gains[best], count, "")
        rows.append(Row(*EMPTY, "", (mean_cell(alone, count, ""), Cell(0.0, digits=3), below, Cell("ok"))))
    named = "" if best is None else f" The best here is {inputs.methods[best].label}."
    return Table(
        name="table_held_out",
        title="Log-likelihood of records held out",
        caption="Each fold of the records is judged by a model learned from all others. Means over folds in nats per "
        "record on the scale of the data; higher is better. A gain of 0.1 makes a record 1.1 times as likely as the "
        f"model without edges does; a gain below 0 says that the edges do harm.{named}",
        key="method",
        columns=("Log-likelihood", "Gain over no edges", "Gain over the best method", "Folds"),
        rows=tuple(rows),
        scale=basis(inputs, FOLDS),
        notes=(
            "Intervals: 95 % by Student's t over folds, differences paired by fold. Folds share most of what they were "
            "learned from, so the intervals are rather too narrow.",
            FAIR,
        ),
        missing=missing(inputs),
    )


def _cells(found: Folds, i: int, best: int | None) -> tuple[Cell, ...]:
    expected, why = int(found.expected[i]), found.reasons[i]
    against = Cell(reason=why)
    if i == best:
        against = Cell("best")
    elif best is not None:
        against = mean_cell(found.values[i] - found.values[best], expected, why)
    runs = int(found.runs[i])
    status = (
        "ok" if runs == expected and runs else f"{expected - runs} of {expected} failed: {why}" if expected else why
    )
    return mean_cell(found.values[i], expected, why), gain_cell(found, i), against, Cell(status)
