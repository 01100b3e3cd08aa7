"""What is special in the study of edge confidences: counts of features over data sets.

The pairs of a data set depend on each other, and so do its sizes and resamples: what is left out, for intervals, is one
data set of a network at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from cutpoint.bench.studies.calibration.experiments import ALL_RECORDS, ITSELF, RESAMPLES

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine.inequalities import below, unknown
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.samples import cell, rows_of
from cutpoint.bench.engine.tables import Content, panels_of
from cutpoint.bench.plots.lines import Diagram, Line, diagrams
from cutpoint.bench.statistics.comparisons import Share
from cutpoint.bench.statistics.estimates import Statistic, combine, jackknife
from cutpoint.bench.statistics.verdicts import FEWEST, PValues, Statement, above
from cutpoint.plots.style import Figure

COLUMNS = ["network", "sample", "records", "method", "resample", "feature", "confidence", "pairs", "true"]
BINS = 10  # and one more for what no resample has
ROUNDING = 1e-6  # of confidences
ADJACENCY, DIRECTION = "adjacency", "direction"
LABELS = {
    "jackknife10": "jackknife, 10 % left out",
    "jackknife50": "jackknife, 50 % left out",
    "bootstrap": "bootstrap",
    ITSELF: "own votes or draws",
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


def bin_of(confidence: np.ndarray) -> np.ndarray:
    """Return the bin of each confidence: 0 for 0, k for what is above (k - 1) / 10 and at most k / 10."""
    return np.ceil(np.asarray(confidence) * BINS - ROUNDING).astype(int)


def calibration_error(sums: np.ndarray) -> np.ndarray:
    """Return the expected calibration error: the mean over features of the gap of their bin (Naeini et al. 2015).

    Args:
        sums: float64 [..., BINS + 1, 3]: features, their confidences and true ones by bin.

    Returns:
        float64 [...], NaN without features.
    """
    return ratio(np.abs(sums[..., 1] - sums[..., 2]).sum(-1), sums[..., 0].sum(-1))


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return part / whole, NaN where whole is 0."""
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) != 0)


@dataclass(frozen=True)
class Counted:
    """Features of one kind that some runs gave confidences to.

    Attributes:
        sums: [BINS + 1, 3], number of features, sum of their confidences and number of true ones by bin.
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
        more = combine(lambda stated, right: (stated - right)[:, HALF + 1 :].sum(1), confidence, true)
        return {
            "calibration": self.sums.map(calibration_error),
            "high": pairs[BINS],
            "trusted": true[BINS] / pairs[BINS],
            "recovered": true[BINS] / _total(true),
            "overstated": more / over,
            "density": _total(confidence) / _total(true),
        }


def _total(numbers: Statistic) -> Statistic:
    return numbers.map(lambda rows: rows.sum(1))


@once
def levels_of(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of the experiment, with their bin and the sum of their confidences (`total`)."""
    table = rows_of(inputs, "reliability").reindex(columns=COLUMNS)
    return table.assign(bin=bin_of(table["confidence"].astype(float)), total=table["pairs"] * table["confidence"])


def methods(inputs: Inputs, kind: str = "") -> dict[str, str]:
    """Return the label of each method that was run, or was with a kind of resample."""
    held = levels_of(inputs).groupby("method", sort=False)["resample"].agg(set)
    return {name: inputs.labels.get(name, name) for name, kinds in held.items() if not kind or kind in kinds}


def resamples(inputs: Inputs) -> list[str]:
    """Return the kinds of resample that were run, in the order of `RESAMPLES`, and last what methods say themselves."""
    return [kind for kind in (*RESAMPLES, ITSELF) if kind in set(levels_of(inputs)["resample"])]


@once
def counted(
    inputs: Inputs, feature: str, method: str, resample: str, records: int | None = None, network: str | None = None
) -> Counted | None:
    """Return the features of some runs, None where there are none.

    method: a name, or "all"; resample: of `LABELS`; records, network: all of them where none is given.
    """
    wanted = {"feature": feature, "resample": resample, "records": records, "network": network}
    wanted["method"] = None if method == EVERY else method
    table = kept = levels_of(inputs)
    for column, value in wanted.items():
        kept = kept if value is None else kept[kept[column] == value]
    if kept.empty:
        return None
    networks, samples = sorted(table["network"].unique()), sorted(table["sample"].unique())
    there = pd.MultiIndex.from_frame(table[["network", "sample"]].drop_duplicates())
    present = np.array([[(network, k) in there for k in samples] for network in networks])
    cells = pd.MultiIndex.from_product([networks, samples, range(BINS + 1)])
    numbers = kept.groupby(["network", "sample", "bin"])[["pairs", "total", "true"]].sum().reindex(cells, fill_value=0)
    sums = numbers.to_numpy(float).reshape(*present.shape, BINS + 1, 3)
    sums[~present] = np.nan
    totals = _totals(np.moveaxis(sums.reshape(*present.shape, -1), -1, 0), networks)
    of_bins = totals.map(lambda rows: rows.reshape(len(rows), BINS + 1, 3))
    return Counted(of_bins, int(present.sum(1).min()), int((sums[..., BINS, 0] > 0).sum()))


def _totals(values: np.ndarray, networks: Sequence[str]) -> Statistic:
    """Return the sums of values [numbers, networks, samples] over data sets, NaN for none.

    Without a data set the others of its network stand for it; what is 0 then is so exactly.
    """
    counts = np.isfinite(values).sum(2)
    means = jackknife(values, blocks=networks)
    return means.map(lambda rows: np.where(counts, rows * counts, 0.0).sum(2).round(DECIMALS))


