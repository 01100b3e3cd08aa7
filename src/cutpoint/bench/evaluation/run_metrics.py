"""Metrics of one run: its graph and thresholds against the true ones, or its KGV gain on real data."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gadjid
import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.bench.data.params import Runs
from cutpoint.bench.data.parquet import DataFile, data_sets, open_parts
from cutpoint.bench.data.status import ERROR, OK
from cutpoint.bench.evaluation.own_metrics import OwnMetrics, own_values
from cutpoint.bench.evaluation.results import Key, Results, dag_of
from cutpoint.graphs.dags import is_dag, skeleton
from cutpoint.graphs.metrics import metrics
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.networks.network import Network

if TYPE_CHECKING:
    from cutpoint.bench.evaluation.held_out import NewRecords  # few studies judge densities, which takes SciPy
    from cutpoint.learners.kgv import KGV  # compiled, and needed for real data alone


def structure_metrics(graph: np.ndarray, true: np.ndarray) -> dict[str, Any]:
    """Return counts, distances and rates of a learned graph, None if undefined; see `metrics`, `adjustment_distances`.

    Args:
        graph: bool [n, n], a DAG or a pattern.
        true: bool [n, n], the true DAG or its pattern.
    """
    pattern, whole = (cpdag(graph), True) if is_dag(graph) else (graph, False)
    return _defined(metrics(pattern, true)) | adjustment_distances(pattern, true, whole=whole)


def _defined(measured: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if isinstance(x, float) and math.isnan(x) else x for name, x in measured.items()}


class TrueThresholds:
    """The true thresholds of the continuous variables of one data set, to compare learned ones with."""

    def __init__(self, values: np.ndarray, thresholds: Sequence[np.ndarray], continuous: np.ndarray):
        self.ordered = {i: np.sort(values[:, i]) for i in np.flatnonzero(continuous).tolist()}
        self.spread = {i: float(column.std()) for i, column in self.ordered.items()}
        self.true = {i: thresholds[i].tolist() for i in self.ordered}

    def compare(self, learned_lists: Sequence[np.ndarray]) -> dict[str, float | None]:
        """Return how near learned thresholds are to the true ones, as means over the continuous variables.

        ``threshold_error``: mean distance of a true threshold to the nearest learned one in standard deviations of the
        variable, half its range where none was learned; ``level_error``: absolute difference of the learned and the
        true number of levels; ``adjusted_rand``: of the codes (Hubert and Arabie 1985).
        """
        errors, levels, agreements = [], [], []
        for i, column in self.ordered.items():
            learned, true = learned_lists[i].tolist(), self.true[i]
            levels.append(abs(len(learned) - len(true)))
            agreements.append(adjusted_rand(column, learned, true))
            if true and self.spread[i] > 0:
                errors.append(_distance(column, learned, true) / self.spread[i])
        return {"threshold_error": _mean(errors), "level_error": _mean(levels), "adjusted_rand": _mean(agreements)}


def _distance(ordered: np.ndarray, learned: Sequence[float], true: Sequence[float]) -> float:
    if not learned:
        return float(ordered[-1] - ordered[0]) / 2
    return math.fsum(min(abs(cut - other) for other in learned) for cut in true) / len(true)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def adjusted_rand(ordered: np.ndarray, learned: Sequence[float], true: Sequence[float]) -> float:
    """Return the adjusted Rand index of two codings of a sorted column by thresholds, 1 when they agree.

    The records of one code stand together, so that the contingency table is the lengths of the pieces between all
    thresholds (Hubert and Arabie 1985).
    """
    places, n = ordered.searchsorted([*learned, *true]).tolist(), len(ordered)
    both, one, other = (_pairs(cuts, n) for cuts in (places, places[: len(learned)], places[len(learned) :]))
    expected, highest = one * other / max(n * (n - 1) // 2, 1), (one + other) / 2
    return 1.0 if highest == expected else (both - expected) / (highest - expected)


def _pairs(places: Sequence[int], n: int) -> int:
    """Return how many pairs of n records are in the same piece when the row is cut at places."""
    total, start = 0, 0
    for end in sorted(places):
        total, start = total + (end - start) * (end - start - 1), end
    return (total + (n - start) * (n - start - 1)) // 2


def real_metrics(score: KGV, graph: np.ndarray, kind: str, source: str) -> dict[str, Any]:
    """Return the KGV gain over the empty graph, with which Fu compares structures on real data (V.2.2)."""
    from cutpoint.learners.scores import network_score

    dag, exact = dag_of(graph, kind, source)
    return {
        "kgv_gain": network_score(score, dag),
        "extension_exact": exact,
        "learned_edges": int(skeleton(graph).sum()) // 2,
    }


def run_columns(run: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a run, with the sum of its CPU seconds."""
    stages = [run.get(name) for name in ("discretize_seconds", "learn_seconds")]
    measured = [seconds for seconds in stages if seconds is not None]
    return {**run, "seconds": math.fsum(measured) if measured else None}


