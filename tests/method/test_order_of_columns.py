"""What of each method depends on the order of the columns, and that nothing does under `order: stable`."""

import math

import numpy as np
import pytest

from cutpoint.method.functions import options_of
from cutpoint.method.method import IN_WORKFLOW, Method
from cutpoint.method.rows import check_row, method_rows

ROWS = {name: row for name, row in method_rows().items() if row["category"] not in IN_WORKFLOW}


def takes_order(row):
    return row.get("learner") in ("hill_climbing", "tabu", "boss", "ges")


def data(seed, records=150, n=8):
    """Return values [records, n] of which each column follows up to two before it; the last but one are codes."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, n))
    for j in range(1, n):
        for parent in rng.choice(j, min(j, 2), replace=False):
            values[:, j] += rng.choice([-1, 1]) * values[:, parent]
    discrete = np.arange(n) == n - 2
    values[:, discrete] = values[:, discrete] > 0
    return values, discrete, rng.permutation(n)


def changes(method: Method, seed) -> set[str]:
    """Return what another order of the columns changes in a result, besides the order."""
    values, discrete, order = data(seed)
    learned = method.learn(np.asfortranarray(values), discrete)
    moved = method.learn(np.asfortranarray(values[:, order]), discrete[order])
    changed = set()
    if learned.thresholds is not None:
        same = [np.array_equal(learned.thresholds[i], cuts) for i, cuts in zip(order, moved.thresholds, strict=True)]
        changed |= set() if all(same) else {"thresholds"}
    for name in ("dag", "cpdag"):
        graph, other = getattr(learned, name), getattr(moved, name)
        if graph is not None and not np.array_equal(graph[np.ix_(order, order)], other):
            changed.add(name)
    for cost in ("score", "score_calls", "discretization_calls", "iterations"):
        costs = [getattr(learned, cost), getattr(moved, cost)]
        if None not in costs and not math.isclose(*costs, rel_tol=1e-9):
            changed.add(cost)
    return changed


def test_rows_of_greedy_searches_take_it_and_no_others():
    for name, row in ROWS.items():
        learner = check_row(row, name).functions["learner"]
        assert ("order" in options_of(learner.path)) == takes_order(row)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if takes_order(row)])
def test_nothing_depends_on_the_order_of_the_columns_in_a_stable_order(name):
    method = check_row(ROWS[name] | {"order": "stable"}, name)
    assert [changes(method, seed) for seed in range(2)] == [set(), set()]


# By row: what another order of the columns changes in some of the data sets, and what it changes in none.
DEPENDENCE = {
    "eqfreq3": ({"dag", "cpdag"}, {"thresholds"}),
    "eqwidth3": ({"dag"}, {"thresholds"}),
    "ruichu": ({"dag"}, {"thresholds"}),
    "hartemink": ({"dag", "cpdag", "thresholds"}, set()),
    "friedman3": ({"dag", "thresholds"}, set()),
    "monti3": ({"dag", "thresholds"}, set()),
    "steck3": ({"dag", "cpdag", "thresholds"}, set()),
    "mgcd": ({"dag", "thresholds"}, set()),
    "bach": ({"dag"}, set()),
    "gaussian_bic": ({"dag", "cpdag"}, set()),
    "pc_fisherz": ({"cpdag"}, set()),
    "pc_copula": ({"cpdag"}, set()),
    "miic": (set(), {"cpdag", "score_calls", "discretization_calls"}),
    "sparse_gaussian": ({"dag"}, set()),
    "conditional_gaussian": ({"dag"}, set()),
    "pc_g2": ({"cpdag"}, {"thresholds"}),
    "search.equal_frequency.bic.exact": ({"dag"}, {"thresholds", "score"}),
    "search.equal_frequency.bic.order_search": ({"dag"}, {"thresholds", "score"}),
    "hc_stable": (set(), {"dag", "cpdag", "thresholds", "score", "score_calls"}),
    "tabu_stable": (set(), {"dag", "cpdag", "thresholds", "score", "score_calls"}),
    "boss3": (set(), {"dag", "cpdag", "thresholds", "score", "score_calls"}),
    "bach_stable": (set(), {"dag", "cpdag", "score", "score_calls"}),
    "consensus": (set(), {"dag", "cpdag", "thresholds", "score_calls"}),
}


@pytest.mark.parametrize("name", DEPENDENCE)
def test_what_depends_on_the_order_of_the_columns_is_what_the_documentation_says(name):
    some, none = DEPENDENCE[name]
    few = {"restarts": 10} if "order_search" in name else {}
    method = check_row(ROWS[name] | few, name)
    changed = set().union(*(changes(method, seed) for seed in range(8)))
    assert some <= changed
    assert not none & changed
