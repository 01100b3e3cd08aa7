"""Which method to take for these data: the best of the held-out likelihood, and among equals one by a stated rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.advice import advice_on, read_advice
from cutpoint.base.text import listed
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, Method, once
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import recommended
from cutpoint.bench.plots.circles import Panel
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.winners import winners
from cutpoint.bench.studies.own import confidence, held_out
from cutpoint.bench.studies.own.columns import present, texts
from cutpoint.bench.studies.own.grids import grid
from cutpoint.bench.studies.own.outcomes import WHOLE, Outcome, continuous, data, lost, outcomes
from cutpoint.bench.studies.own.study import panel
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import jackknife

YES, NO = "yes", "no"
APART = 1.96  # standard errors of a difference of stabilities that the resamples tell from 0
ROUNDING = 9  # digits: sums in another order of columns are the same number


@dataclass(frozen=True, eq=False)
class Candidate:
    """A method that has a graph of all records and was judged on every fold.

    Attributes:
        place: of the method.
        found: what it learned from all records.
        gains: nats per record above the model without edges, float64 [F].
        equal: whether no other graph is surely more likely.
        stability: share of edges that two resamples have in common, NaN where that is unknown.
        error: of the stability, its standard error.
        seconds: of CPU time that it took for all records.
    """

    place: int
    found: Outcome
    gains: np.ndarray
    equal: bool
    stability: float
    error: float
    seconds: float

    @property
    def method(self) -> Method:
        """The method."""
        return self.found.method

    @property
    def cuts(self) -> bool:
        """Whether it has thresholds, without which there are no levels."""
        return self.found.thresholds is not None

    @property
    def gain(self) -> tuple[float, float, float]:
        """Return the mean gain and its interval."""
        return held_out.mean_interval(self.gains)

    @property
    def sure(self) -> bool:
        """Whether the gain is surely above 0."""
        return self.gain[1] > 0


def stability(shares: EdgeFrequencies | None) -> float:
    """Return the share of edges that two resamples have in common, whatever their direction.

    The edges in both of two graphs and those in either are summed over all pairs of resamples; NaN with fewer than two
    resamples, or without edges.
    """
    if shares is None:
        return np.nan
    total = shares.resamples
    count = shares.adjacent[np.triu_indices(len(shares.adjacent), 1)] * total
    both, neither = count * (count - 1), (total - count) * (total - count - 1)
    either = (total * (total - 1) - neither).sum()
    return float(both.sum() / either) if either > 0 else np.nan


def stability_error(shares: EdgeFrequencies | None) -> float:
    """Return the standard error of `stability`, from so many resamples; NaN where that is unknown.

    By the delta method: the share of each edge is that of so many independent resamples, edges taken as independent.
    """
    if not np.isfinite(value := stability(shares)) or shares is None:
        return np.nan
    total = shares.resamples
    share = shares.adjacent[np.triu_indices(len(shares.adjacent), 1)]
    count = share * total
    either = (total * (total - 1) - (total - count) * (total - count - 1)).sum()
    slopes = total * (2 * count - 1 - value * (2 * (total - count) - 1)) / either
    return float(np.sqrt((slopes**2 * share * (1 - share) / total).sum()))


@once
def candidates(inputs: Inputs) -> list[Candidate]:
    """Return the methods in the order of the rule of choice, the recommended one first."""
    folds, every, known = held_out.folds(inputs), outcomes(inputs), confidence.frequencies(inputs)
    most = max((each.runs for each in folds), default=0)
    places = [i for i, each in enumerate(folds) if most and each.runs == most and every[i].graph is not None]
    if not places:
        return []
    seconds = grid(inputs, WHOLE, "dataset").cube("seconds")
    won = winners(jackknife(np.array([folds[i].gains for i in places])), lower_is_better=False)
    times = np.nan_to_num(seconds).sum((1, 2)).tolist()
    return ordered(
        [
            Candidate(
                i, every[i], folds[i].gains, bool(equal), stability(known[i]), stability_error(known[i]), times[i]
            )
            for i, equal in zip(places, won, strict=True)
        ]
    )


def ordered(shown: Sequence[Candidate]) -> list[Candidate]:
    """Return methods by the rule of choice, the one to take first, whatever order they came in."""
    first = [one for one in shown if one.equal and one.sure]
    rest = sorted((one for one in shown if one not in first), key=lambda one: (not one.equal, *_by_mean(one)))
    return [*_by_stability([one for one in first if one.cuts]), *_by_stability([o for o in first if not o.cuts]), *rest]


def _by_stability(left: Sequence[Candidate]) -> list[Candidate]:
    """Return methods, the most stable first; those that are not told apart from it in the order of their means."""
    found = list[Candidate]()
    while left:
        most = max(left, key=_stable)
        alike = [one for one in left if not _told_apart(one, most)]
        found += sorted(alike, key=_by_mean)
        left = [one for one in left if one not in alike]
    return found


def _stable(one: Candidate) -> tuple[float, float]:
    """Return stability, below all others where it is unknown, and error, rounded as what is summed in any order."""
    known = np.isfinite(one.stability)
    return (round(one.stability, ROUNDING), round(one.error, ROUNDING)) if known else (-1.0, 0.0)


def _told_apart(one: Candidate, most: Candidate) -> bool:
    (low, below), (high, above) = _stable(one), _stable(most)
    return high - low > APART * float(np.hypot(below, above))


def _by_mean(one: Candidate) -> tuple[float, float]:
    """Return mean and CPU time to a tenth of a second: less than that differs from run to run."""
    return -round(one.gain[0], ROUNDING), round(one.seconds, 1)


def taken(inputs: Inputs) -> Candidate | None:
    """Return the recommended method, None where the data do not tell that any graph is better than none."""
    shown = candidates(inputs)
    return shown[0] if shown and shown[0].equal and shown[0].sure else None


def model(inputs: Inputs) -> Candidate | None:
    """Return the method whose network of levels to take: the recommended one, or the best that has thresholds."""
    one = taken(inputs)
    return one if one is None or one.cuts else next((each for each in candidates(inputs) if each.cuts), None)


def advice_table(inputs: Inputs) -> Content:
    """Return what `cutpoint.advise` says of the data: expected, not measured on them."""
    about = data(inputs)
    columns = ("Answer", "Expected SHD / true edges")
    if why := lost(inputs, WHOLE):
        return Content("question", columns, (), missing=why)
    whole = about.values[np.isfinite(about.values).all(1)]
    answers = advice_on(whole, about.discrete, read_advice()).rows()
    rows = [
        Row(title, title, "", (Cell(answer), Cell(loss) if loss else Cell(reason="-")))
        for title, answer, loss in answers
    ]
    return Content("question", columns, rows)


def recommendation_table(inputs: Inputs) -> Content:
    """Return the methods in the order of the rule, the recommended one first."""
    shown = candidates(inputs)
    lead = max(shown, key=lambda one: one.gain[0], default=None)
    rows = [_row(one, lead) for one in shown if lead is not None]
    left = [m.label for i, m in enumerate(inputs.methods) if i not in {one.place for one in shown}]
    notes = [f"Left out, without a graph or with folds that failed: {listed(left)}."] if left and rows else []
    if rows and taken(inputs) is None:
        notes.insert(0, "No graph that may be the best one is surely better than none: none of them is recommended.")
    columns = ("No worse for sure", "Thresholds", "Stability", "CPU seconds", "Held-out gain", "Behind the highest")
    why = lost(inputs, WHOLE) or held_out.missing(inputs) or ("" if rows else "no method succeeded on every fold")
    return Content("method", columns, rows, notes=notes, missing=why)


def _row(one: Candidate, lead: Candidate) -> Row:
    count = len(one.gains)
    gain, behind = ([*held_out.mean_interval(values)] for values in (one.gains, lead.gains - one.gains))
    cells = [Cell(mean, low=low, high=high, runs=count, expected=count, digits=3) for mean, low, high in (gain, behind)]
    stable = one.stability if np.isfinite(one.stability) else None
    why = "no edges in the resamples, or fewer than two of them"
    return one.method.row(
        Cell(YES if one.equal else NO),
        Cell(YES if one.cuts else NO),
        Cell(stable, reason=why),
        Cell(one.seconds, digits=3),
        cells[0],
        Cell("highest") if one is lead else cells[1],
    )


def recommendation_figure(inputs: Inputs, *, title: str, scale: str, most: int) -> Figure:
    """Draw the recommended graph with the confidence of its edges, and its thresholds, in units of the data."""
    if why := lost(inputs, WHOLE) or held_out.missing(inputs):
        raise Absent(why)
    one = taken(inputs)
    if one is None:
        raise Absent("the data do not tell that any graph is better than none")
    known, about = confidence.frequencies(inputs)[one.place], data(inputs)
    graph, cuts = panel(one.found, None if known is None else known.adjacent, None), one.found.thresholds
    columns = continuous(about) if cuts is not None else []
    shown = [
        recommended.Cut(about.variables[i], present(about, i), cuts[i], texts(present(about, i), cuts[i]))
        for i in columns[:most]
        if cuts is not None
    ]
    title += f": {graph.title}"
    title += f"\n{len(columns) - most} more columns are in the table of thresholds" * (len(columns) > most)
    return recommended.graph_with_thresholds(about.variables, Panel("", graph.edges), shown, title=title, scale=scale)
