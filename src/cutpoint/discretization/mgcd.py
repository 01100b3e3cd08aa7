"""MGCD: thresholds by mixtures of Gaussians given the Markov blanket (Mabrouk et al. 2015)."""

from typing import Any

import numpy as np

from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.discretization.loop import Discretization, Neighbourhood, Proposal
from cutpoint.discretization.mixtures import Mixture, Sample, StandardizedValues, check_levels, choose, thresholds
from cutpoint.discretization.stepwise import StepwiseSearch, learn_stepwise
from cutpoint.kernels.blankets import compact, refine
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast1


class Clustering:
    """Learns the thresholds of one variable from the mixture given its Markov blanket.

    Thresholds that were learned under the same blanket (variables and thresholds) are looked up. min_levels and
    max_levels limit the number of components.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray, *, min_levels: int = 2, max_levels: int = 8):
        check_levels(values, min_levels, max_levels)
        self._limits: dict[str, Any] = {"min_levels": min_levels, "max_levels": max_levels}
        self._columns = {int(i): StandardizedValues(values[:, i]) for i in np.flatnonzero(~discrete)}
        self._previous: dict[int, Mixture] = {}
        self._results: dict[tuple, tuple[np.ndarray, int]] = {}

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds none if the codes stay as they are.

        Its calls are the runs of EM, one for each start; they count again where the result is looked up.
        """
        blanket = graph.blankets[variable]
        key = (variable, blanket, tuple([discretization.keys[v] for v in blanket]))
        if key not in self._results:
            self._results[key] = self._learn(variable, blanket, discretization)
        cuts, calls = self._results[key]
        places = self._columns[variable].sorted.searchsorted
        same = np.array_equal(places(cuts), places(discretization.thresholds[variable]))
        return Proposal(None if same else cuts, calls)

    def _learn(self, variable: int, blanket: tuple[int, ...], discretization: Discretization) -> tuple[np.ndarray, int]:
        column = self._columns[variable]
        cells = np.zeros(column.order.size, np.uint32)
        q = 1
        for v in blanket:
            q = refine(cells, q, discretization.codes[v], discretization.levels[v], column.order, cells)
        sample = Sample(column, cells, compact(cells, q))
        mixture = choose(sample, previous=self._previous.get(variable), **self._limits)
        self._previous[variable] = mixture
        return thresholds(column, mixture), sample.runs


def mgcd(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    search: StepwiseSearch,
    min_levels: AtLeast1 = 2,
    max_levels: AtLeast1 = 8,
) -> Learned:
    """Learn a structure, and thresholds by clustering given the Markov blanket (Mabrouk et al. 2015).

    Algorithm 1 with the mixtures of `Clustering`. The first thresholds are those of an empty graph, in which
    each variable stands alone. Arguments: see `cutpoint.discretization.rules`, for the search
    `cutpoint.discretization.stepwise`; min_levels and max_levels limit the number of levels of a variable.
    """
    discretizer = Clustering(values, discrete, min_levels=min_levels, max_levels=max_levels)
    none = np.empty(0)
    discretization = Discretization(
        values, [discrete_thresholds(x) if keep else none for x, keep in zip(values.T, discrete, strict=True)]
    )
    return learn_stepwise(discrete, discretization, discretizer, search)
