"""Tran's method: thresholds by removal from the full list, under Friedman and Goldszmidt's description length.

Tran (2013), chapter 4: a variable starts with a threshold between all its values, given its Markov blanket, and the
others "can then be cycled for discretization just as Friedman and Goldszmidt have suggested", which is what the loop
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.friedman import learn_friedman
from cutpoint.discretization.greedy import Acceptance, Greedy, View, local_rise
from cutpoint.discretization.loop import Policy, SearchFunction
from cutpoint.discretization.removal import LocalLength
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast0, AtLeast1


class TopDown(Greedy):
    """LearnVariableDP from the full list by removal, and the comparison with the old one.

    Args:
        values: float64 [N, n].
        frozen: bool [n].
        rule: FRIEDMAN.
        accepts: says whether a new list is better.
        iterated: whether removals go on one by one, or all are decided at once.
        start_levels: the most levels to start from, by equal frequency; None for all distinct values.
        max_levels: cap of the levels that the iterated search keeps.

    Raises:
        InputError: for a number of levels that is not above 0.
    """

    def __init__(
        self,
        values: np.ndarray,
        frozen: np.ndarray,
        rule: int,
        accepts: Acceptance = local_rise,
        *,
        iterated: bool,
        start_levels: int | None = None,
        max_levels: int = 60,
    ):
        if start_levels is not None and start_levels < 1:
            raise InputError(f"start_levels: a variable has at least 1 level, got {start_levels}")
        super().__init__(values, frozen, rule, accepts, max_levels=max_levels)
        self._iterated = iterated
        free = np.flatnonzero(~frozen).tolist()
        self._starts = {i: self._start(i, values[:, i], start_levels) for i in free}

    def _start(self, variable: int, column: np.ndarray, most: int | None) -> np.ndarray:
        """Return the record positions 0 .. N of the levels of the full list."""
        data = self.columns
        if most is not None and most < data.distinct[variable]:
            cuts = equal_frequency(column[:, None], np.zeros(1, bool), bins=most)[0]
            return data.levels(variable, cuts)[0]
        return np.concatenate([[0], np.flatnonzero(data.allowed[variable]), [column.size]])

    def find(self, variable: int, view: View, policy: Policy) -> tuple[np.ndarray, int]:
        """Return the positions of the thresholds that stay and the candidates scored; fill the parts of the score."""
        local, start = LocalLength(view, int(self.columns.distinct[variable])), self._starts[variable]
        keep = local.iterated(start, most=self.max_levels) if self._iterated else local.one_pass(start)
        positions, levels = start[1:-1][keep], start.size - 1
        new, old = view.families.parts
        self.evaluate(variable, view, self.columns.middles[variable][positions], new)
        self.evaluate(variable, view, policy.thresholds[variable], old)
        return positions, levels * (levels - 1) // 2 if self._iterated else levels - 1


def tran_onepass(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    start_levels: AtLeast1 | None = 60,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure and thresholds; all removals are decided at once (Tran 2013, 4.2.1).

    Each threshold of the full list is removed that alone does not raise DL_local. This is right where values tell the
    same of the blanket exactly and records are many. With as many levels as records it keeps all thresholds or none.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], the variables whose codes stay as they are.
        initial: the first policy, one sorted array per variable.
        search: learns a graph: search(codes, cardinalities, start).
        start_levels: the most levels of the full list, by equal frequency; None for one per distinct value.
        warm_start: start each search from the graph before instead of the empty one.
        max_iterations: rounds after which the last state is returned.

    Returns:
        The result; `score` is minus the description length in nats.

    Raises:
        InputError: for start_levels below 1.
    """
    return learn_friedman(
        values, frozen, partial(TopDown, iterated=False, start_levels=start_levels),
        initial=initial, search=search, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def tran_iterated(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    start_levels: AtLeast1 | None = None,
    max_levels: AtLeast1 = 60,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure and thresholds; removals are decided one by one (after Tran 2013, 4.2.1).

    The threshold that loses the least information is removed until none is left, and the list with the smallest
    DL_local on the way is kept.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], the variables whose codes stay as they are.
        initial: the first policy, one sorted array per variable.
        search: learns a graph: search(codes, cardinalities, start).
        start_levels: the most levels of the full list, by equal frequency; None for one per distinct value.
        max_levels: cap of the number of levels that are kept.
        warm_start: start each search from the graph before instead of the empty one.
        max_iterations: rounds after which the last state is returned.

    Returns:
        The result; `score` is minus the description length in nats.

    Raises:
        InputError: for a number of levels below 1.
    """
    return learn_friedman(
        values, frozen, partial(TopDown, iterated=True, start_levels=start_levels, max_levels=max_levels),
        initial=initial, search=search, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip
