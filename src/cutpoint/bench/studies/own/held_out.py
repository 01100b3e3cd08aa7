"""How well the graphs predict records that they were not learned from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, Method, once
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.evaluation.held_out import FREQUENCY, GAUSSIAN, OWN, SPLINES, TRUTH
from cutpoint.bench.plots import dots
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.winners import winners
from cutpoint.bench.studies.own.grids import grid
from cutpoint.bench.studies.own.outcomes import FOLDS, lost
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import jackknife

EMPTY = "independence", "No edges", ""  # the row of the model without edges
TRUE = Method("truth", "True graph", "")
BEST = "log_likelihood"  # under the evaluator that the training records chose
SHARED = {GAUSSIAN: "Gaussian copula", SPLINES: "splines", FREQUENCY: "equal frequency"}
EVALUATORS = {**SHARED, OWN: "its own levels"}
NO_MODEL = "no method learned it"


@dataclass(frozen=True, eq=False)
class Judged:
    """Log-likelihood per record of one graph on every fold, in nats.

    Attributes:
        values: float64 [F] under the chosen evaluator ("log_likelihood"), the method's own, and each shared one.
        evaluators: that were chosen, of the folds that succeeded.
        levels: of equal frequency that were chosen, of the same.
        independence: float64 [F], of the model without edges.
        expected: the folds that were asked for.
        reason: why folds are missing.
    """

    values: Mapping[str, np.ndarray]
    evaluators: Sequence[str]
    levels: Sequence[int]
    independence: np.ndarray
    expected: int
    reason: str

    @property
    def gains(self) -> np.ndarray:
        """What the edges add under the chosen evaluator, float64 [F]."""
        return self.gain(BEST)

    @property
    def runs(self) -> int:
        """The folds that succeeded."""
        return int(np.isfinite(self.values[BEST]).sum())

    def gain(self, evaluator: str) -> np.ndarray:
        """Return what the edges add, float64 [F]."""
        return self.values[evaluator] - self.independence

    def cell(self, values: np.ndarray, reason: str = "") -> Cell:
        """Return the mean over the folds that succeeded, with its interval."""
        return _mean(values, self.expected, reason or self.reason)

    def chosen(self) -> str:
        """Return the chosen evaluators, with numbers of folds where they differ."""
        counts = Counter(EVALUATORS[name] for name in self.evaluators).most_common()
        return ", ".join(name if len(counts) == 1 else f"{name} ({count})" for name, count in counts)

    def status(self) -> str:
        """Return "ok", or how many folds failed and why."""
        failed = (
            f"{self.expected - self.runs} of {self.expected} failed: {self.reason}" if self.expected else self.reason
        )
        return "ok" if self.expected and self.runs == self.expected else failed


def mean_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean over folds, float64 [F] with NaN for a failed one, and its interval."""
    mean = jackknife(values)
    found = mean.estimate()
    return float(mean.rows[0]), float(found.low), float(found.high)


def _mean(values: np.ndarray, expected: int, reason: str = "") -> Cell:
    mean, low, high = mean_interval(values)
    runs = int(np.isfinite(values).sum())
    return Cell(mean, low=low, high=high, runs=runs, expected=expected, reason=reason, digits=3)


def missing(inputs: Inputs) -> str:
    """Return why nothing is known of records held out, or ""."""
    return lost(inputs, FOLDS) or ("no records were held out" if inputs.held_out.empty else "")


@once
def folds(inputs: Inputs) -> list[Judged]:
    """Return the log-likelihoods of all methods, without folds where there are none."""
    if why := missing(inputs):
        none = dict.fromkeys((BEST, *EVALUATORS), np.empty(0))
        return [Judged(none, (), (), np.empty(0), 0, why) for _ in inputs.methods]
    return _judged(inputs, inputs.methods)


@once
def truth(inputs: Inputs) -> Judged | None:
    """Return the log-likelihoods of the true graph, None where there is none."""
    if missing(inputs) or not (inputs.held_out["method"] == TRUTH).any():
        return None
    table = inputs.held_out
    table = table.assign(method=np.where(table["method"] == TRUTH, TRUE.name, ""))
    return _judged(inputs.with_metrics(inputs.metrics, held_out=table, methods=[TRUE]), [TRUE])[0]


