"""What is special in the study of edge confidences: counts of features over data sets.

The pairs of a data set depend on each other, and so do its sizes and resamples: what is left out, for intervals, is one
data set of a network at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from cutpoint.bench.studies.calibration import measures
from cutpoint.bench.studies.calibration.experiments import ALL_RECORDS, RESAMPLES
from cutpoint.bench.studies.calibration.measures import BINS, ratio

from cutpoint.bench.engine.claims import below, unknown
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.samples import cell, rows_of
from cutpoint.bench.engine.tables import Content, panels
from cutpoint.bench.plots import reliability
from cutpoint.bench.plots.lines import Line
from cutpoint.bench.plots.reliability import Diagram
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.shares import Share
from cutpoint.bench.statistics.verdicts import FEWEST, PValues, Statement, above
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic, combine, jackknife

EXPERIMENT = "reliability"
ADJACENCY, DIRECTION = "adjacency", "direction"
LABELS = {
    "jackknife10": "jackknife, 10 % left out",
    "jackknife50": "jackknife, 50 % left out",
    "bootstrap": "bootstrap",
    ALL_RECORDS: "graph of all records",
}
NOTHING_TOLD = PValues(np.array(1.0), np.array(1.0))
EVERY = "all"  # in place of a method: all of them
HALF = BINS // 2
HIGH = 0.9  # share of true features among those with a confidence above 0.9, in claims
DECIMALS = 10  # to which sums over data sets are exact
FEW = 20  # features of a bin below which its share is left out of figures
EDGES = np.array([-0.05, 0.0, *np.arange(1, BINS + 1) / BINS])  # the bin of the confidence 0 stands before the others
NO_PAIRS = "no such pairs"
TRUSTED = "bootstrap"  # the resamples whose confidences are looked at by network
HIGHEST = ("high", "trusted")  # of `NUMBERS`, what is said by network
SHARE, POSITIVE, ANY = (0.0, 1.0), (0.0, np.inf), (-1.0, 1.0)
NUMBERS = {  # what is said of features: heading, decimals and what it can be
    "calibration": ("calibration error", 4, SHARE),
    "high": ("number above 0.9", 0, POSITIVE),
    "trusted": ("true above 0.9", 3, SHARE),
    "recovered": ("found above 0.9", 3, SHARE),
    "overstated": ("overstated by", 3, ANY),
    "density": ("edges per true one", 2, POSITIVE),
}


class Run(NamedTuple):
    """What is counted together: features of one kind, by a method, in the resamples of one kind of a data set."""

    records: int
    method: str
    feature: str
    resample: str
    network: str
    sample: int


@dataclass(frozen=True)
class Counted:
    """Features of one kind that some runs gave confidences to.

    Attributes:
        sums: [BINS + 1, 3], see `measures.bin_sums`.
        units: the smallest number of data sets of a network.
        trusting: the number of data sets with features whose confidence is above 0.9.
    """

    sums: Statistic
    units: int
    trusting: int

    @property
    def shares(self) -> Statistic:
        """True features among those of a bin, [BINS + 1]."""
        return self.sums[:, 2] / self.sums[:, 0]

    @property
    def numbers(self) -> dict[str, Statistic]:
        """What is said of the features, by name in `NUMBERS`."""
        pairs, confidence, true = (self.sums[:, k] for k in range(3))
        over = pairs.map(lambda rows: rows[:, HALF + 1 :].sum(1))
        more = combine(lambda said, right: (said - right)[:, HALF + 1 :].sum(1), confidence, true)
        return {
            "calibration": self.sums.map(measures.calibration_error),
            "high": pairs[BINS],
            "trusted": true[BINS] / pairs[BINS],
            "recovered": true[BINS] / _total(true),
            "overstated": more / over,
            "density": _total(confidence) / _total(true),
        }


def _total(numbers: Statistic) -> Statistic:
    return numbers.map(lambda rows: rows.sum(1))


def runs(inputs: Inputs) -> dict[Run, np.ndarray]:
    """Return of each run the confidences with their numbers of features and of true ones, float64 [3, K]."""
    return inputs.once("runs", lambda: _runs(inputs))


def _runs(inputs: Inputs) -> dict[Run, np.ndarray]:
    levels: dict[Run, list[tuple[float, ...]]] = {}
    for row in rows_of(inputs, EXPERIMENT):
        run = Run(*(row[field] for field in Run._fields))
        levels.setdefault(run, []).append((row["confidence"], row["pairs"], row["true"]))
    return {run: np.array(each, float).T for run, each in levels.items()}


def methods(inputs: Inputs) -> dict[str, str]:
    """Return the label of each method that was run."""
    known = inputs.labels
    return {run.method: known.get(run.method, run.method) for run in runs(inputs)}


def resamples(inputs: Inputs) -> list[str]:
    """Return the kinds of resample that were run, in the order of `RESAMPLES`."""
    there = {run.resample for run in runs(inputs)}
    return [kind for kind in RESAMPLES if kind in there]


def sizes(inputs: Inputs) -> list[int]:
    """Return the sample sizes that were run, sorted."""
    return sorted({run.records for run in runs(inputs)})


def counted(
    inputs: Inputs, feature: str, method: str, resample: str, records: int | None = None, network: str | None = None
) -> Counted | None:
    """Return the features of some runs, None where there are none.

    Args:
        inputs: of the study.
        feature: "adjacency" or "direction".
        method: a name, or "all".
        resample: of `LABELS`.
        records: the sample size, all of them where none is given.
        network: all of them where none is given.
    """

    def chosen(run: Run) -> bool:
        asked = (run.feature, run.resample) == (feature, resample) and records in (None, run.records)
        return asked and method in (EVERY, run.method) and network in (None, run.network)

    key = ("counted", feature, method, resample, records, network)
    return inputs.once(key, lambda: _counted(inputs, sorted(filter(chosen, runs(inputs)))))


def _counted(inputs: Inputs, chosen: Sequence[Run]) -> Counted | None:
    if not chosen:
        return None
    networks, samples, present = inputs.once("data sets", lambda: _data_sets(inputs))
    sums = np.where(present[..., None, None], np.zeros((BINS + 1, 3)), np.nan)
    for run in chosen:
        sums[networks[run.network], samples[run.sample]] += measures.bin_sums(*runs(inputs)[run])
    totals = _totals(np.moveaxis(sums.reshape(*present.shape, -1), -1, 0), list(networks))
    of_bins = totals.map(lambda rows: rows.reshape(len(rows), BINS + 1, 3))
    return Counted(of_bins, int(present.sum(1).min()), int((sums[..., BINS, 0] > 0).sum()))


def _totals(values: np.ndarray, networks: Sequence[str]) -> Statistic:
    """Return the sums of values [numbers, networks, samples] over data sets, NaN for none.

    Without a data set the others of its network stand for it; what is 0 then is so exactly.
    """
    counts = np.isfinite(values).sum(2)
    means = jackknife(values, blocks=networks)
    return means.map(lambda rows: np.where(counts, rows * counts, 0.0).sum(2).round(DECIMALS))


def _data_sets(inputs: Inputs) -> tuple[dict[str, int], dict[int, int], np.ndarray]:
    """Return the places of the networks and of their samples, and which of them there are, bool [networks, samples]."""
    there = {(run.network, run.sample) for run in runs(inputs)}
    networks, samples = (sorted(set(each)) for each in zip(*there, strict=True))
    present = np.array([[(network, k) in there for k in samples] for network in networks])
    return {name: i for i, name in enumerate(networks)}, {k: i for i, k in enumerate(samples)}, present


# Tables


def calibration_table(inputs: Inputs) -> Content:
    """Return what the confidences of each method and kind of resample are worth."""
    bodies = {"Adjacencies": ADJACENCY, "Directions of true adjacencies that half of the resamples have": DIRECTION}
    shown = [(title, feature, name) for title, feature in bodies.items() for name in NUMBERS]
    shown = [each for each in shown if each[1:] != (DIRECTION, "density")]
    rows = []
    for method, label in {EVERY: "All methods", **methods(inputs)}.items() if runs(inputs) else ():
        for kind in (*resamples(inputs), ALL_RECORDS):
            cells = [_cell(counted(inputs, feature, method, kind), name) for _, feature, name in shown]
            rows.append(Row(f"{method}.{kind}", f"{label}, {LABELS[kind]}", label, tuple(cells)))
    columns = [f"{NUMBERS[name][0]} ({title.partition(' of ')[0].lower()})" for title, _, name in shown]
    return Content("method and resamples", columns, rows, panels(Counter(title for title, *_ in shown)))


def _cell(features: Counted | None, name: str) -> Cell:
    _, digits, within = NUMBERS[name]
    if features is None:
        return Cell(reason=NO_PAIRS)
    return cell(features.numbers[name], reason=NO_PAIRS, digits=digits, within=within)


def networks_table(inputs: Inputs) -> Content:
    """Return how many pairs have a high confidence by the bootstrap, and how many are true, by network and size."""
    named = {EVERY: "All methods", **methods(inputs)} if runs(inputs) else {}
    rows = []
    for network, n in sorted({(run.network, run.records) for run in runs(inputs)}):
        each = [counted(inputs, ADJACENCY, method, TRUSTED, n, network) for method in named]
        cells = [_cell(features, name) for name in HIGHEST for features in each]
        rows.append(Row(f"{network}.{n}", f"{network}, N = {n}", network, tuple(cells)))
    columns = [f"{label}, {NUMBERS[name][0]}" for name in HIGHEST for label in named.values()]
    return Content(
        "network and size", columns, rows, panels(Counter(NUMBERS[name][0] for name in HIGHEST for _ in named))
    )


# Figures


def reliability_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the reliability diagram of adjacencies, a panel for every kind of resample."""
    shown = [_diagram(inputs, kind) for kind in resamples(inputs)]
    title += "\nAbove the grey line confidences are too low, below it too high."
    title += f"\nAll sample sizes; 95 % intervals; bins with fewer than {FEW} are left out"
    return reliability.diagrams(shown, ylabel="share that is true", counted="pairs", title=title, scale=scale)


