"""The stable order: against a slow twin, and the searches in it under every order of the columns."""

import ast
import re
from functools import partial
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
import references
from families import dependent
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint import api
from cutpoint.base.errors import InputError
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.kgv import kgv
from cutpoint.learners.normal_scores import gaussian_bic
from cutpoint.learners.scores import bdeu, bic, k2, log_likelihood, mdl, stable_order

N = 5
SEARCHES = {"hill_climbing": hill_climbing, "tabu": tabu, "graphs": partial(tabu, tabu_list="graphs")}
DISCRETE = {"bdeu": bdeu, "bic": bic, "k2": k2, "mdl": mdl, "ll": partial(log_likelihood)}
CONTINUOUS = {"gaussian_bic": gaussian_bic, "kgv": kgv}


def slow_order(values, alone, gain, tie=1e-6):
    """Sort the columns of [N, n] by what stands in the paper, each number afresh, and by their values at last.

    alone(i): the score without parents; gain(i, p): what a single parent adds to it; tie: what is nearer is equal.
    """
    n = values.shape[1]

    def gaps_above(i, numbers):
        falling = sorted(numbers, reverse=True)
        return sum(a - b > tie and b >= numbers[i] for a, b in pairwise(falling))

    alones = [alone(i) for i in range(n)]
    means = [sum(gain(i, p) for p in range(n) if p != i) / (n - 1) for i in range(n)]

    def key(i):
        return gaps_above(i, alones), gaps_above(i, means), tuple(values[:, i])

    return sorted(range(n), key=key)


def copies(values, order):
    """Tell whether an order of columns leaves the table as it is."""
    return np.array_equal(values[:, order], values)


def same_graph(dag, other, values):
    """Tell whether graphs are equal up to changes of place of equal columns."""
    orders = [np.array(order) for order in permutations(range(values.shape[1])) if copies(values, order)]
    return any(np.array_equal(dag[np.ix_(order, order)], other) for order in orders)


@st.composite
def tables(draw, kinds):
    """Return columns that follow each other, with ties and copies; float64 [N, 5]."""
    rng, records = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.integers(30, 90))
    columns = [rng.standard_normal(records)]
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=N, max_size=N)):
        before = columns[rng.integers(len(columns))]
        noisy = before + rng.standard_normal(records)
        kinds = {"noisy": noisy, "ties": np.round(noisy), "copy": before, "mirror": -before}
        columns.append((kinds | {"near": before + 1e-4 * (noisy - before)})[kind])
    return np.column_stack(columns[1:])


def as_codes(values):
    """Return three levels of equal frequency of each column, so that a mirror has the codes in reverse."""
    ranks = np.array([[np.sum(x < v) - np.sum(x > v) for v in x] for x in values.T]).T
    return (np.sign(ranks / len(values) * 1.5).round() + 1).astype(np.int32), np.full(values.shape[1], 3)


@pytest.mark.parametrize("name", ["bdeu", "k2", "ll"])
@settings(max_examples=10, deadline=None, derandomize=True)
@given(values=tables(("noisy", "ties", "copy", "mirror")))
def test_the_order_of_codes_is_that_of_the_slow_twin(name, values):
    codes, levels = as_codes(values)
    slow = {
        "bdeu": lambda i, parents: references.bdeu(codes, levels, i, parents, 1.0),
        "k2": lambda i, parents: references.k2(codes, levels, i, parents),
        "ll": lambda i, parents: references.log_likelihood(codes, i, parents),
    }[name]
    expected = slow_order(codes, lambda i: slow(i, ()), lambda i, p: slow(i, (p,)) - slow(i, ()))
    order = stable_order(DISCRETE[name](codes, levels))
    assert np.array_equal(codes[:, order], codes[:, expected])


