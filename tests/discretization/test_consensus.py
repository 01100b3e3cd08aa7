"""The method where none is named: what searches with several kinds of models agree on."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import cutpoint as cp
from cutpoint.discretization import consensus as module
from cutpoint.graphs.dags import skeleton


def equations(seed, records=400, square=True):
    """Return values of a -> b <- c, b -> d with a curve, and e with two levels by d; the last column is discrete."""
    rng = np.random.default_rng(seed)
    a, c = rng.standard_normal((2, records))
    b = a + c + 0.5 * rng.standard_normal(records)
    d = (b**2 if square else b) + 0.5 * rng.standard_normal(records)
    return np.column_stack([a, b, c, d, rng.standard_normal(records), d > np.median(d)])


def noisy_codes(seed, records=1500):
    codes = cp.sample(cp.network("child"), n=records, seed=seed)
    return codes + 0.2 * np.random.default_rng(seed).standard_normal(codes.shape)


def edges(graph):
    return {tuple(sorted(edge[:2])) for edge in graph.edges()}


@pytest.mark.parametrize("square", [False, True])
def test_lines_and_curves_are_both_found(square):
    learned = cp.learn(equations(1, square=square), discrete=["x5"])
    assert {("x0", "x1"), ("x1", "x2"), ("x1", "x3"), ("x3", "x5")} <= edges(learned)
    assert not any("x4" in edge for edge in edges(learned))
    assert {("x0", "x1", True), ("x2", "x1", True)} <= {*learned.edges()}
    assert learned.note.startswith("consensus of 4 searches; ")
    assert len(learned.thresholds) == 6
    assert learned.fit(equations(1, square=square)) is not None


def test_every_edge_is_in_two_of_four_searches():
    learned = cp.learn(equations(2, 600))
    shares = learned.uncertainty.edges
    assert (shares.graphs, shares.of) == (4, "searches")
    assert (shares.adjacent[skeleton(learned.dag)] >= module.VOTES).all()
    assert shares.variables == learned.variables


def test_levels_decide_alone_where_they_tell_nearly_all():
    learned = cp.learn(noisy_codes(1))
    assert learned.note.startswith("levels alone, as lines and curves would explain little more (")
    assert learned.note.endswith("hidden levels, with a density of values each")
    assert cp.shd(learned, cp.network("child").dag, "standard") <= 8


def test_of_many_records_a_sample_decides_the_graph_and_all_the_thresholds(monkeypatch):
    values, seen, own = equations(4, 500), [], module._Task.with_thresholds
    monkeypatch.setattr(
        module._Task, "with_thresholds", lambda task, *of: seen.append(len(task.values)) or own(task, *of)
    )
    sampled = cp.learn(values, most_records=300)
    assert sampled.note.endswith("; graph learned from 300 of 500 records")
    assert seen[-2:] == [300, 500]  # the first ones are of a run that compiles
    assert np.array_equal(sampled.cpdag, cp.learn(values, most_records=300).cpdag)
    assert cp.learn(values, most_ordered=5).note.startswith("consensus of 4 searches by hill climbing; ")


def test_of_very_many_variables_lines_alone_are_learned():
    values = equations(0)
    learned = cp.learn(values, most_climbed=5)
    assert learned.note == "lines alone (sparse_gaussian), as 6 columns are too many for other kinds"
    assert np.array_equal(learned.cpdag, cp.learn(values, "sparse_gaussian").cpdag)
    assert learned.fit(values).dag.sum() == learned.dag.sum() > 0


def test_columns_that_tell_nothing_have_no_edges():
    rng = np.random.default_rng(6)
    alone = np.column_stack([rng.standard_normal((50, 2)), rng.integers(0, 3, 50)])
    learned = cp.learn(alone, discrete=["x2"])
    assert not learned.cpdag.any()
    assert learned.note == "consensus of 4 searches; 0 of 0 edges in all of them"
    assert not cp.learn(alone[:, :1]).cpdag.any()


def test_discrete_columns_alone_are_learned_too():
    codes = cp.sample(cp.network("asia"), n=800, seed=7)
    learn = partial(cp.learn, codes.astype(float), discrete=[f"x{i}" for i in range(8)])
    learned = learn()
    assert np.array_equal(learned.cpdag, cp.boss(codes).cpdag)
    assert np.array_equal(learned.cpdag, learn(most_records=100).cpdag)  # counts take all records
    assert learned.note == "levels alone, as all columns are states without an order"
    assert learned.uncertainty.edges.graphs == 3


def answers(seed, records):
    """Return answers 1 to 5 on a -> b <- c, b -> d, as a frame, and the graph of these columns."""
    rng = np.random.default_rng(seed)
    a, c = rng.standard_normal((2, records))
    b = (a + c) / 1.5 + 0.6 * rng.standard_normal(records)
    cuts = [-1.2, -0.4, 0.4, 1.2]
    columns = (a, b, c, b + 0.6 * rng.standard_normal(records))
    frame = pd.DataFrame({name: 1 + np.searchsorted(cuts, x) for name, x in zip("abcd", columns, strict=True)})
    return frame, np.array([[0, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 0]], bool)


@pytest.mark.parametrize("records", [300, 1000, 5000])
def test_answers_keep_their_order_unless_they_are_said_to_have_none(records):
    frame, dag = answers(records, records)
    learned = cp.learn(frame)
    assert np.array_equal(learned.cpdag, cp.cpdag(dag))
    assert learned.note.startswith("consensus of 4 searches; ")
    assert np.array_equal(cp.learn(frame.mul([1000, 0.1, 2.54, 3]).add(7)).cpdag, learned.cpdag)  # in other units
    shuffled = frame.replace(dict(zip(range(1, 6), (3, 1, 5, 2, 4), strict=True)))
    declared = [cp.learn(one, discrete=[*"abcd"]) for one in (frame, shuffled)]
    assert np.array_equal(*(one.cpdag for one in declared))  # names of states say nothing then
    assert np.array_equal(cp.learn(frame.sub(1).to_numpy(float), ordered=["x0", "x1", "x2", "x3"]).cpdag, learned.cpdag)


def test_latent_levels_are_not_tried_where_levels_stand_for_values(monkeypatch):
    values = np.random.default_rng(1).standard_normal((60, 3))[np.arange(900) % 60]  # of 60 mixtures each 15 times
    monkeypatch.setattr(module, "latent", None)
    assert cp.learn(values).note.startswith("consensus of 4 searches; ")


def test_variances_that_follow_a_parent_do_not_turn_its_arrow():
    rng = np.random.default_rng(3)
    a, c = rng.standard_normal((2, 2000))
    b = np.exp(0.7 * a) * rng.standard_normal(2000) + c
    learned = cp.learn(np.column_stack([a, b, c]))
    assert {*learned.edges()} == {("x0", "x1", True), ("x2", "x1", True)}


def noise(kind, records, columns, seed):
    """Return columns without dependences, and the names of the discrete ones."""
    rng = np.random.default_rng([seed, records, columns])
    codes, numbers = rng.integers(0, 3, (records, columns)), rng.standard_normal((records, columns))
    discrete = {"numbers": 0, "mixed": columns // 2, "states": columns}[kind]
    values = np.where(np.arange(columns) < discrete, codes, numbers)
    return values, [f"x{i}" for i in range(discrete)]


@pytest.mark.parametrize("kind", ["numbers", "mixed", "states"])
@pytest.mark.parametrize("records", [10, 25])
def test_few_records_of_noise_have_few_edges(kind, records):
    found = pairs = 0
    for columns, seeds in [(4, 10), (7, 4)]:
        for seed in range(seeds):
            values, discrete = noise(kind, records, columns, seed)
            found += len(cp.learn(values, discrete=discrete).edges())
            pairs += columns * (columns - 1) // 2
    assert found <= 0.05 * pairs + 3  # by less than two standard errors


@pytest.mark.parametrize("seed", range(3))
def test_rounded_values_keep_the_curves_that_they_were_rounded_from(seed):
    """To a fifth of a deviation, beside counts with many zeros, which stay what they are."""
    rng = np.random.default_rng(seed)
    dag = np.zeros((5, 5), bool)
    dag[[0, 1, 3, 2], [2, 2, 4, 4]] = True
    a, b, d = rng.standard_normal((3, 1500))
    c = a**2 - b**2 + 0.5 * rng.standard_normal(1500)
    values = np.column_stack([a, b, c, d, np.cos(2 * d) + np.tanh(c) + 0.3 * rng.standard_normal(1500)])
    step = 0.2 * values.std(axis=0)
    exact, rounded = (cp.learn(x) for x in (values, np.round(values / step) * step))
    assert cp.shd(rounded, dag) <= cp.shd(exact, dag) + 1
    zeros = np.where(rng.random(1500) < 0.3, 0, rng.poisson(20, 1500))
    assert module._coarse(np.column_stack([zeros, np.round(values[:, 0] * 5)])).tolist() == [True, False]


def test_few_records_of_a_strong_line_have_its_edge():
    x, noise, other = np.random.default_rng(0).standard_normal((3, 12))
    assert edges(cp.learn(np.column_stack([x, 2 * x + noise, other]))) == {("x0", "x1")}


def test_too_many_columns_are_refused_before_thresholds_are_learned(monkeypatch):
    monkeypatch.setattr(module, "steck", lambda *_, **__: pytest.fail("thresholds were learned"))
    values, thresholds = np.random.default_rng(0).normal(size=(50, 2300)), [np.zeros(1)] * 2300
    with pytest.raises(cp.InputError, match="take fewer variables"):
        module.consensus(values, np.zeros(2300, bool), initial=thresholds, search=None, most_climbed=5000)
