"""Scores, thresholds and numbers of levels of the experiments in all bootstrap draws over samples.

Draw 0 is the samples themselves; arrays have the draws first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import SAMPLE, cube, means, rows_of

KINDS = {"greedy": "greedy", "exact": "exact", "quantile": "at quantiles"}
OPTIMISED = ("exact", "greedy")
PANELS = ("independent", "dependent", "low noise", "high noise")
EQUAL, APART = 0.025, 0.02  # shares of the records: off from equal counts, and on the wrong side of a threshold
FEW, MANY = 3, 5  # levels of Y0 that the paper found with overlapping clusters
SMALL, ENOUGH = 10, 50  # records with which the variables seem independent, and with which they do not
ALL = range(2, 11)


@dataclass(frozen=True)
class Scores:
    """Mean scores of the toy data of Figure 2.

    Attributes:
        clusters, levels: what was run, sorted; the first level is 1, with the score 0.
        values: float64 [D, clusters, levels] by kind.
        samples: number of data sets.
    """

    clusters: tuple[int, ...]
    levels: tuple[int, ...]
    values: dict[str, np.ndarray]
    samples: int

    def at(self, kind: str, clusters: int, levels: int) -> np.ndarray:
        """Return one mean score in every draw, NaN where it was not run."""
        if clusters not in self.clusters or levels not in self.levels:
            return np.full(1, np.nan)
        return self.values[kind][:, self.clusters.index(clusters), self.levels.index(levels)]

    def best(self, kind: str, clusters: int, *, without: int | None = None) -> np.ndarray:
        """Return the highest mean score over the numbers of levels in every draw."""
        kept = [i for i, r in enumerate(self.levels) if r != without]
        if clusters not in self.clusters or not kept:
            return np.full(1, np.nan)
        return self.values[kind][:, self.clusters.index(clusters), kept].max(1)

    def best_levels(self, kind: str, clusters: int) -> int:
        """Return the number of levels with the highest mean score of the samples."""
        return self.levels[int(self.values[kind][0, self.clusters.index(clusters)].argmax())]

    def peaks(self, kind: str, clusters: int) -> np.ndarray:
        """Return which numbers of levels are above their neighbours, bool [D, levels]; the last has only one."""
        values = self.values[kind][:, self.clusters.index(clusters)]
        open_ = np.full((len(values), 1), -np.inf)
        return (values > np.hstack([open_, values[:, :-1]])) & (values > np.hstack([values[:, 1:], open_]))


def scores(inputs: Inputs) -> Scores:
    """Return the scores by number of clusters and of levels."""
    return inputs.once("scores", lambda: _scores(inputs))


def _scores(inputs: Inputs) -> Scores:
    rows = rows_of(inputs, "clusters")
    clusters = tuple(sorted({int(row["clusters"]) for row in rows}))
    levels = (1, *sorted({int(row["levels"]) for row in rows}))
    samples = list(dict.fromkeys(row[SAMPLE] for row in rows))
    found = {}
    for kind in KINDS:
        values = np.full((len(samples), len(clusters), len(levels)), np.nan)
        values[:, :, 0] = 0.0
        for row in rows:
            at = samples.index(row[SAMPLE]), clusters.index(row["clusters"]), levels.index(row["levels"])
            values[at] = row[kind]
        found[kind] = means(inputs, values) if samples else values[:1]
    return Scores(clusters, levels, found, len(samples))


def related(clusters: int) -> list[int]:
    """Return the divisors and multiples of a number of clusters that Figure 2 shows, without itself."""
    return [r for r in ALL if r != clusters and (r % clusters == 0 or clusters % r == 0)]


def two_levels(inputs: Inputs, panel: str) -> dict[str, np.ndarray]:
    """Return columns of a panel of Figure 3, float64 [samples, 2] by variable; empty without runs.

    Besides those of the experiment: whether the levels have equal counts, and whether the threshold parts the
    clusters.
    """
    rows = [row for row in rows_of(inputs, "dependence") if row["panel"] == panel]
    names = ("threshold", "below", "wrong", "records", "free", "third")
    found = {name: cube(rows, SAMPLE, "variable", value=name)[1].reshape(-1, 2) for name in names}
    with np.errstate(invalid="ignore"):
        found["equal"] = (np.abs(found["below"] / found["records"] - 0.5) <= EQUAL).astype(float)
        found["apart"] = (found["wrong"] / found["records"] <= APART).astype(float)
    return found


@dataclass(frozen=True)
class Prior:
    """Optima of overlapping clusters under different priors (Figure 4).

    Attributes:
        ess: equivalent sample sizes.
        score, levels0, levels1: float64 [samples, ess].
        best: int [samples], the place of the equivalent sample size with the highest score.
    """

    ess: tuple[float, ...]
    score: np.ndarray
    levels0: np.ndarray
    levels1: np.ndarray
    best: np.ndarray

    def chosen(self, name: str) -> np.ndarray:
        """Return a column at the best equivalent sample size of each sample, float64 [samples]."""
        return getattr(self, name)[np.arange(len(self.best)), self.best]


def prior(inputs: Inputs) -> Prior | None:
    """Return the optima of the overlapping clusters, None without runs."""
    rows = rows_of(inputs, "overlap")
    if not rows:
        return None
    (_, ess), score = cube(rows, SAMPLE, "ess", value="score")
    first, second = (cube(rows, SAMPLE, "ess", value=f"levels{i}")[1] for i in range(2))
    return Prior(tuple(ess), score, first, second, score.argmax(1))


@dataclass(frozen=True)
class Sizes:
    """Optima of normal samples (Figure 5).

    Attributes:
        ess, records: what was run, sorted.
        levels: float64 [samples, ess, records], mean over both variables.
        independent: float64 [samples, ess, records], 1 where nothing is above one level per variable.
    """

    ess: tuple[float, ...]
    records: tuple[int, ...]
    levels: np.ndarray
    independent: np.ndarray


def sizes(inputs: Inputs) -> Sizes | None:
    """Return the optima by sample size, None without runs."""
    rows = sorted(rows_of(inputs, "sizes"), key=lambda r: (r["ess"], r["records"], r[SAMPLE]))
    if not rows:
        return None
    keys = (SAMPLE, "ess", "records")
    (_, ess, records), independent = cube(rows, *keys, value="independent")
    levels = [cube(rows, *keys, value=f"levels{i}")[1] for i in range(2)]
    return Sizes(tuple(ess), tuple(records), np.mean(levels, 0), independent)
