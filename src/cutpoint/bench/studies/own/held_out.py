"""How well the graphs predict records that they were not learned from."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.schemas import NO_EDGES
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs, MethodLabel, once
from cutpoint.bench.engine.numbers import reasons
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.evaluation.held_out import FREQUENCY, GAUSSIAN, OWN, SPLINES, TRUTH
from cutpoint.bench.plots import dots
from cutpoint.bench.statistics.estimates import jackknife, winners
from cutpoint.bench.studies.own.outcomes import FOLDS, lost
from cutpoint.plots.style import Figure

ALONE = NO_EDGES  # the evaluator of the model without edges
EMPTY = ALONE, "No edges", ""  # its row
TRUE = MethodLabel("truth", "True graph", "")
BEST = "log_likelihood"  # under the evaluator that the training records chose
SHARED = {GAUSSIAN: "Gaussian copula", SPLINES: "splines", FREQUENCY: "equal frequency"}
EVALUATORS = {**SHARED, OWN: "its own levels"}
VALUES = (BEST, *EVALUATORS)
NO_MODEL = "no method learned it"


@dataclass(frozen=True, eq=False)
class FoldLikelihoods:
    """Log-likelihood of one graph on every fold.

    A row per fold has nats per record under the chosen evaluator ("log_likelihood"), each shared one and the method's
    own, NaN where the fold failed, and of the model without edges ("independence"); the evaluator and the levels of
    equal frequency that were chosen.
    """

    folds: pd.DataFrame
    expected: int  # the folds that were asked for
    reason: str  # why folds are missing

    @property
    def gains(self) -> np.ndarray:
        """What the edges add under the chosen evaluator, float64 [F]."""
        return self.gain(BEST)

    @property
    def good(self) -> pd.DataFrame:
        """The folds that succeeded."""
        return self.folds[self.folds[BEST].notna()]

    @property
    def complete(self) -> bool:
        """Whether every fold succeeded."""
        return 0 < len(self.folds) == len(self.good)

    def gain(self, evaluator: str) -> np.ndarray:
        """Return what the edges add, float64 [F]."""
        return (self.folds[evaluator] - self.folds[ALONE]).to_numpy(float)

    def cell(self, values: np.ndarray, reason: str = "") -> Cell:
        """Return the mean over the folds that succeeded, with its interval."""
        (mean, low, high), runs = mean_interval(values), int(np.isfinite(values).sum())
        why = reason or self.reason
        return Cell(mean, low=low, high=high, runs=runs, expected=self.expected, reason=why, digits=3)

    def chosen(self) -> str:
        """Return the chosen evaluators, with numbers of folds where they differ."""
        counts = Counter(EVALUATORS[name] for name in self.good["evaluator"]).most_common()
        return ", ".join(name if len(counts) == 1 else f"{name} ({count})" for name, count in counts)

    def status(self) -> str:
        """Return OK, or how many folds failed and why."""
        failed = self.expected - len(self.good)
        return OK if self.complete else f"{failed} of {self.expected} failed: {self.reason}" if failed else self.reason


def mean_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean over folds, float64 [F] with NaN for a failed one, and its interval."""
    mean = jackknife(values)
    estimate = mean.estimate()
    return float(mean.rows[0]), float(estimate.low), float(estimate.high)


def missing(inputs: Inputs) -> str:
    """Return why nothing is known of records held out, or ""."""
    return lost(inputs, FOLDS) or ("no records were held out" if inputs.held_out.empty else "")


@once
def folds(inputs: Inputs) -> list[FoldLikelihoods]:
    """Return the log-likelihoods of all methods, without folds where there are none."""
    return [judged(inputs, name) for name in inputs.labels]


def with_truth(inputs: Inputs) -> list[tuple[MethodLabel, FoldLikelihoods]]:
    """Return the methods with their log-likelihoods, then the true graph where there is one."""
    every = [*zip(inputs.methods, folds(inputs), strict=True)]
    there = not missing(inputs) and (inputs.held_out["method"] == TRUTH).any()
    return [*every, (TRUE, judged(inputs, TRUTH))] if there else every


