"""The numbers of the study in all bootstrap draws over data sets; draw 0 is the data sets themselves.

The pairs of a data set depend on each other, and so do its sizes and resamples: what is drawn anew are the data sets
of each network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cutpoint.statistics.draws import draw_weights, generator
from cutpoint.studies.calibration import measures
from cutpoint.studies.calibration.experiments import ALL_RECORDS, RESAMPLES
from cutpoint.studies.calibration.measures import BINS, ratio
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import SAMPLE, rows_of

EXPERIMENT = "reliability"
ADJACENCY, DIRECTION = "adjacency", "direction"
LABELS = {
    "jackknife10": "jackknife, 10 % left out",
    "jackknife50": "jackknife, 50 % left out",
    "bootstrap": "bootstrap",
    ALL_RECORDS: "graph of all records",
}
EVERY = "all"  # in place of a method: all of them
TRUSTED = BINS  # the bin of the highest confidences, those above 0.9
HALF = BINS // 2


@dataclass(frozen=True)
class Counted:
    """Features of one kind that some runs gave confidences to, in all draws.

    Attributes:
        sums: float64 [D, BINS + 1, 3], see `measures.bin_sums`.
        errors: float64 [D], sum of squared errors.
        areas: float64 [D], mean area under the ROC curve of the data sets.
        units: the smallest number of data sets of a network.
    """

    sums: np.ndarray
    errors: np.ndarray
    areas: np.ndarray
    units: int

    @property
    def brier(self) -> np.ndarray:
        """The Brier score."""
        return ratio(self.errors, self.sums[..., 0].sum(-1))

    @property
    def calibration(self) -> np.ndarray:
        """The expected calibration error."""
        return measures.calibration_error(self.sums)

    @property
    def high(self) -> np.ndarray:
        """The number of features with a confidence above 0.9."""
        return self.sums[:, TRUSTED, 0]

    @property
    def trusted(self) -> np.ndarray:
        """The share of true features among those with a confidence above 0.9."""
        return ratio(self.sums[:, TRUSTED, 2], self.sums[:, TRUSTED, 0])

    @property
    def found(self) -> np.ndarray:
        """The share of the true features that have a confidence above 0.9."""
        return ratio(self.sums[:, TRUSTED, 2], self.sums[..., 2].sum(-1))

    @property
    def overstated(self) -> np.ndarray:
        """Mean confidence minus share of true features, of those with a confidence above 0.5."""
        pairs, confidence, true = self.sums[:, HALF + 1 :].sum(1).T
        return ratio(confidence - true, pairs)

    @property
    def density(self) -> np.ndarray:
        """The mean number of features that a resample has, per true one."""
        return ratio(self.sums[..., 1].sum(-1), self.sums[..., 2].sum(-1))

    @property
    def shares(self) -> np.ndarray:
        """The share of true features by bin, float64 [D, BINS + 1]."""
        return ratio(self.sums[..., 2], self.sums[..., 0])


@dataclass(frozen=True)
class Runs:
    """The rows of the experiment as columns, and the weights of their data sets in the draws.

    Attributes:
        unit: int [rows], the data set.
        weights: float64 [D, units].
        least: the smallest number of data sets of a network.
    """

    columns: dict[str, np.ndarray]
    unit: np.ndarray
    weights: np.ndarray
    least: int

    def values(self, key: str) -> list[Any]:
        """Return what a column takes, in the order of the rows."""
        return list(dict.fromkeys(self.columns[key].tolist()))


def runs(inputs: Inputs) -> Runs | None:
    """Return the rows of the experiment, None where it was not run."""
    return inputs.once("runs", lambda: _runs(inputs)) if rows_of(inputs, EXPERIMENT) else None


def _runs(inputs: Inputs) -> Runs:
    rows = rows_of(inputs, EXPERIMENT)
    columns = {key: np.array([row[key] for row in rows]) for key in rows[0]}
    networks, network = np.unique(columns["network"], return_inverse=True)
    samples, sample = np.unique(columns[SAMPLE], return_inverse=True)
    present = np.zeros((len(networks), len(samples)), bool)
    present[network, sample] = True
    weights = draw_weights(present, generator(inputs.scale.seed, inputs.study, "bootstrap"))
    return Runs(columns, network * len(samples) + sample, weights.reshape(len(weights), -1), int(present.sum(1).min()))


def counted(inputs: Inputs, feature: str, method: str, resample: str, records: int | None = None) -> Counted | None:
    """Return the features of some runs, None where there are none.

    Args:
        inputs: of the study.
        feature: "adjacency" or "direction".
        method: a name, or "all".
        resample: of `LABELS`.
        records: the sample size, all of them where none is given.
    """
    key = ("counted", feature, method, resample, records)
    return inputs.once(key, lambda: _counted(inputs, feature, method, resample, records))


def _counted(inputs: Inputs, feature: str, method: str, resample: str, records: int | None) -> Counted | None:
    found = runs(inputs)
    if found is None:
        return None
    columns = found.columns
    chosen = (columns["feature"] == feature) & (columns["resample"] == resample)
    if method != EVERY:
        chosen &= columns["method"] == method
    if records is not None:
        chosen &= columns["records"] == records
    if not chosen.any():
        return None
    units = found.weights.shape[1]
    sums, errors = np.zeros((units, BINS + 1, 3)), np.zeros(units)
    areas: list[list[float]] = [[] for _ in range(units)]
    for unit, levels in _groups(found, np.flatnonzero(chosen)):
        sums[unit] += measures.bin_sums(*levels)
        errors[unit] += measures.squared_errors(*levels)
        areas[unit].append(measures.area(*levels))
    mean = np.array([np.nan if np.isnan(each).all() else np.nanmean(each) for each in map(np.array, areas)])
    known = np.isfinite(mean)
    return Counted(
        sums=np.tensordot(found.weights, sums, 1),
        errors=found.weights @ errors,
        areas=ratio(found.weights[:, known] @ mean[known], found.weights[:, known].sum(1)),
        units=found.least,
    )


def _groups(found: Runs, chosen: np.ndarray) -> list[tuple[int, tuple[np.ndarray, ...]]]:
    """Return the data set and the columns confidence, pairs and true of each run among some rows."""
    keys = ("method", "records")
    labels = [found.unit[chosen], *(np.unique(found.columns[key][chosen], return_inverse=True)[1] for key in keys)]
    order = np.lexsort(labels)
    steps = np.any([np.diff(label[order]) != 0 for label in labels], axis=0)
    return [
        (int(found.unit[rows[0]]), tuple(found.columns[key][rows] for key in ("confidence", "pairs", "true")))
        for rows in np.split(chosen[order], np.flatnonzero(steps) + 1)
    ]


def methods(inputs: Inputs) -> dict[str, str]:
    """Return the label of each method that was run."""
    found = runs(inputs)
    known = {method.name: method.label for method in inputs.methods}
    return {name: known.get(name, name) for name in found.values("method")} if found else {}


def resamples(inputs: Inputs) -> list[str]:
    """Return the kinds of resample that were run, in the order of `RESAMPLES`."""
    found = runs(inputs)
    return [kind for kind in RESAMPLES if kind in found.values("resample")] if found else []


def sizes(inputs: Inputs) -> list[int]:
    """Return the sample sizes that were run."""
    found = runs(inputs)
    return sorted(map(int, found.values("records"))) if found else []
