"""Where to divide sorted records so that levels tell their classes apart: MDLP, MODL and MIIC's criterion.

Classes are int64 [N], from 0, in the order of the values that are divided; positions int64 [m], increasing, where a
threshold may stand. Each rule returns those where one stands, increasing.
"""

import math
from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from cutpoint.kernels.exact_levels import best_list
from cutpoint.learners.complexity import complexity_table, m_ln_m
from cutpoint.options import AboveZero, AtLeast1

TIE = 1e-7  # nats


def divide_by_mdlp(classes: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Divide where it tells most of the class, again and again while a description of the classes gets shorter.

    A set of m records with entropy H and k classes is divided in two if m H - m_1 H_1 - m_2 H_2 is above ln(m - 1) +
    ln(3^k - 2) - k H + k_1 H_1 + k_2 H_2, in nats (Fayyad and Irani 1993). Of gains nearer than 1e-7 the first wins.
    """
    allowed = np.zeros(len(classes), bool)
    allowed[positions] = True
    classes = classes.astype(np.min_scalar_type(int(classes.max())))  # which are sorted faster
    g, waiting, found = m_ln_m(len(classes)), [(0, len(classes))], []
    while waiting:
        first, last = waiting.pop()
        if place := _place_of_division(classes[first:last], allowed[first:last], g):
            found.append(first + place)
            waiting += [(first, first + place), (first + place, last)]
    return np.array(sorted(found), np.int64)


def _place_of_division(classes: np.ndarray, allowed: np.ndarray, g: np.ndarray) -> int:
    """Return where a set of records is divided, 0 for nowhere; allowed: bool [m], which may begin the right part."""
    m = len(classes)
    (left, k_left), (right, k_right) = (_entropies(part, g) for part in (classes, classes[::-1]))
    costs = np.where(allowed[1:], left[:-1] + right[-2::-1], np.inf)
    lowest = costs.min(initial=np.inf)
    if lowest == np.inf:
        return 0
    place = int(np.argmax(costs <= lowest + TIE)) + 1
    k = k_left[-1]
    length = math.log(m - 1) + k * math.log(3) + math.log1p(-2 * 3.0**-k) - k * left[-1] / m
    length += (k_left * left)[place - 1] / place + (k_right * right)[m - place - 1] / (m - place)
    return place if left[-1] - costs[place - 1] > length + TIE else 0


def _entropies(classes: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return j times the entropy of the first j of m records, and how many classes they are of, j = 1 .. m."""
    order, places = np.argsort(classes, kind="stable"), np.arange(len(classes))
    begins = np.append(True, classes[order[1:]] != classes[order[:-1]])
    before = np.empty_like(places)  # of the class of each record
    before[order] = places - np.maximum.accumulate(np.where(begins, places, 0))
    return g[1 : len(classes) + 1] - np.cumsum(g[before + 1] - g[before]), np.cumsum(before == 0)


def divide_by_modl(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: AtLeast1 = 10, candidates: AtLeast1 | None = 1000
) -> np.ndarray:
    """Divide by the thresholds of all that have the highest posterior probability (MODL; Boullé 2006).

    Of N records of J classes in I levels, at most `max_levels`, it has the lowest ln C(N + I - 1, I - 1) + sum over
    levels of ln C(N_i + J - 1, J - 1) + ln(N_i! / prod_j N_ij!), by dynamic programming over at most `candidates`
    positions, evenly spaced by rank (None for all).
    """
    positions = thinned(positions, candidates)
    own, levels = log_rising(float(classes.max()) + 1, len(classes)), _levels(positions, max_levels)
    costs = gammaln(len(classes) + levels) - gammaln(levels) - gammaln(len(classes) + 1)
    return _best_positions(classes, positions, log_rising(1.0, len(classes)), -own, costs)


def divide_by_nml(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: AtLeast1 = 10, resolution: AboveZero = 5.0
) -> np.ndarray:
    """Divide so that the classes have the shortest code by normalised maximum likelihood (MIIC; Cabeli et al. 2020).

    Of J classes in I levels, at most `max_levels`, it has the highest sum over levels of sum_j N_ij ln(N_ij / N_i) - ln
    R(N_i, J), less ln C(m, I - 1) for the choice among m positions, by dynamic programming over at most resolution
    N^(1/3) positions, evenly spaced by rank; R is that of `cutpoint.learners.complexity`.
    """
    positions = thinned(positions, max(1, round(resolution * len(classes) ** (1 / 3))))
    chosen, m = _levels(positions, max_levels) - 1, len(positions)
    terms, complexities = m_ln_m(len(classes)), complexity_table(len(classes), int(classes.max()) + 1)
    costs = gammaln(m + 1) - gammaln(chosen + 1) - gammaln(m - chosen + 1)
    return _best_positions(classes, positions, terms, -terms - complexities, costs)


def thinned(positions: np.ndarray, most: int | None) -> np.ndarray:
    """Return no more than so many positions, int64 [m], evenly spaced by rank; None for all."""
    if most is None or len(positions) <= most:
        return positions
    return positions[np.rint(np.linspace(0, len(positions) - 1, most)).astype(int)]


@lru_cache(maxsize=64)
def log_rising(first: float, rows: int) -> np.ndarray:
    """Return ln of first (first + 1) ... (first + m - 1) for m = 0 .. N, float64 that is not to be changed."""
    return gammaln(np.arange(rows + 1) + first) - gammaln(first)


def _levels(positions: np.ndarray, max_levels: int) -> np.ndarray:
    return np.arange(1, min(max_levels, len(positions) + 1) + 1)


def _best_positions(
    classes: np.ndarray, positions: np.ndarray, by_cell: np.ndarray, by_level: np.ndarray, costs: np.ndarray
) -> np.ndarray:
    """Return the positions of the best list, int64; by_cell: float64 [N + 1], of the records of one class."""
    places, sizes = np.concatenate([[0], positions, [len(classes)]]), np.array([classes.max() + 1])
    cells, terms = classes[None].astype(np.uint32), whole_numbers(by_cell[None], by_level)
    return places[best_list(places.astype(np.uint32), cells, sizes, *terms, TIE, costs)[0]]


def whole_numbers(by_cell: np.ndarray, by_level: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return both as multiples of 1 / scale, int64 [1, C, N + 1] and [1, N + 1], and the scale.

    by_cell, by_level: float64 [C, N + 1] and [N + 1], what a number of records in a cell of each column, and of all
    records, adds to the value of a level.
    """
    reach = np.abs(np.diff(by_cell)).max(axis=1).sum() + np.abs(np.diff(by_level)).max() + 1.0
    scale = 2.0 ** math.floor(60 - math.log2((len(by_level) - 1) * reach))
    sums, own = (np.rint(scale * terms).astype(np.int64)[None] for terms in (by_cell, by_level))
    return sums, own, scale
