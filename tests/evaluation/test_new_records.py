"""What new records say of learned graphs, against counts by hand, under other orders and names of the columns."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation.held_out import NewRecords
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.models import regression
from cutpoint.models.density import SmoothDensity

NAMES = ["a", "b", "c", "d"]
COLLIDER = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], bool)  # a -> c <- b, c -> d


def data_set(values, names=NAMES, discrete=()):
    flags = np.array([name in discrete for name in names])
    return DataSet([f"V{i}" for i in range(len(names))], list(names), np.asfortranarray(values), flags, {})


def draw(records, rng):
    a, b = rng.normal(0, 1, (2, records))
    c = a * b + a + b + rng.normal(0, 0.5, records)
    return np.column_stack([a, b, c, np.where(c > 0, 1.0, 0.0)])


def arranged(graph, judge):
    """A graph of NAMES in the order of the judge's variables."""
    places = [NAMES.index(name) for name in judge.variables]
    return graph[np.ix_(places, places)]


def by_hand(train, test, dag, thresholds):
    """Mean log density of test records above that without edges, record by record, by the formulas of `binned_gain`."""
    total = 0.0
    codes = [[tuple(np.searchsorted(cuts, x, side="right") for cuts, x in zip(thresholds, row, strict=True))
              for row in values] for values in (train, test)]  # fmt: skip
    for child in range(len(thresholds)):
        parents = np.flatnonzero(dag[:, child]).tolist()
        if not parents:
            continue
        masses = SmoothDensity(train[:, child]).masses(thresholds[child])
        levels, seen = range(len(masses)), Counter((tuple(row[p] for p in parents), row[child]) for row in codes[0])
        alone = [(sum(row[child] == k for row in codes[0]) + masses[k]) / (len(train) + 1) for k in levels]
        for row in codes[1]:
            u = tuple(row[p] for p in parents)
            within = sum(seen[u, k] for k in levels)
            given_u = [(seen[u, k] + alone[k]) / (within + 1) for k in levels]
            scale = sum(masses[k] * given_u[k] / alone[k] for k in levels)
            total += math.log(given_u[row[child]] / alone[row[child]] / scale)
    return total / test.size


def test_tables_of_own_levels_are_counts_by_hand(rng):
    train, test = rng.normal(0, 1, (60, 4)), rng.normal(0, 1, (40, 4))
    for values in (train, test):
        values[:, 2] += values[:, 0] - values[:, 1]
    judge = NewRecords(data_set(train), data_set(test))
    cuts = {"a": [0.0], "b": [-0.5, 0.5], "c": [-1.0, 0.0, 1.0], "d": []}
    thresholds = [np.array(cuts[name]) for name in judge.variables]
    gain = judge.measure(arranged(COLLIDER, judge), "dag", thresholds)["held_out_own"]
    places = [NAMES.index(name) for name in judge.variables]
    dag = consistent_extension(cpdag(arranged(COLLIDER, judge)))[0]
    assert gain == pytest.approx(by_hand(train[:, places], test[:, places], dag, thresholds), abs=1e-10)


def test_dependence_that_is_there_is_worth_more_than_none(rng):
    judge = NewRecords(data_set(draw(2000, rng), discrete="d"), data_set(draw(500, rng), discrete="d"))
    thresholds = [np.empty(0) if name == "d" else np.array([-0.5, 0.5]) for name in judge.variables]
    none = judge.measure(np.zeros((4, 4), bool), "dag", thresholds)
    assert none == {"held_out_splines": 0.0, "held_out_tables": 0.0, "held_out_own": 0.0}
    gains = judge.measure(arranged(COLLIDER, judge), "dag", thresholds)
    assert min(gains.values()) > 0.05
    wrong = np.zeros((4, 4), bool)
    wrong[0, 1] = True  # two independent causes
    assert max(judge.measure(arranged(wrong, judge), "dag", thresholds).values()) < 0.005
    assert judge.measure(arranged(COLLIDER, judge), "dag", None)["held_out_own"] is None


@given(st.permutations(range(4)), st.permutations(range(4)), st.integers(0, 100))
def test_neither_names_nor_the_order_of_columns_matter(order, other, seed):
    rng = np.random.default_rng(seed)
    train, test = draw(80, rng), draw(30, rng)
    results = []
    for first, second, names in ((range(4), range(4), NAMES), (order, other, ["w", "x", "y", "z"])):
        judge = NewRecords(
            data_set(train[:, first], [names[i] for i in first], names[3]),
            data_set(test[:, second], [names[i] for i in second], names[3]),
        )
        places = [names.index(name) for name in judge.variables]
        graph = COLLIDER[np.ix_(places, places)]
        results.append(judge.measure(graph, "dag", [np.array([0.1]) if i < 3 else np.empty(0) for i in places]))
    assert results[0] == results[1]


def test_equivalent_graphs_are_worth_the_same(rng):
    judge = NewRecords(data_set(draw(300, rng), discrete="d"), data_set(draw(100, rng), discrete="d"))
    chain = np.zeros((4, 4), bool)
    chain[0, 2] = chain[2, 3] = True
    pattern = judge.measure(arranged(cpdag(chain), judge), "pdag", None)
    assert all(judge.measure(arranged(graph, judge), "dag", None) == pattern for graph in (chain, chain.T))


def test_records_of_something_else_are_refused(rng):
    train = data_set(draw(50, rng), discrete="d")
    with pytest.raises(InputError, match="other variables than"):
        NewRecords(train, data_set(draw(20, rng), ["a", "b", "c", "e"]))
    with pytest.raises(InputError, match="other variables are discrete"):
        NewRecords(train, data_set(draw(20, rng)))


def test_a_judge_that_cannot_be_fitted_leaves_the_others(rng, monkeypatch):
    def singular(features, child):
        raise np.linalg.LinAlgError("Singular matrix")

    judge = NewRecords(data_set(draw(80, rng), discrete="d"), data_set(draw(20, rng), discrete="d"))
    monkeypatch.setattr(regression, "linear", singular)
    gains = judge.measure(arranged(COLLIDER, judge), "dag", None)
    assert gains["held_out_splines"] is None
    assert isinstance(gains["held_out_tables"], float)
