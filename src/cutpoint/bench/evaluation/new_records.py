"""Log density of new records of the same network and noise under the graphs that were learned, by three judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation.held_out import SPLINES, HeldOut
from cutpoint.data.anonymous import canonical_order
from cutpoint.graphs.patterns import consistent_extension, cpdag

TABLES = "eqfreq5"
JUDGES = {"held_out_splines": SPLINES, "held_out_tables": TABLES}  # what all graphs have in common
OWN = "held_out_own"


class NewRecords:
    """New records beside those that graphs were learned from, of the same variables in any order.

    The variables, in whose order graphs and thresholds are given, stand in an order that depends on the values alone.
    """

    def __init__(self, learned: DataSet, new: DataSet):
        order = canonical_order(learned.values, learned.discrete)
        self.variables = [learned.variables[i] for i in order]
        if {*self.variables} != {*new.variables}:
            raise InputError("the records held out have other variables than those learned from")
        train, discrete = learned.values[:, order], learned.discrete[order]
        places = [new.variables.index(name) for name in self.variables]
        test = new.values[:, places]
        if not np.array_equal(discrete, new.discrete[places]):
            raise InputError("of the records held out other variables are discrete than of those learned from")
        levels = np.where(discrete, np.maximum(train.max(0), test.max(0)) + 1, 0).astype(np.int64)
        self._model = HeldOut(train, test, discrete, levels)
        self._cells = test.size

    def measure(self, graph: np.ndarray, kind: str, thresholds: Sequence[np.ndarray] | None) -> dict[str, Any]:
        """Return how much more likely a graph makes the new records than no edges do, in nats per record and variable.

        The parameters are those of the records that were learned from, and the marginals are the same for all graphs
        (`cutpoint.bench.evaluation.held_out`), so that 0 is the graph without edges and the differences are those of
        the parents. A graph, bool [n, n], stands for its equivalence class. It is judged under regressions on splines
        of the parents, under tables of five levels of equal frequency, and under tables of its own levels (None without
        thresholds). None too where a judge cannot be fitted: the other metrics of the run do not fall with it.
        """
        dag = consistent_extension(cpdag(graph) if kind == "dag" else graph)[0]
        judges = {**JUDGES, OWN: None if thresholds is None else self._model.levels(thresholds)}
        return {name: None if judge is None else self._gain(dag, judge) for name, judge in judges.items()}

    def _gain(self, dag: np.ndarray, judge: Any) -> float | None:
        try:
            gains = self._model.log_density(dag, judge) - self._model.independence
        except (ArithmeticError, np.linalg.LinAlgError):
            return None
        mean = float(gains.sum()) / self._cells
        return mean if math.isfinite(mean) else None