@settings(max_examples=10, deadline=None, derandomize=True)
@given(values=tables(("noisy", "ties")), units=st.permutations([1e-3, 0.5, 1.0, 70.0, 1e6]))
def test_the_order_of_continuous_columns_is_that_of_regressions_and_free_of_units(values, units):
    def gain(child, parent):
        return -len(values) / 2 * np.log(1 - np.corrcoef(values.T)[child, parent] ** 2) - np.log(len(values)) / 2

    if np.ptp(values, axis=0).all() and np.abs(np.corrcoef(values.T) - np.eye(N)).max() < 0.999:
        expected = slow_order(values, lambda i: 0.0, gain)
        assert stable_order(gaussian_bic(values * units, np.zeros(N, bool))).tolist() == expected


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", [*DISCRETE, *CONTINUOUS])
@settings(max_examples=8, deadline=None, derandomize=True)
@given(values=tables(("noisy", "ties", "copy", "mirror", "near")), order=st.permutations(range(N)))
def test_an_order_of_the_columns_orders_the_graph_and_changes_nothing_else(name, search, values, order):
    if name in DISCRETE:
        values, levels = as_codes(values)

    def learn(table):
        score = DISCRETE[name](table, levels) if name in DISCRETE else CONTINUOUS[name](table, np.zeros(N, bool))
        return SEARCHES[search](score, order="stable")

    learned, moved = learn(values), learn(values[:, order])
    if name == "kgv":  # its kernel is symmetric: it cannot tell a column from its mirror
        values = np.abs(values - values.mean(axis=0)).round(9)
    square = np.ix_(order, order)
    assert same_graph(learned.dag[square], moved.dag, values[:, order])
    # sums of products depend on where columns stand, and for near copies few digits of a score are left
    assert learned.score == pytest.approx(moved.score, rel=1e-9, abs=1e-3 if name in CONTINUOUS else 1e-6)
    assert (learned.steps, learned.calls) == (moved.steps, moved.calls)


@pytest.mark.parametrize("seed", range(6))
def test_without_equal_moves_it_is_plain_hill_climbing(seed):
    codes, levels = dependent(seed, rows=200, levels=(2, 3, 4, 2, 3, 4))
    score = k2(codes, levels)
    plain, stable = hill_climbing(score), hill_climbing(score, order="stable")
    assert np.array_equal(plain.dag, stable.dag)
    assert plain.score == pytest.approx(stable.score)
    assert stable.calls == plain.calls + 6 * 5
    assert np.array_equal(tabu(score).dag, tabu(score, order="stable").dag)


def test_a_start_and_codes_after_a_move_stand_in_the_order_of_the_columns():
    codes, levels = dependent(3, levels=(3,) * 6)
    score, start, graphs = bdeu(codes, levels), np.zeros((6, 6), bool), []
    for order in ("stable", "columns"):
        learned = hill_climbing(score, order=order)
        again = hill_climbing(score, start=learned.dag, order=order)
        assert again.steps == 0
        assert np.array_equal(again.dag, learned.dag)
    start[5, 0] = True
    assert hill_climbing(score, start=start, max_parents=0, max_steps=9, order="stable").dag.sum() <= 1

    def coded_again(dag):
        graphs.append(dag)
        return bdeu(codes, levels)

    watched = tabu(score, order="stable", after_move=coded_again)
    assert np.array_equal(watched.dag, tabu(score, order="stable").dag)
    assert np.array_equal(graphs[watched.best_step - 1], watched.dag)


def test_the_example_of_the_documentation_prints_what_it_says(capsys):
    text = (Path(__file__).parents[2] / "docs/methods.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(example, {})
    shd = ast.literal_eval(capsys.readouterr().out)
    plain, stable = shd["columns"], shd["stable"]
    assert f"prints {len(plain)} different SHDs from {plain[0]} to {plain[-1]}" in text
    assert "{}, {}, {} and {} for the stable one".format(*stable) in text


def test_the_functions_of_the_package_take_it():
    codes, levels = dependent(3, levels=(3,) * 6)
    for function, search in ((api.hill_climb, hill_climbing), (api.tabu, tabu)):
        learned = function(codes, "bic", cardinalities=levels, order="stable")
        assert np.array_equal(learned.dag, search(bic(codes, levels), order="stable").dag)
    with pytest.raises(InputError, match="order: Input should be 'columns' or 'stable', got 'names'"):
        api.hill_climb(codes, order="names")


def test_a_score_that_cannot_be_put_in_order_is_named():
    class Plain:
        n, epsilon, family, gains = 3, 1e-6, None, None

    with pytest.raises(InputError, match="order: 'stable' needs a score with content and reordered, not Plain"):
        stable_order(Plain())
