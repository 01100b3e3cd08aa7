"""Log-likelihood of held-out records: how much of the dependence a graph catches, whatever the method that learned it.

All graphs have the same marginal g of every variable (`cutpoint.models.density`), on the scale of the data, and a
variable without parents has no other: graphs differ only in what the parents add. That depends on the family of
conditional densities too (`cutpoint.bench.evaluation.evaluators`), so every graph is judged under the same families
and under the levels that came with it, and by the one that a cross-validation of the training records finds best.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.data.status import ERROR, OK
from cutpoint.bench.evaluation.evaluators import Evaluator, LevelTables, Regressions
from cutpoint.bench.evaluation.results import Key, Results
from cutpoint.data.anonymous import canonical_order
from cutpoint.data.imputation import impute
from cutpoint.discretization.binning import equal_frequency
from cutpoint.graphs.dags import check_acyclic
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.models.curves import CURVE, LINE, features_of
from cutpoint.models.density import SmoothDensity, shares

OWN, GAUSSIAN, SPLINES, FREQUENCY = "own", "gaussian", "splines", "eqfreq"
BINS = (2, 3, 4, 5, 6, 8, 10)  # levels of equal frequency that are tried
SHARED = {  # evaluators that all graphs have in common, by family
    GAUSSIAN: (GAUSSIAN,),
    SPLINES: (SPLINES,),
    FREQUENCY: tuple(f"{FREQUENCY}{k}" for k in BINS),
}
INNER = 3  # folds of the training records
TRUTH = "true graph"  # in place of a method


class HeldOut:
    """Training and test records, float64 [N, n] and [M, n], with their marginals, for any number of graphs.

    Discrete columns, bool [n], hold codes 0..r-1, where r is their cardinality; those of other columns are not read.
    """

    def __init__(self, train: np.ndarray, test: np.ndarray, discrete: np.ndarray, cardinalities: np.ndarray):
        n = train.shape[1]
        if not len(train):
            raise InputError("train: at least one record is needed")
        if test.shape[1] != n or len(discrete) != n or len(cardinalities) != n:
            raise InputError(f"train has {n} columns: test, discrete and cardinalities must have as many")
        self.records, self.n, self.discrete = len(train), n, np.asarray(discrete, bool)
        self._values = np.concatenate([train, test]).T.copy()
        self._levels = [int(r) if keep else 0 for r, keep in zip(cardinalities, self.discrete, strict=True)]
        for i in np.flatnonzero(self.discrete).tolist():
            if len(self._values[i]) and not 0 <= self._values[i].min() <= self._values[i].max() < self._levels[i]:
                raise InputError(f"column {i} holds codes beyond its {self._levels[i]} levels: give its cardinality")
        self._densities = {i: SmoothDensity(train[:, i]) for i in np.flatnonzero(~self.discrete).tolist()}
        # the log density of each test record under the model without edges, float64 [M], in nats
        self.independence = np.sum([self._marginal(i) for i in range(n)], axis=0) if n else np.zeros(len(test))
        # what graphs, methods and evaluators share is made once
        self._level, self._gain = cache(self._make_level), cache(self._make_gain)
        self._evaluator, self._scores = cache(self._make_evaluator), cache(self._make_scores)

    def log_density(self, dag: np.ndarray, evaluator: str | Evaluator) -> np.ndarray:
        """Return the log density of each test record under the model of a graph, bool [n, n]; float64 [M], in nats.

        The evaluator is one of `levels`, or the name of one in `SHARED`, which is fitted once to a family of any
        graphs.
        """
        if np.shape(dag) != (self.n, self.n):
            raise InputError(f"dag: {self.n} variables are expected")
        total = self.independence.copy()
        for child in np.flatnonzero(np.any(dag, axis=0)).tolist():
            parents = tuple(np.flatnonzero(dag[:, child]).tolist())
            if isinstance(evaluator, str):
                total += self._gain(evaluator, child, parents)
            else:
                total += evaluator.gain(child, parents)
        return total

    def levels(self, thresholds: Sequence[np.ndarray]) -> LevelTables:
        """Return the evaluator by tables of the levels between sorted thresholds, not read for discrete columns."""
        if len(thresholds) != self.n:
            raise InputError(f"thresholds: {self.n} variables are expected")
        keys = [b"" if self.discrete[i] else np.asarray(cuts, float).tobytes() for i, cuts in enumerate(thresholds)]
        columns = [self._level(i, key) for i, key in enumerate(keys)]
        return LevelTables([codes for codes, _ in columns], [masses for _, masses in columns], self.records)

    def _make_level(self, i: int, thresholds: bytes) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes of a column, in few bytes, and the mass of each level."""
        masses = self._masses(i, cuts := np.frombuffer(thresholds))
        return self._codes(i, cuts).astype(np.min_scalar_type(len(masses))), masses

    def _make_gain(self, name: str, child: int, parents: tuple[int, ...]) -> np.ndarray:
        return self._evaluator(name).gain(child, parents)

    def _make_evaluator(self, name: str) -> Evaluator:
        if name in (GAUSSIAN, SPLINES):
            return self._regressions(name)
        train = np.asfortranarray(self._values[:, : self.records].T)
        return self.levels(equal_frequency(train, self.discrete, bins=int(name.removeprefix(FREQUENCY))))

    def _regressions(self, name: str) -> Regressions:
        scores, kind = [self._scores(i) for i in range(self.n)], CURVE if name == SPLINES else LINE
        features = [features_of(z, r, kind) for z, r in zip(scores, self._levels, strict=True)]
        masses = [self._masses(i, np.empty(0)) if keep else None for i, keep in enumerate(self.discrete)]
        return Regressions(scores, features, masses, self.records)

    def _make_scores(self, i: int) -> np.ndarray:
        return self._codes(i, np.empty(0)) if self.discrete[i] else self._densities[i].normal_scores(self._values[i])

    def _codes(self, i: int, cuts: np.ndarray) -> np.ndarray:
        if self.discrete[i]:
            return self._values[i].astype(np.int64)
        return np.searchsorted(cuts, self._values[i], side="right")

    def _masses(self, i: int, cuts: np.ndarray) -> np.ndarray:
        if levels := self._levels[i]:
            return shares(self._values[i, : self.records].astype(np.int64), np.full(levels, 1 / levels))
        return self._densities[i].masses(np.asarray(cuts, float))

    def _marginal(self, i: int) -> np.ndarray:
        tests = self._values[i, self.records :]
        if self.discrete[i]:
            return np.log(self._masses(i, np.empty(0)))[tests.astype(np.int64)]
        return self._densities[i].log_density(tests)