def _judged(inputs: Inputs, methods: Sequence[Method]) -> list[Judged]:
    table, names = inputs.held_out, (BEST, *EVALUATORS)
    table = table.assign(**{name: table[name] / table["records"] for name in (*names, "independence")})
    runs = grid(inputs.with_metrics(table), FOLDS, "dataset")
    # the model without edges is known also where a method failed; fmax passes over NaN
    alone = np.fmax.reduce(np.append(table["independence"], np.nan)[runs.rows[:, 0]], axis=0)
    cubes = {name: runs.cube(name)[:, 0] for name in names}
    found = []
    for i in range(len(methods)):
        rows = runs.rows[i, 0][np.isfinite(cubes[BEST][i])]
        levels = sorted({int(k) for k in table["levels"].iloc[rows]})
        asked = int((runs.rows[i, 0] >= 0).sum())
        values = {name: cube[i] for name, cube in cubes.items()}
        found.append(Judged(values, table["evaluator"].iloc[rows].tolist(), levels, alone, asked, runs.reason(i, [0])))
    return found


def best(inputs: Inputs) -> list[int]:
    """Return the methods that none clearly beats, the highest mean first, of those with the most folds."""
    found = folds(inputs)
    most = max((each.runs for each in found), default=0)
    gains = np.array([each.gains if each.runs == most else np.full_like(each.gains, np.nan) for each in found])
    if not most:
        return []
    means = np.array([mean_interval(each)[0] for each in gains])
    won = winners(jackknife(gains), lower_is_better=False)
    return [i for i in np.argsort(-means, kind="stable").tolist() if won[i]]


def held_out_table(inputs: Inputs) -> Content:
    """Return the log-likelihood per record held out by method, each graph under its best evaluator."""
    found, true, first = folds(inputs), truth(inputs), best(inputs)[:1]
    lead = found[first[0]] if first else None
    rows = [m.row(*_cells(each, lead)) for m, each in zip(inputs.methods, found, strict=True)]
    if true is not None:
        rows.append(TRUE.row(*_cells(true, lead)))
    notes = []
    if lead is not None:
        alone, count = lead.independence, len(lead.independence)
        rows.append(
            Row(*EMPTY, (_mean(alone, count), Cell(0.0, digits=3), _mean(-lead.gains, count), Cell(), Cell("ok")))
        )
        highest = [m.label for m, each in zip(inputs.methods, found, strict=True) if _same(each, lead)]
        notes = [f"Highest mean gain: {listed(highest)}."]
    columns = ("Log-likelihood", "Gain over no edges", "Gain over the best graph", "Judged by", "Folds")
    return Content("method", columns, rows, notes=notes, missing=missing(inputs))


def _same(one: Judged, other: Judged) -> bool:
    return np.array_equal(one.gains, other.gains, equal_nan=True)


def _cells(each: Judged, lead: Judged | None) -> tuple[Cell, ...]:
    if lead is None:
        against = Cell(reason=each.reason)
    else:
        against = Cell("best") if _same(each, lead) else each.cell(each.gains - lead.gains)
    judged = Cell(each.chosen()) if each.runs else Cell(reason=each.reason)
    return each.cell(each.values[BEST]), each.cell(each.gains), against, judged, Cell(each.status())


def evaluators_table(inputs: Inputs) -> Content:
    """Return what the edges of every graph add under every evaluator."""
    true = truth(inputs)
    rows = [m.row(*_crossed(each)) for m, each in zip(inputs.methods, folds(inputs), strict=True)]
    if true is not None:
        rows.append(TRUE.row(*_crossed(true)))
    columns = ("Best, chosen in training", *(name[0].upper() + name[1:] for name in SHARED.values()))
    return Content("method", (*columns, "Levels", "The method's own"), rows, missing=missing(inputs))


def _crossed(each: Judged) -> tuple[Cell, ...]:
    shared = [each.cell(each.gain(name)) for name in (BEST, *SHARED)]
    levels = Cell(", ".join(map(str, each.levels))) if each.levels else Cell(reason=each.reason)
    unknown = NO_MODEL if each.runs and not np.isfinite(each.values[OWN]).any() else ""
    return *shared, levels, each.cell(each.gain(OWN), unknown)


def held_out_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw what the edges of every graph are worth on records held out."""
    if why := missing(inputs):
        raise Absent(why)
    true = truth(inputs)
    every = [*zip(inputs.methods, folds(inputs), strict=True), *([(TRUE, true)] if true else [])]
    shown = []
    for m, each in every:
        note = "" if each.runs == each.expected else f"{each.runs}/{each.expected} folds" if each.runs else each.reason
        shown.append((dots.Row(m.label, m.category, note), dots.Dot(*mean_interval(each.gains), each=each.gains)))
    shown.sort(key=lambda row: -np.nan_to_num(row[1].value, nan=-np.inf))
    title += "\nmeans over folds with 95 % confidence intervals; a grey mark per fold; 0: the model without edges"
    xlabel = "nats per record above the model without edges; further right is better"
    column = dots.Column(xlabel, [dot for _, dot in shown], marked=(0,))
    return dots.rows_of_dots([row for row, _ in shown], [column], title=title, scale=scale)
