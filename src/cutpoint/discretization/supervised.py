"""Thresholds of a variable that tell its neighbours in a graph apart, as those of a feature tell a class.

The class is the configuration of the variable's parents and children under their present thresholds. Structure and
thresholds are learned in turns, as in `cutpoint.discretization.loop`, but nothing that both raise holds the rounds
together: a variable is discretized at most `max_cycles` times under one graph. One without neighbours, or whose new
list is empty, keeps its thresholds, for with one level it could never have a neighbour again.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from cutpoint.discretization.class_criteria import divide_by_mdlp, divide_by_modl, divide_by_nml
from cutpoint.discretization.greedy import SortedColumns
from cutpoint.discretization.loop import Discretization, Neighbourhood, Proposal, SearchFunction, learn_hybrid
from cutpoint.discretization.objectives import steck_score
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast1

# divide(classes, positions), see `cutpoint.discretization.class_criteria`.
Divide = Callable[[np.ndarray, np.ndarray], np.ndarray]
CRITERIA: dict[str, Divide] = {"mdlp": divide_by_mdlp, "modl": divide_by_modl, "nml": divide_by_nml}


def divided(values: np.ndarray, classes: np.ndarray, divide: Divide) -> list[np.ndarray]:
    """Return the thresholds of each column that tell classes apart, whatever the other columns are.

    values: float64 [N, n]; classes: int64 [N], from 0 without gaps.
    """
    columns = SortedColumns(values, np.zeros(values.shape[1], bool))
    chosen = [divide(classes[order], columns.candidates(i)) for i, order in enumerate(columns.order)]
    return [columns.cuts(i, positions) for i, positions in enumerate(chosen)]


class Supervised:
    """Learns the thresholds of one variable given the configurations of its neighbours, by the rule `divide`.

    Under one graph it does so at most `max_cycles` times.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray, divide: Divide, max_cycles: int):
        self.columns = SortedColumns(values, discrete)
        self.divide, self.max_cycles = divide, max_cycles
        self._graph: Neighbourhood | None = None
        self._times: Counter[int] = Counter()
        self._cuts: dict[tuple, np.ndarray] = {}  # what was learned from the same neighbours under the same thresholds

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds none where the old ones stay."""
        if graph is not self._graph:
            self._graph, self._times = graph, Counter()
        self._times[variable] += 1
        neighbours = sorted({*graph.parents[variable], *graph.children[variable]})
        if not neighbours or self._times[variable] > self.max_cycles:
            return Proposal(None, 0)
        key = variable, *[(v, discretization.keys[v]) for v in neighbours]
        if key not in self._cuts:
            cells, _ = discretization.cells(neighbours, self.columns.order[variable])
            chosen = self.divide(cells.astype(np.int64), self.columns.candidates(variable))
            self._cuts[key] = self.columns.cuts(variable, chosen)
        cuts = self._cuts[key]
        stays = not cuts.size or np.array_equal(cuts, discretization.thresholds[variable])
        return Proposal(None if stays else cuts, int(self.columns.distinct[variable]) - 1)


def mdlp(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_cycles: AtLeast1 = 5,
) -> Learned:
    """Learn a structure, and thresholds by MDLP with the neighbours as the class (Fayyad and Irani 1993).

    `score` is Steck's L_P, which nothing here maximises. Arguments: see `Supervised` and
    `cutpoint.discretization.rules`.
    """
    return _learn(divide_by_mdlp, values, discrete, initial, search, max_cycles)


def modl(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = 1000,
    max_cycles: AtLeast1 = 5,
) -> Learned:
    """Learn a structure, and the most probable thresholds with the neighbours as the class (Boullé 2006).

    `score` is Steck's L_P, which nothing here maximises. Arguments: see `Supervised`,
    `divide_by_modl` and `cutpoint.discretization.rules`.
    """
    divide = partial(divide_by_modl, max_levels=max_levels, candidates=candidates)
    return _learn(divide, values, discrete, initial, search, max_cycles)


def nml(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    resolution: AboveZero = 5.0,
    max_cycles: AtLeast1 = 5,
) -> Learned:
    """Learn a structure, and thresholds by MIIC's criterion with the neighbours as the class (Cabeli et al. 2020).

    MIIC itself discretizes anew for each pair of variables. `score` is Steck's L_P, which nothing here maximises.
    Arguments: see `Supervised`, `divide_by_nml` and `cutpoint.discretization.rules`.
    """
    divide = partial(divide_by_nml, max_levels=max_levels, resolution=resolution)
    return _learn(divide, values, discrete, initial, search, max_cycles)


def _learn(divide, values, discrete, initial, search, max_cycles) -> Learned:
    discretization = Discretization(values, initial)
    discretizer = Supervised(discretization.values, discrete, divide, max_cycles)
    return learn_hybrid(discrete, discretization, discretizer, search, steck_score, until_repeat=True)