class HeldOutFold:
    """One fold of a cross-validation: its records, and how likely they are without edges and under graphs.

    Held are the records held out, bool [N], and inner the fold of each of the others in the cross-validation that
    chooses the evaluator. The variables stand in an order that information decides: neither names nor the order of the
    columns play a part.
    """

    def __init__(self, data: DataSet, held: np.ndarray, inner: np.ndarray, identity: dict[str, Any]):
        order = canonical_order(data.values, data.discrete)
        self.variables, self.identity = [data.variables[i] for i in order], identity
        values, discrete = data.values[:, order], data.discrete[order]
        levels = np.array([data.about["cardinalities"].get(name, 0) for name in self.variables], np.int64)
        train = values[~held]
        self.model = HeldOut(train, values[held], discrete, levels)
        self._inner = [HeldOut(train[inner != k], train[inner == k], discrete, levels) for k in np.unique(inner)]
        self.about = {"records": int(held.sum()), "independence": float(self.model.independence.sum())}

    def row(self, method: str, results: Results) -> dict[str, Any]:
        """Return the log-likelihoods of one method's graph; none where it has no graph or the model fails."""
        key = (method, self.identity["cell"], self.identity["replicate"])
        run = results.run(key)
        about = {"status": run["status"], "message": run["message"]}
        result = about if run["status"] != OK else about | _tried(lambda: self._of_run(key, run, results))
        return {"method": method} | self.identity | self.about | result

    def true_row(self, dag: np.ndarray) -> dict[str, Any]:
        """Return the log-likelihoods of the true graph, bool [n, n] in the order of `variables`, without thresholds."""
        result = {"status": OK, "message": ""} | _tried(lambda: self.judged(cpdag(dag), None) | {OWN: None})
        return {"method": TRUTH} | self.identity | self.about | result

    def _of_run(self, key: Key, run: Mapping[str, Any], results: Results) -> dict[str, Any]:
        if run["kind"] is None:
            raise InputError(f"{key[0]}: no graph")
        graph = results.graph(key, self.variables)
        if run["kind"] == "dag":
            check_acyclic(graph, key[0])
            graph = cpdag(graph)
        return self.judged(graph, None if run["levels"] is None else results.thresholds(key, self.variables))

    def judged(self, pattern: np.ndarray, thresholds: Sequence[np.ndarray] | None) -> dict[str, Any]:
        """Return the log-likelihood of the fold under each evaluator of a pattern, bool [n, n], and under the best one.

        Which is the best, and how many levels of equal frequency are, is decided by the training records alone: by the
        sum of the log densities of each inner fold under what is fitted to the others. (The graph and its own
        thresholds were learned from all of them, so that the choice is not blind to these; the value is.)
        """
        dag = consistent_extension(pattern)[0]
        menu = SHARED if thresholds is None else {**SHARED, OWN: (OWN,)}
        scores = {
            name: sum(_total(model, dag, name, thresholds) for model in self._inner)
            for names in menu.values()
            for name in names
        }
        chosen = {family: max(names, key=scores.__getitem__) for family, names in menu.items()}
        totals = {family: _total(self.model, dag, name, thresholds) for family, name in chosen.items()}
        if lost := [family for family, total in totals.items() if not np.isfinite(total)]:
            raise InputError(f"evaluator {lost[0]}: the held-out log-likelihood is {totals[lost[0]]}")
        best = max(chosen, key=lambda family: scores[chosen[family]])
        levels = int(chosen[FREQUENCY].removeprefix(FREQUENCY))
        return {OWN: totals[GAUSSIAN]} | totals | {"levels": levels, "evaluator": best, "log_likelihood": totals[best]}