def _diagram(inputs: Inputs, kind: str) -> Diagram:
    categories = {method.name: method.category for method in inputs.methods}
    drawn = [
        _line(label, counted(inputs, ADJACENCY, name, kind), categories.get(name, ""))
        for name, label in methods(inputs).items()
    ]
    every = counted(inputs, ADJACENCY, EVERY, kind)
    return Diagram(LABELS[kind], drawn, every.sums.rows[0, :, 0] if every else np.zeros(BINS + 1), EDGES)


def _line(label: str, features: Counted | None, category: str) -> Line:
    if features is None:
        return Line(label, np.empty(0), np.empty(0), category=category)
    pairs, confidence, _ = features.sums.rows[0].T
    shares = features.shares.map(lambda rows: np.where(pairs >= FEW, rows, np.nan))  # a bin left out is a gap
    spread = np.clip(shares.estimate().interval(), *SHARE) if features.units > 1 else (np.empty(0), np.empty(0))
    return Line(label, ratio(confidence, pairs), shares.rows[0], *spread, category=category)


# Claims


def trusted(inputs: Inputs, *, feature: str, smallest: bool = False) -> list[Statement]:
    """Say that features with a high confidence can be trusted, for every method and kind of resample."""
    n, parts = min(sizes(inputs), default=None) if smallest else None, []
    for kind, (method, label) in product(RESAMPLES, _of_each(inputs)):
        found = counted(inputs, feature, method, kind, n)
        text = f"{label}, {LABELS[kind]}: at least {100 * HIGH:g} % of those above 0.9 are true"
        if found is None or not found.trusting:
            parts.append(unknown(text))
            continue
        share = found.numbers["trusted"]
        numbers = {"share": float(share.rows[0]), "data sets": float(found.trusting)}
        parts.append(Statement(text, _trusted(found), numbers, found.units, intervals={"share": _ends(share, SHARE)}))
    return parts