def judged(inputs: Inputs, method: str) -> FoldLikelihoods:
    """Return the log-likelihoods of a method."""
    if why := missing(inputs):
        return FoldLikelihoods(pd.DataFrame(columns=[*VALUES, ALONE, "evaluator", "levels"], dtype=float), 0, why)
    table, values = inputs.held_out, [*VALUES, ALONE]
    table = table.assign(**table[values].div(table["records"], axis=0))
    # the model without edges is known also where a method failed
    alone = table.groupby("replicate")[ALONE].max()
    runs = table[table["method"] == method]
    by_fold = runs[runs["status"] == OK].set_index("replicate").reindex(alone.index)
    return FoldLikelihoods(by_fold.assign(**{ALONE: alone}), len(runs), reasons(inputs, table).get(method, ""))


@once
def best(inputs: Inputs) -> list[str]:
    """Return the methods that no other one is significantly better than, "independence" being that of no edges.

    Paired differences by fold, at 5 % for all comparisons of a method together; of methods with every fold.
    """
    gains = {name: each.gains for name, each in zip(inputs.labels, folds(inputs), strict=True) if each.complete}
    if not gains:
        return []
    values = np.array([*gains.values(), np.zeros_like(next(iter(gains.values())))])
    won = winners(jackknife(values), lower_is_better=False)
    return [name for name, each in zip((*gains, ALONE), won, strict=True) if each]


def held_out_table(inputs: Inputs) -> Content:
    """Return the log-likelihood per record held out by method, each graph under its best evaluator."""
    complete = (each for each in folds(inputs) if each.complete)
    lead = max(complete, key=lambda each: each.gains.mean(), default=None)
    rows = [m.row(*_cells(each, lead)) for m, each in with_truth(inputs)]
    if lead is not None:
        alone = lead.folds[ALONE].to_numpy(float)
        cells = lead.cell(alone), Cell(0.0, digits=3), lead.cell(-lead.gains), Cell(), Cell(OK)
        rows.append(Row(*EMPTY, cells))
    columns = ("Log-likelihood", "Gain over no edges", "Gain over the best graph", "Judged by", "Folds")
    return Content("method", columns, rows, missing=missing(inputs))


def _cells(each: FoldLikelihoods, lead: FoldLikelihoods | None) -> tuple[Cell, ...]:
    if lead is None:
        against = Cell(reason=each.reason)
    else:
        same = np.array_equal(each.gains, lead.gains, equal_nan=True)
        against = Cell("best") if same else each.cell(each.gains - lead.gains)
    chosen = Cell(each.chosen() or None, reason=each.reason)
    return each.cell(each.folds[BEST].to_numpy(float)), each.cell(each.gains), against, chosen, Cell(each.status())


def evaluators_table(inputs: Inputs) -> Content:
    """Return what the edges of every graph add under every evaluator."""
    rows = [m.row(*_crossed(each)) for m, each in with_truth(inputs)]
    columns = ("Best, chosen in training", *(name[0].upper() + name[1:] for name in SHARED.values()))
    return Content("method", (*columns, "Levels", "The method's own"), rows, missing=missing(inputs))


def _crossed(each: FoldLikelihoods) -> tuple[Cell, ...]:
    shared = [each.cell(each.gain(name)) for name in (BEST, *SHARED)]
    levels = ", ".join(str(int(k)) for k in sorted(set(each.good["levels"].dropna())))
    unknown = NO_MODEL if len(each.good) and each.folds[OWN].isna().all() else ""
    return *shared, Cell(levels or None, reason=each.reason), each.cell(each.gain(OWN), unknown)


def held_out_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw what the edges of every graph are worth on records held out."""
    if why := missing(inputs):
        raise Absent(why)
    ranked = []
    for m, each in with_truth(inputs):
        runs = len(each.good)
        note = "" if runs == each.expected else f"{runs}/{each.expected} folds" if runs else each.reason
        ranked.append((dots.DotRow(m.label, m.category, note), dots.Dot(*mean_interval(each.gains), each=each.gains)))
    ranked.sort(key=lambda row: -np.nan_to_num(row[1].value, nan=-np.inf))
    title += "\nmeans over folds with 95 % confidence intervals; a grey mark per fold; 0: the model without edges"
    xlabel = "nats per record above the model without edges; further right is better"
    column = dots.DotColumn(xlabel, [dot for _, dot in ranked], marked=(0,))
    return dots.rows_of_dots([row for row, _ in ranked], [column], title=title, scale=scale)
