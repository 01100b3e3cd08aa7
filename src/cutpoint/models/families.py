"""The distribution of each variable given its parents, estimated from records: counts of levels, or a curve.

A curve is fitted where lines, polynomials or kernels told the method more of a variable than levels do, and do so under
the levels of the network too. Its table has for each configuration of the parents the mean of its forecasts, over the
records in it and one at the means of the parents' levels.
"""

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache, reduce
from math import log, prod
from typing import Any

import numpy as np

from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.objectives import bdeu_family
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.models.curves import CURVE, LINE, FamilyCurve, features_of, logistic_curve, normal_curve
from cutpoint.models.density import SmoothDensity, shares
from cutpoint.models.fitted import ValueScale

LEAST = 1e-9  # change of a probability
SPIKE = 0.2  # share of the records with one value above which a column has no curve: its scores are not normal there
TOLERANCE = 1e-6  # of logistic curves: what a step still gains is nothing beside what the records leave open
_FAMILY, _ROOM = 32, 1 << 20  # of parents with features that are kept: fewest, and their records together for more
# What the kinds of models of `cutpoint.discretization.consensus` are here; levels have tables of counts.
KINDS = {"lines": LINE, "polynomials": CURVE, "kernels": CURVE}


class Estimates:
    """Records, float64 [N, n], states as codes, and what families are estimated from.

    rows, kinds: by variable the records on which its family rests, and what suited it best, None for levels alone.
    """

    def __init__(
        self, data: np.ndarray, lists: Thresholds, rows: Sequence[Any], kinds: Sequence[str] | None, ess: float
    ):
        self.data, self.lists, self.rows, self.ess = data, lists, rows, ess
        self.codes, self.levels = encode(data, lists), cardinalities(lists)
        self.states = [int(r) if discrete else 0 for r, discrete in zip(self.levels, lists.discrete, strict=True)]
        most = [0 if r else np.unique(x, return_counts=True)[1].max() for x, r in zip(data.T, self.states, strict=True)]
        self._spiked, self._kinds = np.array(most) > SPIKE * len(data), kinds or ["levels"] * len(lists)
        self._fitted = cache(self._fit)
        self._features = lru_cache(max(_FAMILY, _ROOM // len(data)))(
            lambda child, i, kind: features_of(self._scores[i][rows[child]], self.states[i], kind)
        )

    @cached_property
    def scales(self) -> dict[str, ValueScale]:
        """The scales of the continuous variables, by name."""
        names = [(i, self.rows[i], name) for i, name in enumerate(self.lists.names) if name not in self.lists.states]
        return {name: scale(self.data[rows, i], self.codes[rows, i], self.lists[i]) for i, rows, name in names}

    @cached_property
    def _scores(self) -> list[np.ndarray]:
        """Normal scores of continuous variables and codes of discrete ones, [N] each."""
        columns = zip(self.codes.T, self.data.T, self.states, strict=True)
        return [codes if r else self.density(i).near_scores(x) for i, (codes, x, r) in enumerate(columns)]

    def density(self, i: int) -> SmoothDensity:
        """Return the smoothed marginal of a continuous variable."""
        density = self.scales[self.lists.names[i]].density
        assert density is not None
        return density

    def _fit(self, child: int, parents: tuple[int, ...], kind: str) -> tuple[FamilyCurve, float]:
        """Return the curve of a family and what it tells of levels, as `_log_share`, less ln(N) / 2 for each slope."""
        features = np.hstack([self._features(child, i, kind) for i in parents])
        scores, states = self._scores[child][self.rows[child]], self.states[child]
        # of levels: a density of normal scores gains where it says little of them, as with groups of unlike spreads
        curve = logistic_curve(features, scores, states, kind, TOLERANCE) if states else None
        curve = curve or normal_curve(features, scores, kind)
        foretold = curve.shares(curve.predictor(features), self._edges(child), self._alone(child))
        held = foretold[np.arange(len(scores)), self.codes[self.rows[child], child]]
        slopes = np.count_nonzero(features.max(axis=0) > features.min(axis=0)) * (states - 1 if states else 1)
        return curve, float(np.log(held).sum()) - 0.5 * log(max(len(scores), 1)) * slopes

    def _log_share(self, child: int, parents: Sequence[int]) -> float:
        """Return the log marginal likelihood of the levels of a child given its parents' (BDeu)."""
        return bdeu_family(self.codes[self.rows[child]], self.levels, child, np.array(parents, np.int64), self.ess)

    def _kind(self, child: int, parents: tuple[int, ...]) -> str | None:
        """Return the kind of curve that a family may have, None for none."""
        return None if not parents or self._spiked[[child, *parents]].any() else KINDS.get(self._kinds[child])

    def gain(self, child: int, parents: tuple[int, ...]) -> float:
        """Return what parents tell of a child, in nats, by the model that suits it."""
        kind, told = self._kind(child, parents), self._log_share(child, parents)
        told = told if kind is None else max(told, self._fitted(child, parents, kind)[1])
        return told - self._log_share(child, ())

    def curve(self, child: int, parents: tuple[int, ...]) -> FamilyCurve | None:
        """Return the curve of a family, None where counts tell more or as much."""
        if (kind := self._kind(child, parents)) is None:
            return None
        curve, told = self._fitted(child, parents, kind)
        return curve if told > self._log_share(child, parents) else None

    def acting(self, child: int, parents: tuple[int, ...]) -> tuple[tuple[int, ...], FamilyCurve | None, np.ndarray]:
        """Return the parents that change a variable's table (none does where others fix it), its curve and table."""
        curve = self.curve(child, parents)
        table = self.table(child, parents, curve)
        silent = [i for axis, i in enumerate(parents) if np.ptp(table, axis=axis).max() < LEAST]
        if not silent:
            return parents, curve, table
        return self.acting(child, tuple(i for i in parents if i != silent[0]))

    def table(self, child: int, parents: Sequence[int], curve: FamilyCurve | None) -> np.ndarray:
        """Return the probabilities of a variable given its parents, float64, one axis per parent and then its own."""
        shape = [int(self.levels[i]) for i in (*parents, child)]
        codes = self.codes[self.rows[child]]
        if curve is None:
            cells = np.ravel_multi_index([codes[:, i] for i in (*parents, child)], shape)
            counts = np.bincount(cells, minlength=prod(shape)).reshape(shape) + self.ess / prod(shape)
            return counts / counts.sum(-1, keepdims=True)
        parts = [self._features(child, i, curve.kind) for i in parents]
        ends = np.cumsum([part.shape[1] for part in parts])[:-1]
        brought = [part @ slopes for part, slopes in zip(parts, np.split(curve.slopes, ends), strict=True)]
        edges, alone = self._edges(child), self._alone(child)
        foretold = curve.shares(sum(brought) + curve.intercept, edges, alone)
        middles = [_means(b, codes[:, i], int(self.levels[i])) for b, i in zip(brought, parents, strict=True)]
        own = middles[0].ndim - 1  # of [r] or [r, s]; the sums of all combinations have an axis for each parent
        sums = reduce(lambda total, part: np.expand_dims(total, total.ndim - own) + part, middles)
        table = curve.shares(sums + curve.intercept, edges, alone).reshape(-1, shape[-1])
        cells = np.ravel_multi_index([codes[:, i] for i in parents], shape[:-1])
        table = table + np.stack([np.bincount(cells, each, len(table)) for each in foretold.T], axis=1)
        return (table / table.sum(1, keepdims=True)).reshape(shape)

    def _edges(self, i: int) -> np.ndarray:
        """Return the normal scores of the thresholds of a continuous variable; none of a discrete one."""
        return np.empty(0) if self.states[i] else self.density(i).near_scores(self.lists[i])

    def _alone(self, i: int) -> np.ndarray:
        """Return the probabilities of the levels of a variable without parents, float64 [r]."""
        if self.states[i]:
            return shares(self.codes[self.rows[i], i], np.full(self.states[i], 1 / self.states[i]))
        return self.density(i).masses(self.lists[i])


def _means(brought: np.ndarray, codes: np.ndarray, levels: int) -> np.ndarray:
    """Return the means of what a parent brings, [N] or [N, r], over each of its levels; of an empty one, over all."""
    flat = brought.reshape(len(brought), -1)
    counts = np.bincount(codes, minlength=levels)
    sums = np.stack([np.bincount(codes, column, levels) for column in flat.T], axis=1)
    means = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], flat.mean(0))
    return means.reshape(levels, *brought.shape[1:])


def scale(values: np.ndarray, codes: np.ndarray, cuts: np.ndarray) -> ValueScale:
    """Return the means and shares of levels, the range and the density of a continuous variable, float64 [N]."""
    density = SmoothDensity(values)
    held = shares(codes, density.masses(cuts))
    return ValueScale(level_means(values, codes, cuts), float(values.min()), float(values.max()), density, held)


def level_means(values: np.ndarray, codes: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the mean of the values, [N], in each level, float64 [r]; of an empty one the middle of its thresholds."""
    counts = np.bincount(codes, minlength=len(cuts) + 1)
    sums = np.bincount(codes, weights=values, minlength=len(cuts) + 1)
    if not len(cuts):
        return sums / counts
    middles = (np.append(cuts[0], cuts) + np.append(cuts, cuts[-1])) / 2
    return np.where(counts > 0, sums / np.maximum(counts, 1), middles)
