"""Which neighbouring values of a discrete variable say the same of its Markov blanket (Tran 2013, chapter 4)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import xlogy

from cutpoint.base.errors import InputError
from cutpoint.discretization.greedy import Greedy
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.objectives import information
from cutpoint.discretization.top_down import LocalLength
from cutpoint.kernels.blankets import FRIEDMAN

MOST_VALUES = 16  # of a variable for which all discretizations are listed


class Aggregation:
    """The discretizations of a discrete variable into groups of neighbouring values, by DL_local (Tran 2013, 3.13).

    Only values that occur count. A discretization is given by the thresholds that it keeps, bool [m - 1].

    Args:
        codes: integer [N, n], levels 0..r-1.
        cardinalities: int64 [n].
        dag: bool [n, n].
        variable: the column to aggregate.
        base: of the logarithm.
        parameters: "free" for r - 1 per configuration, as (3.13) has it, or "full" for r, as Table 5.1 is printed.
        weight: how often each record counts.

    Attributes:
        values: int64 [m], those that occur.

    Raises:
        InputError: for parameters that are neither.
    """

    def __init__(
        self,
        codes: np.ndarray,
        cardinalities: np.ndarray,
        dag: np.ndarray,
        variable: int,
        *,
        base: float = math.e,
        parameters: str = "free",
        weight: float = 1.0,
    ):
        if parameters not in ("free", "full"):
            raise InputError(f"parameters: 'free' (r - 1) or 'full' (r) per configuration, not {parameters!r}")
        levels = np.asarray(cardinalities, np.int64)
        graph, rows = Neighbourhood(dag), len(codes)
        policy = Discretization(codes, [np.arange(r - 1) + 0.5 for r in levels])
        method = Greedy(policy.values, np.arange(len(levels)) != variable, FRIEDMAN)
        families = graph.families[variable]
        self.values, first = np.unique(np.sort(policy.codes[variable]), return_index=True)
        self._bounds = np.append(first, rows)
        self._local = LocalLength(method.view(variable, families, policy), len(self.values), weight=weight)
        q, others = math.prod(levels[p] for p in families[0]), families[1:]
        if parameters == "full":
            self._local.slope += sum(math.prod(levels[v] for v in family[:-1]) for family in others)
        constant = 0.0 if parameters == "full" else q * math.log(weight * rows) / 2
        # LocalLength leaves out what all discretizations share
        children = (variable, *graph.children[variable])
        whole = sum(information(policy.codes.T, levels, i, np.flatnonzero(dag[:, i])) for i in children)
        self._offset = self._local.information(self._bounds) - weight * whole - constant
        self._unit = 1 / math.log(base)

    def losses(self) -> np.ndarray:
        """Return the information that the removal of each threshold alone loses, N times and in nats, [m - 1]."""
        return self._local.single_losses(self._bounds)

    def one_pass(self) -> np.ndarray:
        """Return the thresholds that stay after m - 1 comparisons with the full list (Tran 2013, 4.2.1)."""
        return self._local.one_pass(self._bounds)

    def iterated(self) -> np.ndarray:
        """Return the thresholds that stay when one is removed after the other.

        Of all lists on the way, from the full one to none, the one with the smallest DL_local is kept; of equals the
        one with fewer thresholds.
        """
        return self._local.iterated(self._bounds)

    def lengths(self) -> np.ndarray:
        """Return DL_local of all discretizations in the order of `discretizations`, float64 [2^(m-1)]."""
        kept, groups = _groups(len(self.values))
        by_count = np.array([self._local.length(k + 1) for k in range(len(self.values))])
        whole = groups @ self._interval_information()
        return self._unit * (by_count[kept.sum(1)] - whole + self._offset)

    def is_shortest(self, keep: np.ndarray) -> bool:
        """Return whether no discretization has a smaller DL_local than one, bool [m - 1], but for rounding."""
        lengths = self.lengths()
        # of sums that are taken in the same way; the place is that of `discretizations`
        place = int(np.asarray(keep, bool) @ (1 << np.arange(len(keep))))
        return bool(lengths[place] <= lengths.min() + self._rounding())

    def _rounding(self) -> float:
        """Return what rounding may make of equal lengths: a unit in the last place of N ln N for each cell.

        Terms as large as that cancel each other, so that it does not shrink with the lengths.
        """
        rows = self._local.weight * int(self._bounds[-1])
        return float(np.spacing(xlogy(rows, rows))) * len(self._local.tables(self._bounds)[1])

    def _interval_information(self) -> np.ndarray:
        """Return the information of each run of neighbouring values as one level, in the order of `_groups`."""
        m = len(self.values)
        table, signs = self._local.tables(self._bounds)
        total = np.concatenate([np.zeros((1, table.shape[1])), table.cumsum(0)])
        first, last = np.triu_indices(m)
        counts = total[last + 1] - total[first]
        return self._local.weight * (xlogy(counts, counts) @ signs)


def discretizations(values: int) -> np.ndarray:
    """Return the thresholds that every discretization of m values keeps, bool [2^(m-1), m - 1]; the last keeps all.

    Raises:
        InputError: for more values than can be listed.
    """
    return _groups(values)[0]


@lru_cache(maxsize=MOST_VALUES)
def _groups(m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the discretizations, and which runs of values (first, last) each has for a level, float64 [., pairs]."""
    if not 1 <= m <= MOST_VALUES:
        raise InputError(f"{m} values have too many discretizations to list all: at most {MOST_VALUES}")
    kept = (np.arange(2 ** (m - 1))[:, None] >> np.arange(m - 1) & 1).astype(bool)
    ends = np.concatenate([np.ones((len(kept), 1), bool), kept, np.ones((len(kept), 1), bool)], 1)
    columns = []
    for first, last in zip(*np.triu_indices(m), strict=True):
        columns.append(ends[:, first] & ends[:, last + 1] & ~ends[:, first + 1 : last + 1].any(1))
    return kept, np.array(columns, float).T
