"""The kinds of models that a family mixes beside levels, as tables of log densities less that of the child alone.

They are those of `cutpoint.discretization.consensus` but kernels, which have no density. A regression of indicators is
no probability of a child of states: that is a logistic regression, so that both directions between states and a number
are densities of the same data.
"""

import math
from itertools import chain, combinations_with_replacement

import numpy as np
from numpy.polynomial.hermite_e import hermevander

from cutpoint.base.scaling import standardised
from cutpoint.learners.best_kind import Kept
from cutpoint.learners.noise import MOST_OF_CURVES, AnyNoise, ChangingVariance, Regression, tied, with_constant
from cutpoint.learners.normal_scores import centred_powers, normal_scores
from cutpoint.learners.scales import lines_behind, scales
from cutpoint.posteriors.families import FamilyTables

ORDER_TELLS = 0.8  # of what levels tell of a scale, that which a line must tell; see `consensus`
PRIOR_RECORDS = 2.0  # that the prior of a slope is worth: of fewer, weak edges are too surely absent; of more, present
FEWEST, FEW = 12, 20  # numbers of which polynomials have products of four, and of three and the fourth degree
MOST_OF_NOISE, FIRST = 4, 2  # parents of a family whose records are looked at; where these tell no more than others
# By which family the fitted network has a kind, where it is another one
FITTED = {"changing variance": "polynomials", "any noise": "lines", "logistic": "lines"}
_STEPS, _RIDGE, _FURTHEST = 12, 1e-2, 3.0  # of Newton's method
_SPREADS = np.array([1.0, 0.5, 0.25, 0.125])  # variance of coefficients by their degree
_SCALES = np.array([0.03, 0.3, 3.0])  # of that variance in those of noise
_LEAST_LEFT = 1e-8  # of the variance of a child


class Logistic(Regression):
    """A child of states by logistic regression on the normal scores of its parents, and on indicators of states."""

    def __init__(self, values: np.ndarray, states: np.ndarray, pairs: np.ndarray, seed: int = 0):
        super().__init__(values, states, pairs, seed)
        self.rows = [centred_powers(x, s, 1) for x, s in zip(self.values.T, states, strict=True)]
        self.most_parents = np.where(states, self.n, 0)

    def _family(self, child: int, parents: list[int]) -> float:
        codes = self.values[:, child].astype(int)
        states = (codes == np.unique(codes)[1:, None]).astype(float)
        rows = with_constant([self.rows[p] for p in parents])
        alone = np.bincount(codes)[np.unique(codes)] / self.records
        gain = _log_likelihood(rows, states) - self.records * float(alone @ np.log(alone))
        return self._penalised(gain, len(states) * (len(rows) - 1))


def _log_likelihood(rows: np.ndarray, states: np.ndarray) -> float:
    """Return what logistic regression of states, float64 [r - 1, N], on rows, float64 [d, N], attains."""
    (r, d), best = (len(states), len(rows)), -np.inf
    slopes, ridge = np.zeros((r, d)), _RIDGE * np.eye(r * d)
    for _ in range(_STEPS):
        told = slopes @ rows
        total = np.logaddexp(np.logaddexp.reduce(told), 0.0)
        now, shares = float((states * told).sum() - total.sum()), np.exp(told - total)
        if now < best + 1e-2:
            return max(best, now)
        best, gradient = now, (states - shares) @ rows.T - _RIDGE * slopes
        curves = -shares[:, None] * shares
        curves[np.arange(r), np.arange(r)] += shares
        hessian = np.einsum("abt,it,jt->aibj", curves, rows, rows, optimize=True).reshape(r * d, r * d) + ridge
        step = np.linalg.solve(hessian, gradient.ravel()).reshape(r, d)
        slopes = slopes + step.clip(-_FURTHEST, _FURTHEST)
    return best