# How far data give the order of the variables away: 1/2 says nothing, 1 and 0 give it away altogether

TIE = 1e-9  # scores closer than this, relative to the larger, are equal but for rounding
RIDGE = 1e-10  # what others determine altogether has an R^2 of 1, and no inverse without it


def var_sortability(values: np.ndarray, dag: np.ndarray) -> float:
    """Return how far variances of values [N, n] grow along true arcs [n, n], from 0 to 1; NaN without arcs.

    A. Reisach, C. Seiler, S. Weichwald, "Beware of the simulated DAG!", NeurIPS 2021.
    """
    return sortability(values.var(0), dag)


def r2_sortability(values: np.ndarray, dag: np.ndarray) -> float:
    """Return how far the share of a variable's variance that all others explain grows along arcs; NaN without any.

    A. Reisach, M. Tami, C. Seiler, A. Chambaz, S. Weichwald, "A scale-invariant sorting criterion to find a causal
    order in additive noise models", NeurIPS 2023.
    """
    return sortability(explained(values), dag)


def explained(values: np.ndarray) -> np.ndarray:
    """Return R^2 of the linear regression of each variable on all others, float64 [n]; 0 of a constant."""
    scaled = values - values.mean(0)
    scaled /= np.where((spread := scaled.std(0)) > 0, spread, 1)
    correlations = scaled.T @ scaled / len(values)
    np.fill_diagonal(correlations, 1 + RIDGE)
    return 1 - 1 / np.diag(np.linalg.inv(correlations))


def sortability(scores: np.ndarray, dag: np.ndarray) -> float:
    """Return how often a score, float64 [n] of at least 0, is lower where a path starts than where it ends, ties half.

    For each length the pairs of variables count that a directed path of so many arcs joins.
    """
    larger = np.maximum(scores[:, None], scores)
    rises = np.where(np.abs(scores - scores[:, None]) <= TIE * larger, 0.5, scores > scores[:, None])
    ordered, pairs, reached = 0.0, 0, dag
    while reached.any():
        ordered, pairs = ordered + float(rises[reached].sum()), pairs + int(reached.sum())
        reached = reached @ dag
    return ordered / pairs if pairs else np.nan


SORTABILITIES = {"var": var_sortability, "r2": r2_sortability}


class MetricsCase:
    """One data set and what the runs on it are compared with.

    That is the true network, if there is one, and further records of the same network and noise (`new`), if there are.
    """

    def __init__(
        self,
        identity: dict[str, Any],
        file: DataFile,
        networks: Mapping[str, Network],
        new: DataFile | None = None,
        own: OwnMetrics | None = None,
    ):
        self.identity, self.variables, self._own = identity, list[str](), own or {}
        about = file.metadata
        if file.available:
            data = file.read(identity["replicate"])
            self.variables, about = data.variables, data.about
        self.about: dict[str, Any] = {key: about.get(key) for key in ("network", "n", "noise", "sigma")}
        self._true: np.ndarray | None = None
        if about.get("truth"):
            true = networks[about["truth"]].dag_of(self.variables)
            self._true = cpdag(true)
            if self.about["network"]:
                self.about |= _defined(
                    {f"{name}_sortability": of(data.values, true) for name, of in SORTABILITIES.items()}
                )
        self._thresholds: TrueThresholds | None = None
        self._new: NewRecords | None = None
        if self.about["network"]:
            if new is not None:
                from cutpoint.bench.evaluation.held_out import NewRecords

                self._new = NewRecords(data, new.read(identity["replicate"]))
            if about["thresholds"] is not None:
                thresholds = [np.array(about["thresholds"].get(v, ())) for v in data.columns]
                self._thresholds = TrueThresholds(data.values, thresholds, ~data.discrete)
        else:
            self.about |= {"dataset": about.get("dataset", identity["cell"])}
            if file.available:
                self.about["n"] = len(data.values)
                from cutpoint.learners.kgv import kgv

                self._score = kgv(data.values, data.discrete)

    def row(self, method: str, results: Results) -> dict[str, Any]:
        """Return the metrics of one method's run; its status is "error" where they cannot be computed."""
        key = (method, self.identity["cell"], self.identity["replicate"])
        run = results.run(key)
        row = {"method": method} | self.identity | self.about | run_columns(run)
        if run["status"] != OK:
            return row
        try:
            return row | self._measure(key, run, results)
        except InputError as problem:
            return row | {"status": ERROR, "message": str(problem)}

    def _measure(self, key: Key, run: Mapping[str, Any], results: Results) -> dict[str, Any]:
        graph = results.graph(key, self.variables)
        if run["kind"] is None:
            raise InputError(f"{key[0]}: no graph")
        measured: dict[str, Any] = {}
        if run["levels"] is not None and self._thresholds:
            measured = dict(self._thresholds.compare(results.thresholds(key, self.variables)))
        if self._true is not None:
            measured |= structure_metrics(graph, self._true)
            values, problem = own_values(self._own, cpdag(graph) if is_dag(graph) else graph, self._true)
            measured |= values | ({"message": problem} if problem else {})
        if self._new is not None:
            variables, discretized = self._new.variables, run["levels"] is not None
            thresholds = results.thresholds(key, variables) if discretized else None
            measured |= self._new.measure(results.graph(key, variables), run["kind"], thresholds)
        if self.about["network"]:
            return measured
        return measured | real_metrics(self._score, graph, run["kind"], key[0])


