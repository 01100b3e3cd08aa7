"""Intervals, sets and likelihoods as evidence: against sums over the joint distribution."""

import numpy as np
import pandas as pd
import pytest
from references import joint_of

import cutpoint as cp
from cutpoint.models.result import Result

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