class Polynomials(Regression):
    """Normal scores by polynomials of the fourth degree of those of the parents, with products of up to four.

    Of many columns they have the third degree, and products of two.

    Hermite polynomials have normal coefficients, of less variance the higher the degree, so that a family is a Gaussian
    process; noise is normal. Scores are log densities, coefficients and the variance of noise integrated out, and a
    mean over scales of coefficients, with all powers and with products alone. A parent of states has an effect of each.
    counted: records; in_product: parents of a product, at most.
    """

    def __init__(self, values: np.ndarray, states: np.ndarray, counted: float):
        super().__init__(values, states, ~np.eye(len(states), dtype=bool), 0)
        self.most_parents, self.counted = np.where(states, 0, MOST_OF_CURVES), counted
        alone = [centred_powers(x, True, 1) if s else _hermite(x) for x, s in zip(self.values.T, states, strict=True)]
        rows, of, degrees = [], list[int](), list[int]()  # of: the parents of each row, as bits
        for i in np.flatnonzero(states).tolist():
            rows += [*alone[i]]
            of += [1 << i] * len(alone[i])
            degrees += [1] * len(alone[i])
        numbers = np.flatnonzero(~states).tolist()
        few = len(numbers) <= FEW
        self.in_product = 2 + few + (len(numbers) <= FEWEST)
        for members in chain(*(combinations_with_replacement(numbers, degree) for degree in range(1, 4 + few))):
            parts, degree = [*dict.fromkeys(members)], len(members)
            if len(parts) < 3 or degree == len(parts) <= self.in_product:
                rows.append(math.prod(alone[i][members.count(i) - 1] for i in parts))
                of.append(sum(1 << i for i in parts))
                degrees.append(degree)
        all_rows = np.array(rows)
        all_rows -= all_rows.mean(axis=1, keepdims=True)
        all_rows *= np.sqrt(_SPREADS[np.array(degrees) - 1])[:, None]  # so that coefficients have a variance of 1
        self.of, self.gram = np.array(of), self.counted / self.records * (all_rows @ all_rows.T)
        self.is_product = np.bitwise_count(self.of) == degrees  # of parents themselves, not of their powers
        children = np.array([powers[0] if len(powers) else np.zeros(self.records) for powers in alone])
        self.told = self.counted / self.records * (all_rows @ children.T)

    def _family(self, child: int, parents: list[int]) -> float:
        held = np.flatnonzero(self.of & ~sum(1 << p for p in parents) == 0)
        densities = np.append(*(self._densities(child, rows) for rows in (held, held[self.is_product[held]])))
        return float(np.logaddexp.reduce(densities)) - math.log(len(densities))

    def _densities(self, child: int, held: np.ndarray) -> np.ndarray:
        """Return the log densities of a child by some rows, one for each scale."""
        d = np.arange(len(held))
        both = np.empty((len(_SCALES), len(held) + 1, len(held) + 1))  # the last pivot is what is left of the child
        both[:, :-1, :-1] = _SCALES[:, None, None] * self.gram[held[:, None], held]
        both[:, d, d] += 1
        both[:, -1, :-1] = np.sqrt(_SCALES)[:, None] * self.told[held, child]
        both[:, -1, -1] = self.counted * (1 + _LEAST_LEFT)
        logs = np.log(np.diagonal(np.linalg.cholesky(both), axis1=1, axis2=2))
        logs[:, -1] -= math.log(self.counted) / 2
        return -logs[:, :-1].sum(axis=1) - self.counted * logs[:, -1]


def _hermite(column: np.ndarray) -> np.ndarray:
    """Return Hermite polynomials of the first to fourth degree of normal scores, float64 [4, N]."""
    powers = hermevander(standardised(normal_scores(column)), 4)[:, 1:]
    return (powers / np.sqrt([1, 2, 6, 24])).T


KINDS: dict[str, type[Regression]]
KINDS = {"changing variance": ChangingVariance, "any noise": AnyNoise, "logistic": Logistic}


def smooth(
    values: np.ndarray, states: np.ndarray, families: FamilyTables, power: float
) -> tuple[dict[str, np.ndarray], float]:
    """Return the tables of lines, behind the steps of ordered scales, and polynomials, and which share steps leave.

    states: bool [n]; power: as what each record counts.
    """
    lines = lines_behind(values, states).corrected()
    left = lines.records / len(values)
    curves = Polynomials(values, states, power * lines.records)  # steps hide as much of curves
    lines.records, lines.prior_records = _counted(lines.records, power)
    told = families.table(Kept(lines))
    return {"lines": told, "polynomials": _grown(curves, curves.most_parents, curves.in_product, families, told)}, left


def _counted(records: int, power: float) -> tuple[int, float]:
    """Return as how many records count, and how many of them the prior is worth."""
    counted = max(round(power * records), 1)
    return counted, min(PRIOR_RECORDS, math.sqrt(counted))


def by_records(
    values: np.ndarray,
    states: np.ndarray,
    families: FamilyTables,
    pairs: np.ndarray,
    power: float,
    seed: int,
    told: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return the tables of kinds that look at the records of each family, over pairs, bool [n, n].

    told: float64 [n, 2^c], what other kinds tell.
    """
    tables = {}
    for name, kind in KINDS.items():
        score = kind(values, states, pairs, seed)
        score.all_records, score.prior_records = _counted(score.all_records, power)
        tables[name] = _grown(score, np.minimum(score.most_parents, MOST_OF_NOISE), FIRST, families, told, pairs)
    return tables


def _grown(
    score: Regression,
    most: np.ndarray,
    first: int,
    families: FamilyTables,
    told: np.ndarray,
    pairs: np.ndarray | None = None,
) -> np.ndarray:
    """Return the table of a kind, float64 [n, 2^c], -inf for families that are not looked at.

    Those of more than the first so many parents are looked at only for children of which a smaller one tells more than
    `told`, float64 [n, 2^c]: else the penalty for more parents leaves them far behind.
    """
    few = np.minimum(most, first)
    more = (families.table(Kept(score, few), pairs) > told).any(axis=1)
    return families.table(Kept(score, np.where(more, most, few)), pairs)


def without_levels(values: np.ndarray, states: np.ndarray, lines: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the children, bool [n], that have no levels: counts, and scales whose order the data bear out.

    lines, levels: tables of families. Levels part two such columns less well than their order does.
    """
    few, alone = scales(values, states), np.bitwise_count(np.arange(lines.shape[1])) == 1
    tell = lines[:, alone].max(axis=1, initial=0.0) >= ORDER_TELLS * levels[:, alone].max(axis=1, initial=0.0)
    return (tied(values) & ~states & ~few) | (few & tell)