def metrics_of(
    data: str,
    networks: Mapping[str, Network],
    further: Iterable[str],
    runs: Iterable[Runs],
    results: Results,
    own: OwnMetrics | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the metrics of runs on the data sets of a file, the user's `own` too; further are held-out records."""
    new = {_origin(part): part for path in further for part in open_parts(path)}
    of_cell: dict[str, list[Runs]] = {}
    for some in runs:
        of_cell.setdefault(some.cell, []).append(some)
    for identity, file in data_sets(data):
        case, measured = MetricsCase(identity, file, networks, new.get(_origin(file)), own), dict[str, dict[str, Any]]()
        for some in of_cell[identity["cell"]]:
            for method in some.methods if identity["replicate"] in some.replicates else ():
                measured[method] = measured.get(method) or case.row(method, results)
                yield {"study": some.study, "grid": some.grid} | measured[method]
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())


def _origin(part: DataFile) -> tuple[Any, Any] | None:
    """Return the network and the noise of simulated data; None of the records from which targets are predicted."""
    about = part.metadata
    return None if about.get("part") == "test" else (about.get("network"), about.get("noise"))


ROWS_TO_COLUMNS = "from row to column"


def adjustment_distances(graph: np.ndarray, true: np.ndarray, *, whole: bool = False) -> dict[str, float | bool | None]:
    """Return ``parent_aid`` and ``ancestor_aid``, and whether the graph stands for a class of DAGs.

    A distance is the share, 0 to 1, of the n (n - 1) ordered pairs (t, y) for which the formula that the learned
    pattern gives for the effect of t on y is wrong in the true one: not a valid adjustment, an effect called zero that
    is not, or one called unidentifiable that can be identified, or the other way round (Henckel, Würtzen and Weichwald
    2024). The parents of t are adjusted for, or its ancestors; for DAGs the first is the structural intervention
    distance (Peters and Bühlmann 2015). Both ask for completed patterns. A learned pattern that is none, as that of PC
    may be, stands for the class of its consistent extensions, which have one skeleton and the same colliders; without
    any it stands for no class and has no distance (None), and ``extension_exact`` is False.

    Args:
        graph: bool [n, n], a DAG or a pattern, of which `whole` says that it is the completed one of a DAG.
        true: bool [n, n], the true DAG or its completed pattern.
    """
    dag, exact = (graph, True) if whole or is_dag(graph) else consistent_extension(graph)
    if not exact or len(graph) < 2:
        return {"parent_aid": None, "ancestor_aid": None, "extension_exact": exact}
    learned, truth = _coded(graph if whole else cpdag(dag)), _coded(cpdag(true) if is_dag(true) else true)
    return {
        "parent_aid": gadjid.parent_aid(truth, learned, ROWS_TO_COLUMNS)[0],
        "ancestor_aid": gadjid.ancestor_aid(truth, learned, ROWS_TO_COLUMNS)[0],
        "extension_exact": True,
    }


def _coded(pattern: np.ndarray) -> np.ndarray:
    """Return a pattern as gadjid has it, int8 [n, n]: 1 for i -> j, and 2 once for i - j."""
    undirected = pattern & pattern.T
    return (pattern & ~undirected).astype(np.int8) + 2 * np.triu(undirected).astype(np.int8)
