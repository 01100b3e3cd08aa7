"""Where to divide sorted records so that levels tell their classes apart: MDLP, MODL and MIIC's criterion.

Classes are int64 [N], from 0, in the order of the values that are divided; positions int64 [m], increasing, where a
threshold may stand. Each rule returns those where one stands, increasing.
"""

import math

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.kernels.division import divide
from cutpoint.kernels.exact_levels import best_levels
from cutpoint.learners.complexity import complexity_table
from cutpoint.options import AboveZero, AtLeast1

TIE = 1e-7  # nats


def divide_by_mdlp(classes: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Divide where it tells most of the class, again and again while a description of the classes gets shorter.

    A set of m records with entropy H and k classes is divided in two if m H - m_1 H_1 - m_2 H_2 is above
    ln(m - 1) + ln(3^k - 2) - k H + k_1 H_1 + k_2 H_2, in nats (Fayyad and Irani 1993). Of gains nearer than 1e-7 the
    first wins.
    """
    allowed = np.zeros(len(classes), bool)
    allowed[positions] = True
    counts = np.arange(len(classes) + 1)
    return divide(classes, allowed, int(classes.max()) + 1, xlogy(counts, counts))


def divide_by_modl(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: AtLeast1 = 10, candidates: AtLeast1 | None = 1000
) -> np.ndarray:
    """Divide by the thresholds of all that have the highest posterior probability (MODL; Boullé 2006).

    Of N records of J classes in I levels, at most `max_levels`, it has the lowest ln C(N + I - 1, I - 1) + sum over
    levels of ln C(N_i + J - 1, J - 1) + ln(N_i! / prod_j N_ij!), by dynamic programming over at most `candidates`
    positions, evenly spaced by rank (None for all).
    """
    positions = thinned(positions, candidates)
    counts, n_classes = np.arange(len(classes) + 1), int(classes.max()) + 1
    own = gammaln(n_classes) - gammaln(counts + n_classes)
    lists = best_lists(classes, positions, max_levels, gammaln(counts + 1), own)
    lengths = np.array([modl_length(classes, cuts) for cuts in lists])
    return lists[int(np.argmax(lengths <= lengths.min() + TIE))]


def divide_by_nml(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: AtLeast1 = 10, resolution: AboveZero = 5.0
) -> np.ndarray:
    """Divide so that the classes have the shortest code by normalised maximum likelihood (MIIC; Cabeli et al. 2020).

    Of J classes in I levels, at most `max_levels`, it has the highest sum over levels of sum_j N_ij ln(N_ij / N_i) - ln
    R(N_i, J), less ln C(m, I - 1) for the choice among m positions, by dynamic programming over at most resolution
    N^(1/3) positions, evenly spaced by rank; R is that of `cutpoint.learners.complexity`.
    """
    positions = thinned(positions, max(1, round(resolution * len(classes) ** (1 / 3))))
    terms = nml_terms(classes)
    lists = best_lists(classes, positions, max_levels, *terms)
    lengths = np.array([nml_length(classes, cuts, len(positions), terms) for cuts in lists])
    return lists[int(np.argmax(lengths <= lengths.min() + TIE))]


def nml_length(
    classes: np.ndarray, positions: np.ndarray, candidates: int, terms: tuple[np.ndarray, np.ndarray]
) -> float:
    """Return what `divide_by_nml` minimises, in nats, of the list with thresholds at these positions, int64 [I - 1].

    candidates: m; terms: of `nml_terms`.
    """
    by_cell, by_level = terms
    chosen = len(positions)
    total = gammaln(candidates + 1) - gammaln(chosen + 1) - gammaln(candidates - chosen + 1)
    for part in np.split(classes, positions):
        total -= by_cell[np.bincount(part)].sum() + by_level[len(part)]
    return float(total)


def nml_terms(classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what numbers of records of one class, and of all classes, add to minus a code, float64 [N + 1] each."""
    counts = np.arange(len(classes) + 1)
    return xlogy(counts, counts), -xlogy(counts, counts) - complexity_table(len(classes), int(classes.max()) + 1)


def thinned(positions: np.ndarray, most: int | None) -> np.ndarray:
    """Return no more than so many positions, int64 [m], evenly spaced by rank; None for all."""
    if most is None or len(positions) <= most:
        return positions
    return positions[np.rint(np.linspace(0, len(positions) - 1, most)).astype(int)]


def best_lists(
    classes: np.ndarray, positions: np.ndarray, max_levels: int, by_cell: np.ndarray, by_level: np.ndarray
) -> list[np.ndarray]:
    """Return the positions of the best list of 1, 2, ... levels, int64 [levels - 1] each.

    by_cell, by_level: float64 [N + 1], what a number of records of one class, and of all classes, adds to the value of
    a level.
    """
    records, n_classes = len(classes), int(classes.max()) + 1
    levels = np.arange(1, min(max_levels, len(positions) + 1) + 1)
    reach = np.abs(np.diff(by_cell)).max() + np.abs(np.diff(by_level)).max() + 1.0
    scale = 2.0 ** math.floor(60 - math.log2(records * reach))
    sums, own = (np.rint(scale * terms).astype(np.int64) for terms in (by_cell, by_level))
    places = np.concatenate([[0], positions, [records]]).astype(np.uint32)
    starts = best_levels(
        places, np.empty(0), classes[None].astype(np.uint32), np.array([n_classes]), sums[None, None], own[None],
        scale, int(TIE * scale), levels,
    )  # fmt: skip
    return [places[row[: k - 1]].astype(np.int64) for k, row in zip(levels, starts, strict=True)]


def modl_length(classes: np.ndarray, positions: np.ndarray) -> float:
    """Return what MODL minimises, in nats, of the list with thresholds at these positions, int64 [I - 1]."""
    records, n_classes, levels = len(classes), int(classes.max()) + 1, len(positions) + 1
    total = gammaln(records + levels) - gammaln(levels) - gammaln(records + 1)
    for part in np.split(classes, positions):
        total += gammaln(len(part) + n_classes) - gammaln(n_classes) - gammaln(np.bincount(part) + 1).sum()
    return float(total)