def filled(data: DataSet, held: np.ndarray, rng: np.random.Generator) -> tuple[DataSet, np.ndarray]:
    """Return a data set without missing cells (NaN), and which of its records are held out, bool [N].

    Cells of the training records are filled in from these alone. A held-out record with a missing cell is left out:
    filled in, it would be judged by what a model put there.
    """
    if not np.isnan(data.values).any():
        return data, held
    kept = ~held | ~np.isnan(data.values).any(axis=1)
    values, held = data.values[kept], held[kept]
    if not held.any():
        raise InputError("held out: each record of a fold has a missing cell; use missing=drop, or leave columns out")
    values[~held] = impute(values[~held], data.discrete, rng)
    return replace(data, values=np.asfortranarray(values)), held


def _total(model: HeldOut, dag: np.ndarray, name: str, thresholds: Sequence[np.ndarray] | None) -> float:
    evaluator = model.levels(thresholds) if name == OWN and thresholds is not None else name
    return float(model.log_density(dag, evaluator).sum())


def _tried(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return make()
    except (InputError, ArithmeticError, np.linalg.LinAlgError) as problem:
        return {"status": ERROR, "message": str(problem)}


# Log density of new records of the same network and noise under the graphs that were learned, by three judges

TABLES = "eqfreq5"
JUDGES = {"held_out_splines": SPLINES, "held_out_tables": TABLES}  # what all graphs have in common
OWN_LEVELS = "held_out_own"


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
        (see `HeldOut`), so that 0 is the graph without edges and the differences are those of
        the parents. A graph, bool [n, n], stands for its equivalence class. It is judged under regressions on splines
        of the parents, under tables of five levels of equal frequency, and under tables of its own levels (None without
        thresholds). None too where a judge cannot be fitted: the other metrics of the run do not fall with it.
        """
        dag = consistent_extension(cpdag(graph) if kind == "dag" else graph)[0]
        judges = {**JUDGES, OWN_LEVELS: None if thresholds is None else self._model.levels(thresholds)}
        return {name: None if judge is None else self._gain(dag, judge) for name, judge in judges.items()}

    def _gain(self, dag: np.ndarray, judge: Any) -> float | None:
        try:
            gains = self._model.log_density(dag, judge) - self._model.independence
        except (ArithmeticError, np.linalg.LinAlgError):
            return None
        mean = float(gains.sum()) / self._cells
        return mean if math.isfinite(mean) else None