def _trusted(found: Counted) -> PValues:
    """Return the test that more than a share of the features above 0.9 are true.

    Where that of no data set differs from that of another, such as where all are true, it is that of single features.
    """
    share, (pairs, _, true) = found.numbers["trusted"].estimate(), found.sums.rows[0, BINS]
    if found.trusting < FEWEST:
        return NOTHING_TOLD
    return above(share if share.error > 0 else Share(true, int(pairs)), HIGH)


def lower(inputs: Inputs, *, number: str, left: str, right: Sequence[str], text: str) -> list[Statement]:
    """Say that a number is lower with one kind of resample than with others, for every method."""
    parts = []
    for kind, (method, label) in product(right, _of_each(inputs)):
        low, high = (counted(inputs, ADJACENCY, method, each) for each in (left, kind))
        said = f"{label}: {text.format(LABELS[kind])}"
        if low is None or high is None:
            parts.append(unknown(said))
            continue
        one, other = low.numbers[number], high.numbers[number]
        numbers = {LABELS[left]: float(one.rows[0]), LABELS[kind]: float(other.rows[0])}
        ends = {LABELS[left]: _ends(one), LABELS[kind]: _ends(other)}
        parts.append(Statement(said, below(one, other), numbers, min(low.units, high.units), intervals=ends))
    return parts


def _ends(number: Statistic, within: tuple[float, float] = (-np.inf, np.inf)) -> tuple[float, float]:
    low, high = np.clip(number.estimate().interval(), *within)
    return float(low), float(high)


def _of_each(inputs: Inputs) -> Iterable[tuple[str, str]]:
    """Return methods and their labels; all of them together where nothing was run."""
    return (methods(inputs) or {EVERY: "all methods"}).items()