# Tables


def calibration_table(inputs: Inputs) -> Content:
    """Return what the confidences of each method and kind of resample are worth."""
    bodies = {"Adjacencies": ADJACENCY, "Directions of true adjacencies that half of the resamples have": DIRECTION}
    features = [(title, feature, name) for title, feature in bodies.items() for name in NUMBERS]
    features = [each for each in features if each[1:] != (DIRECTION, "density")]
    rows = []
    for method, label in {EVERY: "All methods", **methods(inputs)}.items() if methods(inputs) else ():
        held = [kind for kind in (*resamples(inputs), ALL_RECORDS) if method in {EVERY, *methods(inputs, kind)}]
        for kind in held:
            cells = [_cell(counted(inputs, feature, method, kind), name) for _, feature, name in features]
            rows.append(Row(f"{method}.{kind}", f"{label}, {LABELS[kind]}", label, tuple(cells)))
    columns = [f"{NUMBERS[name][0]} ({title.partition(' of ')[0].lower()})" for title, _, name in features]
    return Content("method and resamples", columns, rows, panels_of(Counter(title for title, *_ in features)))


def _cell(features: Counted | None, name: str) -> Cell:
    _, digits, within = NUMBERS[name]
    if features is None:
        return Cell(reason=NO_PAIRS)
    return cell(features.numbers[name], reason=NO_PAIRS, digits=digits, within=within)


def networks_table(inputs: Inputs) -> Content:
    """Return how many pairs have a high confidence by the bootstrap, and how many are true, by network and size."""
    named = {EVERY: "All methods", **methods(inputs)} if methods(inputs) else {}
    rows = []
    for network, n in levels_of(inputs).groupby(["network", "records"]).groups:
        kinds = {method: TRUSTED if method in {EVERY, *methods(inputs, TRUSTED)} else ITSELF for method in named}
        each = [counted(inputs, ADJACENCY, method, kinds[method], n, network) for method in named]
        cells = [_cell(features, name) for name in HIGHEST for features in each]
        rows.append(Row(f"{network}.{n}", f"{network}, N = {n}", network, tuple(cells)))
    columns = [f"{label}, {NUMBERS[name][0]}" for name in HIGHEST for label in named.values()]
    return Content(
        "network and size", columns, rows, panels_of(Counter(NUMBERS[name][0] for name in HIGHEST for _ in named))
    )


# Figures


def reliability_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the reliability diagram of adjacencies, a panel for every kind of resample."""
    panels = [_diagram(inputs, kind) for kind in resamples(inputs)]
    title += "\nAbove the grey line confidences are too low, below it too high."
    title += f"\nAll sample sizes; 95 % intervals; bins with fewer than {FEW} are left out"
    return diagrams(panels, ylabel="share that is true", counted="pairs", title=title, scale=scale)


def _diagram(inputs: Inputs, kind: str) -> Diagram:
    categories = {method.name: method.category for method in inputs.methods}
    drawn = [
        _line(label, counted(inputs, ADJACENCY, name, kind), categories.get(name, ""))
        for name, label in methods(inputs, kind).items()
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
    n, parts = levels_of(inputs)["records"].min() if smallest and methods(inputs) else None, []
    for kind, (method, label) in product(RESAMPLES, _of_each(inputs, TRUSTED)):
        counts = counted(inputs, feature, method, kind, n)
        text = f"{label}, {LABELS[kind]}: at least {100 * HIGH:g} % of those above 0.9 are true"
        if counts is None or not counts.trusting:
            parts.append(unknown(text))
            continue
        share = counts.numbers["trusted"]
        numbers = {"share": float(share.rows[0]), "data sets": float(counts.trusting)}
        parts.append(Statement(text, _trusted(counts), numbers, counts.units, intervals={"share": _ends(share, SHARE)}))
    return parts


def _trusted(counts: Counted) -> PValues:
    """Return the test that more than a share of the features above 0.9 are true.

    Where that of no data set differs from that of another, such as where all are true, it is that of single features.
    """
    share, (pairs, _, true) = counts.numbers["trusted"].estimate(), counts.sums.rows[0, BINS]
    if counts.trusting < FEWEST:
        return NOTHING_TOLD
    return above(share if share.error > 0 else Share(true, int(pairs)), HIGH)


def lower(inputs: Inputs, *, number: str, left: str, right: Sequence[str], text: str) -> list[Statement]:
    """Say that a number is lower with one kind of resample than with others, for every method."""
    parts = []
    for kind, (method, label) in product(right, _of_each(inputs, TRUSTED)):
        low, high = (counted(inputs, ADJACENCY, method, each) for each in (left, kind))
        sentence = f"{label}: {text.format(LABELS[kind])}"
        if low is None or high is None:
            parts.append(unknown(sentence))
            continue
        one, other = low.numbers[number], high.numbers[number]
        numbers = {LABELS[left]: float(one.rows[0]), LABELS[kind]: float(other.rows[0])}
        ends = {LABELS[left]: _ends(one), LABELS[kind]: _ends(other)}
        parts.append(Statement(sentence, below(one, other), numbers, min(low.units, high.units), intervals=ends))
    return parts


def _ends(number: Statistic, within: tuple[float, float] = (-np.inf, np.inf)) -> tuple[float, float]:
    low, high = np.clip(number.estimate().interval(), *within)
    return float(low), float(high)


def _of_each(inputs: Inputs, kind: str) -> Iterable[tuple[str, str]]:
    """Return methods that were run with a kind of resample and their labels; all of them together where none was."""
    return (methods(inputs, kind) or {EVERY: "all methods"}).items()
