"""Effects and probabilities given evidence in fitted models, against sums by hand and other packages."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from references import enumerate_dags, joint_of

import cutpoint as cp
from cutpoint.models.effects import parent_sets
from cutpoint.models.fitting import Result

N = 500


def fitted(seed, n=4, states=False, constant=False):
    """A model of correlated records with a random graph, of numbers or of states."""
    rng, names = np.random.default_rng(seed), [f"x{i}" for i in range(n)]
    values = rng.normal(0, 1, (N, n)) @ rng.normal(0, 1, (n, n))
    cuts = cp.Thresholds(cp.discretize(values, "equal_frequency", bins=2 + seed % 2), names)
    if constant:
        values[:, 0], cuts[0] = 1.0, np.empty(0)
    if states:
        values = np.array([*"abc"], object)[cp.encode(values, cuts)]
        cuts = cp.Thresholds(cuts, names, {name: "abc"[: len(own) + 1] for name, own in zip(names, cuts, strict=True)})
    order = rng.permutation(n)
    dag = np.triu(rng.random((n, n)) < 0.6, 1)[np.ix_(order, order)]
    return Result(dag=dag, thresholds=cuts, variables=names).fit(values)


def truncated(joint, dag, cause, code):
    """The joint distribution with a cause set in a graph, its tables taken from a joint distribution."""
    answer = np.ones_like(joint)
    for child in range(joint.ndim):
        family = {child, *np.flatnonzero(dag[:, child]).tolist()}
        both = joint.sum(tuple({*range(joint.ndim)} - family), keepdims=True)
        answer = answer * (np.ones(1) if child == cause else both / both.sum(child, keepdims=True))
    shape = np.ones(joint.ndim, int)
    shape[cause] = -1
    return answer * np.eye(joint.shape[cause])[code].reshape(shape)


@pytest.mark.parametrize("seed", range(8))
def test_effects_are_those_of_all_graphs_of_the_class(seed):
    model = fitted(seed, states=seed > 5)
    joint, own = joint_of(model.network), cp.cpdag(model.dag)
    members = [dag for dag in enumerate_dags(4) if np.array_equal(cp.cpdag(dag), own)]
    for cause, outcome in [(i, j) for i in range(4) for j in range(4) if i != j]:
        expected = {}
        for dag in members:
            rest = tuple({*range(4)} - {outcome})
            shares = [truncated(joint, dag, cause, code).sum(rest) for code in range(joint.shape[cause])]
            parents = tuple(model.variables[i] for i in np.flatnonzero(dag[:, cause]))
            np.testing.assert_allclose(expected.setdefault(parents, shares), shares, atol=1e-12)
        answer = model.effects(f"x{cause}", f"x{outcome}")
        assert {*answer.parents} == {*expected}
        assert len(answer.parents) == len(expected)
        for parents, probabilities in zip(answer.parents, answer.probabilities, strict=True):
            np.testing.assert_allclose(probabilities, expected[parents], atol=1e-10)
        if answer.means is not None:
            values = np.array([*expected.values()]) @ model.scales[f"x{outcome}"].means
            np.testing.assert_allclose((answer.least, answer.greatest), (values.min(0), values.max(0)), atol=1e-9)
            assert repr(answer).splitlines()[0] == f"x{outcome}, mean, by do(x{cause}):"
        else:
            assert answer.values is answer.probabilities


@pytest.mark.parametrize("seed", range(6))
def test_an_intervention_is_the_truncated_factorization(seed):
    model = fitted(seed)
    joint = joint_of(model.network)
    value = model.thresholds[1][0]  # the second level of x1 begins with it
    changed = model.do({"x1": value})
    np.testing.assert_allclose(joint_of(changed.network), truncated(joint, model.dag, 1, 1), atol=1e-12)
    assert not changed.dag[:, 1].any()
    assert changed.note == f"do(x1 = {model.network.states[1][1]})"
    both = {"x1": value, "x2": model.network.states[2][0]}
    np.testing.assert_array_equal(joint_of(changed.do({"x2": both["x2"]}).network), joint_of(model.do(both).network))
    assert (cp.encode(changed.sample(50, seed=1), model.thresholds)[:, 1] == 1).all()


@pytest.fixture(scope="module")
def dags():
    return np.array([*enumerate_dags(5)])


@pytest.mark.parametrize("seed", range(15))
def test_parent_sets_are_those_of_all_graphs_that_honour_a_pattern(seed, dags):
    """With knowledge, where sets that fit at the variable alone do not fit elsewhere."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((5, 5)) < 0.6, 1)
    allowed = ~(dag.T & (rng.random((5, 5)) < 0.3))
    knowledge = cp.Knowledge(forbidden=[(f"x{i}", f"x{j}") for i, j in np.argwhere(~allowed)])
    pattern = knowledge.oriented(cp.cpdag(dag), [f"x{i}" for i in range(5)])
    alike = dags[~(dags & ~((dag | dag.T) & allowed)).any((1, 2)) & (dags.sum((1, 2)) == dag.sum())]
    members = [one for one in alike if np.array_equal(cp.cpdag(one), cp.cpdag(dag))]
    for child in range(5):
        expected = {tuple(np.flatnonzero(one[:, child])) for one in members}
        sets = [*map(tuple, parent_sets(pattern, child))]
        assert {*sets} == expected
        assert len(sets) == len(expected)


