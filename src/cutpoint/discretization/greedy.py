"""Greedy LearnVariableDP for scores that a sweep can evaluate (Fu 2005, III.2).

Friedman's, Monti's and Steck's method differ in the rule of the sweep and in when a new list is better.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cutpoint.base.scaling import midpoints
from cutpoint.discretization.loop import RISE, Discretization, Neighbourhood, Proposal
from cutpoint.discretization.objectives import MOST_ESS
from cutpoint.kernels.blankets import blanket_columns
from cutpoint.kernels.sweep import count_on_grid, learn_thresholds, score_list
from cutpoint.learners.scores import check_ess

KEYS, TABLE_ENTRIES = 1024, 4_000_000  # of tables of g: how many, and how many values together
SORTED_VALUES = 8_000_000  # values of sorted columns that are kept (64 MB)

# accepts(new, old, weights), float64 [families + 1] each: the value of each family of the variable, then the term of
# its levels alone; a family is counted `weight` times in the sum over all variables.
Acceptance = Callable[[np.ndarray, np.ndarray, np.ndarray], bool]


def local_rise(new: np.ndarray, old: np.ndarray, weights: np.ndarray) -> bool:
    """Return whether the sum of the parts rises; see `Acceptance`."""
    return bool(new.sum() > old.sum() + RISE)


def local_and_total_rise(new: np.ndarray, old: np.ndarray, weights: np.ndarray) -> bool:
    """Return whether the sum of the parts and its total over all variables rise (Fu 2005, IV.3); see `Acceptance`."""
    return local_rise(new, old, weights) and bool(weights @ (new - old) > RISE)


class SortedColumns:
    """The continuous columns, sorted once: the order of all, and the values of as many as `SORTED_VALUES` has room for.

    order: int32 [n, N], the records by value; distinct: int64 [n], the number of distinct values.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray):
        most = max(1, SORTED_VALUES // max(1, len(values)))
        self.sorted = lru_cache(most)(lambda variable: values[:, variable].take(self.order[variable]))
        self.order = np.zeros(values.shape[::-1], np.int32)
        self.distinct = np.ones(values.shape[1], np.int64)
        for i in np.flatnonzero(~discrete).tolist():
            self.order[i] = np.argsort(values[:, i])
            self.distinct[i] += len(self.candidates(i))

    def candidates(self, variable: int) -> np.ndarray:
        """Return the positions of the thresholds that can divide a column, int64: where its value changes."""
        x = self.sorted(variable)
        return np.flatnonzero(x[:-1] < x[1:]) + 1

    def cuts(self, variable: int, positions: np.ndarray) -> np.ndarray:
        """Return the thresholds, float64 [k], that stand before sorted records, int64 [k]."""
        x = self.sorted(variable)
        return midpoints(x[positions - 1], x[positions])

    def levels(self, variable: int, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where levels start and end, int64 and float64 [k + 1]: in record positions 0 .. N and in values."""
        x = self.sorted(variable)
        bounds = np.concatenate([[0], np.searchsorted(x, cuts), [x.size]])
        return bounds, np.concatenate([x[:1], np.minimum(np.maximum(cuts, x[0]), x[-1]), x[-1:]])


class _FamilyColumns:
    """A variable's families in the form of the kernels, and room for their columns."""

    def __init__(self, families: tuple[tuple[int, ...], ...]):
        columns = 2 * len(families)
        self.offsets = np.cumsum([0, *map(len, families)])
        self.members = np.array([v for family in families for v in family], np.int64)
        # The sum over all variables counts a family once, and once for each of its parents.
        self.weights = np.array([*(1 + len(family) for family in families), 1], float)
        # firsts, signs, keys and families of columns
        self.described = np.empty(columns + 1, int), np.empty(columns), np.empty(columns), np.empty(columns, int)
        self.parts = np.empty(len(families) + 1), np.empty(len(families) + 1)


@dataclass
class View:
    """What a variable sees of its Markov blanket: what `kernels.blankets.blanket_columns` fills and returns."""

    columns: tuple[np.ndarray, ...]  # with room for the places of `sweep`
    slope: float
    families: _FamilyColumns  # with room for their values under a new and an old list

    @property
    def sizes(self) -> np.ndarray:
        """Return the number of cells of each column, int64 [columns]."""
        return np.diff(self.columns[2])


class Greedy:
    """LearnVariableDP from the empty list, and the comparison with the old one.

    An old list that was not beaten under the same blanket (structure and thresholds) is looked up; its candidates count
    again. rule: of the sweep, FRIEDMAN, MONTI or STECK; ess, max_levels: see `cutpoint.discretization.rules`.
    """

    def __init__(
        self,
        values: np.ndarray,
        discrete: np.ndarray,
        rule: int,
        accepts: Acceptance = local_rise,
        *,
        ess: float = 1.0,
        max_levels: int = 60,
    ):
        check_ess(ess, MOST_ESS)
        self.columns = SortedColumns(values, discrete)
        self.rule, self.accepts, self.ess, self.max_levels = rule, accepts, float(ess), max_levels
        self._tables = np.zeros(KEYS), np.zeros((3, KEYS + 1), np.int64), np.empty(max(TABLE_ENTRIES, len(values) + 1))
        self._scratch = np.empty((2, len(values))), np.empty(len(values))
        self._room = _room(8, len(values))
        self._families: dict[tuple[tuple[int, ...], ...], _FamilyColumns] = {}
        self._refused: dict[tuple, int] = {}  # candidates scored for nothing, by the blanket and the old list

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds them only if they are better."""
        families = graph.families[variable]
        key = (variable, families, *[discretization.keys[v] for v in graph.blankets[variable]])
        old = discretization.keys[variable]
        if (calls := self._refused.get((*key, old))) is not None:
            return Proposal(None, calls)
        view = self.view(variable, families, discretization)
        positions, calls = self.find(variable, view, discretization)
        better = self.accepts(*view.families.parts, view.families.weights)
        thresholds = self.columns.cuts(variable, positions)
        self._refused[*key, thresholds.tobytes() if better else old] = calls
        return Proposal(thresholds if better else None, calls)

    def view(self, variable: int, families: tuple[tuple[int, ...], ...], discretization: Discretization) -> View:
        """Return the columns of one variable's blanket; they are valid until the next call."""
        room = self._families.get(families) or self._families.setdefault(families, _FamilyColumns(families))
        if len(self._room[0]) < 2 * len(families):
            self._room = _room(2 * len(families), len(self._scratch[1]))
        (cells, places), (firsts, signs, keys, families_of) = self._room, room.described
        count, slope = blanket_columns(
            self.rule, discretization.codes, discretization.levels, self.columns.order[variable],
            room.offsets, room.members, cells, firsts, signs, keys, families_of,
        )  # fmt: skip
        trimmed = cells[:count], places[:count], firsts[: count + 1], signs[:count], keys[:count], families_of[:count]
        return View(trimmed, slope, room)

    def find(self, variable: int, view: View, discretization: Discretization) -> tuple[np.ndarray, int]:
        """Return the positions of the new list, int64 [k], and the candidates scored; fill the parts of its score."""
        return self.grow(variable, view, discretization)

    def evaluate(self, variable: int, view: View, cuts: np.ndarray, parts: np.ndarray) -> None:
        """Fill the parts, float64 [families + 1], of the score of a threshold list, up to a constant."""
        score_list(
            self.rule, view.columns, count_on_grid(view.columns, len(self._scratch[1])), self.ess, self._tables,
            *self.columns.levels(variable, cuts), self.columns.distinct[variable], view.slope, parts,
        )  # fmt: skip

    def grow(
        self,
        variable: int,
        view: View,
        discretization: Discretization,
        *,
        max_levels: int | None = None,
        rise: float = RISE,
    ) -> tuple[np.ndarray, int]:
        """Return the positions of the greedy list, int64 [k], and the candidates scored; fill the parts of its score.

        max_levels: cap of the levels, None for that of the method; rise: what one more level must add to the score.
        """
        data, (new, old) = self.columns, view.families.parts
        most = min(max_levels or self.max_levels, int(data.distinct[variable]))
        return learn_thresholds(
            self.rule, view.columns, view.slope, data.sorted(variable), data.distinct[variable], self.ess, most, rise,
            *data.levels(variable, discretization.thresholds[variable]), self._tables, self._scratch, new, old,
        )  # fmt: skip


def _room(columns: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty((columns, rows), np.uint32), np.empty((columns, rows), np.int32)
