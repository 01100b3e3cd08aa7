"""What is special in the study of edge confidences: counts of features in all bootstrap draws over data sets.

The pairs of a data set depend on each other, and so do its sizes and resamples: what is drawn anew are the data sets
of each network. Draw 0 is the data sets themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cutpoint.plots import reliability
from cutpoint.plots.lines import Line
from cutpoint.plots.reliability import Diagram
from cutpoint.plots.style import Figure
from cutpoint.report.artefacts import Cell, Row
from cutpoint.report.claims import Inequality
from cutpoint.statistics.draws import draw_weights, generator, interval
from cutpoint.studies.calibration import measures
from cutpoint.studies.calibration.experiments import ALL_RECORDS, RESAMPLES
from cutpoint.studies.calibration.measures import BINS, ratio
from cutpoint.studies.claims import TIE, truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import SAMPLE, rows_of
from cutpoint.studies.tables import Content

EXPERIMENT = "reliability"
ADJACENCY, DIRECTION = "adjacency", "direction"
LABELS = {
    "jackknife10": "jackknife, 10 % left out",
    "jackknife50": "jackknife, 50 % left out",
    "bootstrap": "bootstrap",
    ALL_RECORDS: "graph of all records",
}
EVERY = "all"  # in place of a method: all of them
HALF = BINS // 2
HIGH = 0.9  # share of true features among those with a confidence above 0.9, in claims
FEW = 20  # features of a bin below which its share is left out of figures
EDGES = np.array([-0.05, 0.0, *np.arange(1, BINS + 1) / BINS])  # the bin of the confidence 0 stands before the others
NO_PAIRS = "no such pairs"


@dataclass(frozen=True)
class Counted:
    """Features of one kind that some runs gave confidences to, in all draws.

    Attributes:
        sums: float64 [D, BINS + 1, 3], see `measures.bin_sums`.
        errors: float64 [D], sum of squared errors.
        area: float64 [D], mean area under the ROC curve of the data sets.
        units: the smallest number of data sets of a network.
    """

    sums: np.ndarray
    errors: np.ndarray
    area: np.ndarray
    units: int

    @property
    def trusted(self) -> np.ndarray:
        """The share of true features among those with a confidence above 0.9."""
        return ratio(self.sums[:, BINS, 2], self.sums[:, BINS, 0])

    @property
    def overstated(self) -> np.ndarray:
        """Mean confidence minus share of true features, of those with a confidence above 0.5."""
        pairs, confidence, true = self.sums[:, HALF + 1 :].sum(1).T
        return ratio(confidence - true, pairs)

    @property
    def shares(self) -> np.ndarray:
        """The share of true features by bin, float64 [D, BINS + 1]."""
        return ratio(self.sums[..., 2], self.sums[..., 0])


# What is said of features, float64 [D]: heading, decimals, and how it is computed.
NUMBERS: dict[str, tuple[str, int, Callable[[Counted], np.ndarray]]] = {
    "brier": ("Brier score", 4, lambda c: ratio(c.errors, c.sums[..., 0].sum(-1))),
    "calibration": ("calibration error", 4, lambda c: measures.calibration_error(c.sums)),
    "area": ("AUC", 3, lambda c: c.area),
    "high": ("number above 0.9", 0, lambda c: c.sums[:, BINS, 0]),
    "trusted": ("true above 0.9", 3, lambda c: c.trusted),
    "recovered": ("found above 0.9", 3, lambda c: ratio(c.sums[:, BINS, 2], c.sums[..., 2].sum(-1))),
    "overstated": ("overstated by", 3, lambda c: c.overstated),
    "density": ("edges per true one", 2, lambda c: ratio(c.sums[..., 1].sum(-1), c.sums[..., 2].sum(-1))),
}


class Run(NamedTuple):
    """What is counted together: features of one kind, by a method, in the resamples of one kind of a data set."""

    records: int
    method: str
    feature: str
    resample: str
    unit: int


@dataclass(frozen=True)
class Runs:
    """What the experiment counted.

    Attributes:
        levels: float64 [3, K] of each run, confidences with their numbers of features and of true ones.
        weights: float64 [D, units], bootstrap weights of the data sets.
        least: the smallest number of data sets of a network.
    """

    levels: dict[Run, np.ndarray]
    weights: np.ndarray
    least: int


def runs(inputs: Inputs) -> Runs:
    """Return the runs of the experiment."""
    return inputs.once("runs", lambda: _runs(inputs))


def _runs(inputs: Inputs) -> Runs:
    rows = rows_of(inputs, EXPERIMENT)
    if not rows:
        return Runs({}, np.ones((1, 0)), 0)
    networks, samples = (sorted({row[key] for row in rows}) for key in ("network", SAMPLE))
    present = np.zeros((len(networks), len(samples)), bool)
    levels: dict[Run, list[tuple[float, ...]]] = {}
    for row in rows:
        at = networks.index(row["network"]), samples.index(row[SAMPLE])
        present[at] = True
        unit = at[0] * len(samples) + at[1]
        run = Run(row["records"], row["method"], row["feature"], row["resample"], unit)
        levels.setdefault(run, []).append((row["confidence"], row["pairs"], row["true"]))
    weights = draw_weights(present, generator(inputs.scale.seed, inputs.study, "bootstrap"))
    found = {run: np.array(each, float).T for run, each in levels.items()}
    return Runs(found, weights.reshape(len(weights), -1), int(present.sum(1).min()))


def methods(inputs: Inputs) -> dict[str, str]:
    """Return the label of each method that was run."""
    known = {method.name: method.label for method in inputs.methods}
    return {run.method: known.get(run.method, run.method) for run in runs(inputs).levels}


def resamples(inputs: Inputs) -> list[str]:
    """Return the kinds of resample that were run, in the order of `RESAMPLES`."""
    there = {run.resample for run in runs(inputs).levels}
    return [kind for kind in RESAMPLES if kind in there]


def sizes(inputs: Inputs) -> list[int]:
    """Return the sample sizes that were run, sorted."""
    return sorted({run.records for run in runs(inputs).levels})


def counted(inputs: Inputs, feature: str, method: str, resample: str, records: int | None = None) -> Counted | None:
    """Return the features of some runs, None where there are none.

    Args:
        inputs: of the study.
        feature: "adjacency" or "direction".
        method: a name, or "all".
        resample: of `LABELS`.
        records: the sample size, all of them where none is given.
    """

    def chosen(run: Run) -> bool:
        asked = (run.feature, run.resample) == (feature, resample) and records in (None, run.records)
        return asked and method in (EVERY, run.method)

    key = ("counted", feature, method, resample, records)
    return inputs.once(key, lambda: _counted(runs(inputs), sorted(filter(chosen, runs(inputs).levels))))


def _counted(there: Runs, chosen: Sequence[Run]) -> Counted | None:
    if not chosen:
        return None
    units = there.weights.shape[1]
    sums, errors = np.zeros((units, BINS + 1, 3)), np.zeros(units)
    areas: list[list[float]] = [[] for _ in range(units)]
    for run in chosen:
        sums[run.unit] += measures.bin_sums(*there.levels[run])
        errors[run.unit] += measures.squared_errors(*there.levels[run])
        areas[run.unit].append(measures.area(*there.levels[run]))
    mean = np.array([np.nan if np.isnan(each).all() else np.nanmean(each) for each in map(np.array, areas)])
    known = np.isfinite(mean)
    return Counted(
        sums=np.tensordot(there.weights, sums, 1),
        errors=there.weights @ errors,
        area=ratio(there.weights[:, known] @ mean[known], there.weights[:, known].sum(1)),
        units=there.least,
    )


# Tables


def calibration_table(inputs: Inputs) -> Content:
    """Return what the confidences of each method and kind of resample are worth."""
    bodies: list[tuple[str, str, int | None]] = [("Adjacencies", ADJACENCY, None)]
    bodies += [(f"Adjacencies, N = {n}", ADJACENCY, n) for n in sizes(inputs)]
    bodies += [("Directions of true adjacencies that half of the resamples have", DIRECTION, None)]
    shown = [(*body, name) for body in bodies for name in NUMBERS if (body[1], name) != (DIRECTION, "density")]
    rows = []
    for method, label in {EVERY: "All methods", **methods(inputs)}.items() if runs(inputs).levels else ():
        for kind in (*resamples(inputs), ALL_RECORDS):
            cells = [_cell(counted(inputs, feature, method, kind, n), name) for _, feature, n, name in shown]
            rows.append(Row(f"{method}.{kind}", f"{label}, {LABELS[kind]}", label, tuple(cells)))
    parts = [f"N = {n}" if n else title.partition(" of ")[0].lower() for title, _, n, _ in shown]
    columns = [f"{NUMBERS[name][0]} ({part})" for part, (*_, name) in zip(parts, shown, strict=True)]
    return Content("method and resamples", columns, rows, _panels([title for title, *_ in shown]))


def _panels(titles: Sequence[str]) -> list[tuple[str, range]]:
    """Return the columns of each panel from the title of each column."""
    return [(t, range(titles.index(t), titles.index(t) + titles.count(t))) for t in dict.fromkeys(titles)]


def _cell(found: Counted | None, name: str) -> Cell:
    _, digits, number = NUMBERS[name]
    return _number(number(found), found.units, digits) if found else Cell(reason=NO_PAIRS)


def _number(draws: np.ndarray, units: int, digits: int) -> Cell:
    if np.isnan(draws[0]):
        return Cell(reason=NO_PAIRS)
    low, high = interval(draws[1:]) if units > 1 else (np.nan, np.nan)
    return Cell(float(draws[0]), None, float(low), float(high), digits=digits)


def reliability_table(inputs: Inputs) -> Content:
    """Return numbers of pairs, mean confidence and share of true adjacencies by bin of confidence."""
    quantities = ("pairs", "mean confidence", "share true")
    named = methods(inputs)
    shown = [(n, place, method) for n in sizes(inputs) for place in range(len(quantities)) for method in named]
    rows = []
    for kind in resamples(inputs):
        bins = {(n, method): _bins(counted(inputs, ADJACENCY, method, kind, n)) for n, _, method in shown}
        rows += [
            Row(
                f"{kind}.{b}",
                f"{LABELS[kind]}, {bin_label(b)}",
                LABELS[kind],
                tuple(bins[n, method][b][place] for n, place, method in shown),
            )
            for b in range(BINS + 1)
        ]
    columns = [f"{named[method]}, {quantities[place]}, N = {n}" for n, place, method in shown]
    titles = [f"{quantities[place].capitalize()}, N = {n}" for n, place, _ in shown]
    return Content("resamples and confidence", columns, rows, _panels(titles))


def _bins(found: Counted | None) -> list[tuple[Cell, Cell, Cell]]:
    """Return number of pairs, mean confidence and share of true ones by bin."""
    lost = Cell(reason=NO_PAIRS)
    if found is None:
        return [(lost, lost, lost)] * (BINS + 1)
    return [
        (
            Cell(int(pairs)),
            Cell(float(confidence / pairs), digits=3) if pairs else lost,
            _number(found.shares[:, b], found.units, 3),
        )
        for b, (pairs, confidence, _) in enumerate(found.sums[0])
    ]


def bin_label(b: int) -> str:
    """Return what the confidences of a bin are."""
    return "0" if b == 0 else f"above {(b - 1) / BINS:g} to {b / BINS:g}"


# Figures


def reliability_figure(inputs: Inputs, *, title: str, scale: str, feature: str, bars: str) -> Figure:
    """Draw the reliability diagram of a feature, a panel for every kind of resample."""
    shown = [_diagram(inputs, feature, kind) for kind in resamples(inputs)]
    title += "\nAbove the grey line confidences are too low, below it too high."
    title += f"\nAll sample sizes; 95 % intervals; bins with fewer than {FEW} are left out"
    return reliability.diagrams(shown, ylabel="share that is true", counted=bars, title=title, scale=scale)


def _diagram(inputs: Inputs, feature: str, kind: str) -> Diagram:
    drawn = [_line(label, counted(inputs, feature, name, kind)) for name, label in methods(inputs).items()]
    every = counted(inputs, feature, EVERY, kind)
    return Diagram(LABELS[kind], drawn, every.sums[0, :, 0] if every else np.zeros(BINS + 1), EDGES)


def _line(label: str, found: Counted | None) -> Line:
    if found is None:
        return Line(label, np.empty(0), np.empty(0))
    pairs, confidence, _ = found.sums[0].T
    shares = np.where(pairs >= FEW, found.shares, np.nan)  # where a bin is left out the line has a gap
    spread = interval(shares[1:]) if found.units > 1 else ()
    return Line(label, ratio(confidence, pairs), shares[0], *spread)


# Claims and answer


def trusted(inputs: Inputs, *, feature: str, smallest: bool = False) -> list[Inequality]:
    """Say that features with a high confidence can be trusted, for every method and kind of resample."""
    n, parts = min(sizes(inputs), default=None) if smallest else None, []
    for kind in RESAMPLES:
        for method, label in _of_each(inputs):
            share, units = _draws(counted(inputs, feature, method, kind, n), "trusted")
            text = f"{label}, {LABELS[kind]}: of those above 0.9 at least {100 * HIGH:g} % are true"
            parts.append(Inequality(text, truth(share >= HIGH - TIE, share), {"share": float(share[0])}, units))
    return parts


def lower(inputs: Inputs, *, number: str, left: str, right: Sequence[str], text: str) -> list[Inequality]:
    """Say that a number is lower with one kind of resample than with others, for every method."""
    parts = []
    for kind in right:
        for method, label in _of_each(inputs):
            (low, units), (high, _) = (_draws(counted(inputs, ADJACENCY, method, k), number) for k in (left, kind))
            numbers = {LABELS[left]: float(low[0]), LABELS[kind]: float(high[0])}
            said = f"{label}: {text.format(LABELS[kind])}"
            parts.append(Inequality(said, truth(low < high - TIE, low, high), numbers, units))
    return parts


def _of_each(inputs: Inputs) -> Iterable[tuple[str, str]]:
    """Return methods and their labels; all of them together where nothing was run."""
    return (methods(inputs) or {EVERY: "all methods"}).items()


def _draws(found: Counted | None, number: str) -> tuple[np.ndarray, int]:
    return (NUMBERS[number][2](found), found.units) if found else (np.full(1, np.nan), 0)


def confidence_answer(inputs: Inputs) -> str | None:
    """Say which resamples give the best calibrated confidences, and what a high one is worth."""
    found = {kind: counted(inputs, ADJACENCY, EVERY, kind) for kind in resamples(inputs)}
    errors, shares = (
        {kind: NUMBERS[name][2](each)[0] for kind, each in found.items() if each} for name in ("calibration", "trusted")
    )
    if not errors:
        return None
    best = min(errors, key=lambda kind: errors[kind])
    said = ", ".join(f"{LABELS[kind]} {error:.3f}" for kind, error in errors.items())
    high = ", ".join(f"{LABELS[kind]} {share:.0%}" for kind, share in shares.items())
    return (
        f"Edge confidence: best calibrated over all methods is {LABELS[best]} (calibration error: {said}); of the "
        f"pairs above 0.9 these are true: {high}."
    )