def test_a_pattern_with_knowledge_narrows_the_effects():
    model = fitted(3)
    arcs = tuple((f"x{i}", f"x{j}") for i, j in np.argwhere(model.dag))
    free, one = model.effects("x0", "x1"), replace(model, settled=arcs).effects("x0", "x1")
    assert one.parents == [tuple(model.variables[i] for i in np.flatnonzero(model.dag[:, 0]))]
    assert one.parents[0] in free.parents
    np.testing.assert_array_equal((done := model.do({"x0": 0.0})).pattern, done.dag)
    answer = [model.do({"x0": level}).query("x1") for level in model.network.states[0]]
    np.testing.assert_allclose(one.probabilities[0], [[*each.values()] for each in answer], atol=1e-10)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda m: m.do({"x9": 1.0}), "unknown variable 'x9'"),
        (lambda m: m.do({"x0": (1, 2)}), r"^do: x0: is set to one value or state, not \(1, 2\)$"),
        (lambda m: m.do({"x0": "low"}), "do: x0, row 1: 'low' is not a finite number"),
        (lambda m: m.effects("x0", "x0"), "effects: x0 is cause and outcome"),
        (lambda m: m.effects("x0", "y"), "unknown variable 'y'"),
        (lambda m: m.do({"x0": 0.0}).effects("x0", "x1"), "effects: x0 has a level of probability 0"),
    ],
)
def test_bad_input_is_named_in_one_line(call, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        call(fitted(1))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("seed", range(4))
def test_a_variable_of_one_level_has_no_effect(seed):
    model = fitted(seed, constant=True)
    joint = joint_of(model.network)
    for cause, outcome in ((0, 1), (1, 0), (1, 2)):
        shares = model.effects(f"x{cause}", f"x{outcome}").probabilities
        np.testing.assert_allclose(shares.sum(-1), 1)
        if 0 in (cause, outcome):
            expected = joint.sum(tuple({*range(4)} - {outcome}))
            np.testing.assert_allclose(shares, np.broadcast_to(expected, shares.shape), atol=1e-12)


DAG = np.array([[0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]], bool)
NAMES = ["dose", "mood", "age", "pulse"]


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(8)
    dose = rng.gamma(2, 5, 400)
    mood = rng.choice(["a", "b", "c"], 400, p=[0.5, 0.3, 0.2])
    age = 40 + dose + 10 * (mood == "a") + rng.normal(0, 8, 400)
    frame = pd.DataFrame({"dose": dose, "mood": mood, "age": age, "pulse": rng.normal(60, 9, 400) + 9 * (mood == "c")})
    cuts = cp.discretize(frame, "equal_frequency", bins=4)
    return Result(dag=DAG, thresholds=cuts, variables=NAMES).fit(frame)


def slow_shares(model, name, low, high):
    """The share of each level within an interval, by sums of the density over a grid."""
    grid = np.linspace(-300, 400, 700_001)
    mass = np.exp(model.scales[name].density.log_density(grid))
    levels = np.searchsorted(model.thresholds[model.variables.index(name)], grid, side="right")
    inside = (grid >= low) & (grid < high)
    return np.array([mass[inside & (levels == k)].sum() / mass[levels == k].sum() for k in range(levels.max() + 1)])


def slow(model, target, weights):
    """The posterior by a sum over all cells of the joint distribution, each weighted."""
    joint = joint_of(model.network)
    for name, each in weights.items():
        shape = np.ones(joint.ndim, int)
        shape[model.variables.index(name)] = -1
        joint = joint * np.reshape(each, shape)
    place = model.variables.index(target)
    sums = joint.sum(tuple({*range(joint.ndim)} - {place}))
    return sums / sums.sum()


@pytest.mark.parametrize(
    "ends", [(5, 10), (-1.5, 7.3), (9.0, 9.01), (12, np.inf), (-np.inf, 4), (-np.inf, np.inf), (60, 70)]
)
def test_an_interval_is_the_share_of_each_level_within_it(model, ends):
    shares = slow_shares(model, "dose", *ends)
    answer = model.query(["age", "pulse"], {"dose": ends, "mood": ["a", "c"]})
    for name, levels in answer.items():
        expected = slow(model, name, {"dose": shares, "mood": [1, 0, 1]})
        np.testing.assert_allclose([*levels.values()], expected, atol=3e-4)  # the Cauchy tails end at those of the grid
    means = model.scales["age"].means @ np.array([*answer["age"].values()])
    assert model.predict({"dose": ends, "mood": ["a", "c"], "age": 3.0}, "age") == pytest.approx(means)


def test_likelihoods_are_those_of_the_sum(model):
    evidence = {"mood": {"a": 0.7, "b": 0.35}, "pulse": 62.0}
    code = int(np.searchsorted(model.thresholds[3], 62.0, side="right"))
    answer = model.query("age", evidence)
    expected = slow(model, "age", {"mood": [0.7, 0.35, 0], "pulse": np.eye(4)[code]})
    np.testing.assert_allclose([*answer.values()], expected, atol=1e-12)
    assert model.query("age", {"mood": {"a": 2, "b": 1}, "pulse": 62.0}) == pytest.approx(answer)
    assert model.query("age", {"mood": ["b"]}) == pytest.approx(model.query("age", {"mood": "b"}))


def test_without_densities_values_are_uniform_within_a_level(model, tmp_path):
    model.write(tmp_path / "m.bif")
    read = cp.read_model(tmp_path / "m.bif")
    cuts, scale = model.thresholds[0], model.scales["dose"]
    low, high = (scale.least + cuts[0]) / 2, (3 * cuts[1] + cuts[0]) / 4
    expected = slow(model, "age", {"dose": [0.5, 0.75, 0, 0]})
    np.testing.assert_allclose([*read.query("age", {"dose": (low, high)}).values()], expected, atol=1e-12)
    beyond = read.query("age", {"dose": (1e6, 2e6)})
    assert beyond == pytest.approx(read.query("age", {"dose": 1e6}))


@pytest.mark.parametrize(
    ("evidence", "text"),
    [
        ({"dose": (10, 5)}, r"^evidence: dose: an interval is a tuple of two numbers that rise, .* not \(10, 5\)$"),
        ({"dose": (5, "high")}, "dose: an interval is a tuple of two numbers"),
        ({"dose": (5, float("nan"))}, "dose: an interval is a tuple of two numbers"),
        ({"dose": (1, 2, 3)}, "dose: an interval is a tuple of two numbers"),
        ({"dose": [3.0, 4.0]}, r"dose: levels are called lt_.*an interval is a tuple, \(5, 10\), and several records"),
        ({"mood": (1, 2)}, r"mood: is discrete and has no interval \(1, 2\); give a list of states"),
        ({"mood": ["a", "d"]}, "mood, row 2: unknown state 'd'"),
        ({"mood": [["a"], ["b"]]}, "mood: a list of states or of names of levels is expected"),
        ({"mood": []}, "mood: likelihoods are numbers from 0, at least one above it"),
        ({"mood": {"a": 0.0}}, "mood: likelihoods are numbers from 0, at least one above it"),
        ({"mood": {"a": -1, "b": 1}}, "mood: likelihoods are numbers from 0"),
        ({"mood": {"a": "much"}}, "mood: likelihoods are numbers from 0"),
        ({"age": (3, 4)}, "age is target and evidence"),
    ],
)
def test_bad_evidence_is_named_in_one_line(model, evidence, text):
    calls = [lambda: model.query("age", evidence)] + [lambda: model.predict(evidence, "age")] * ("age" not in evidence)
    for ask in calls:
        with pytest.raises(cp.InputError, match=text) as raised:
            ask()
        assert "\n" not in str(raised.value)
