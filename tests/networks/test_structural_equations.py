"""Structural equations: covariances in closed form, standardised functions, and what the random numbers depend on."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.bench.simulation.structural_equations import (
    Errors,
    RandomFunction,
    draw_equations,
    errors_at,
    sample_equations,
    standardised,
)
from cutpoint.networks.network import network, sample
from cutpoint.networks.random_networks import information

LARGE = 200_000
ASIA = network("asia")
ORIGIN = Origin(1, "s", "asia", 60, 0, "noise")
LINEAR = {"kind": "linear_sem", "weights": [0.5, 2.0]}
ADDITIVE = {"kind": "additive_sem", "weights": [0.5, 2.0], "length": 1.0}
NONADDITIVE = {"kind": "nonadditive_sem", "weights": [0.5, 2.0], "length": 1.0, "spread": 0.5, "errors": "laplace"}
KINDS = pytest.mark.parametrize("options", [LINEAR, ADDITIVE, NONADDITIVE], ids=lambda options: options["kind"])


def drawn(seed, n=6, share=0.5, **options):
    """Return a random DAG in topological order and its equations."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((n, n)) < share, 1)
    return dag, draw_equations(dag, rng, **options)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([None, 0.3, 1.0]))
def test_values_are_standardised_contiguous_columns(seed, length):
    _, equations = drawn(seed, length=length)
    values = sample_equations(equations, 200, np.random.default_rng(seed))
    assert values.shape == (200, 6)
    assert values.flags.f_contiguous
    np.testing.assert_allclose(values.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(values.var(0), 1)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_weights_are_in_their_range_on_the_arcs_alone_and_the_same_for_all_functions(seed):
    dag, linear = drawn(seed, weights=(0.5, 2.0))
    _, additive = drawn(seed, weights=(0.5, 2.0), length=1.0)
    np.testing.assert_array_equal(linear.weights != 0, dag)
    assert all(0.5 <= abs(w) <= 2 for w in linear.weights[dag])
    np.testing.assert_array_equal(linear.weights, additive.weights)
    assert linear.functions == {}
    assert set(additive.functions) == {tuple(arc) for arc in np.argwhere(dag).tolist()}


def test_a_random_function_is_a_draw_from_a_gaussian_process():
    """Over many functions the covariance of f(x) and f(y) is proportional to exp(-(x - y)^2 / (2 length^2))."""
    x = np.array([-1.0, 0.0, 0.5, 2.0])
    dag = np.array([[False, True], [False, False]])
    rng = np.random.default_rng(0)
    curves = np.array([draw_equations(dag, rng, length=0.7).functions[0, 1](x) for _ in range(10_000)])
    kernel = np.exp(-((x[:, None] - x) ** 2) / (2 * 0.7**2))
    np.testing.assert_allclose(np.corrcoef(curves.T), kernel, atol=0.04)


def slow_standardised(x):
    mean = sum(x) / len(x)
    spread = math.sqrt(sum((a - mean) ** 2 for a in x) / len(x))
    return [(a - mean) / spread if spread else a - mean for a in x]


def slow_sample(equations, n, errors):
    """Return records of equations whose variables stand in topological order, cell by cell."""
    seen, visible = [], []
    for j in range(len(errors)):
        parents = [i for i in range(j) if equations.weights[i, j]]
        signal, scale = [0.0] * n, [1.0] * n
        if equations.joint and parents:
            f = equations.joint[j]
            drawn = [
                sum(
                    a * math.cos(sum(w[k] * seen[i][row] for k, i in enumerate(parents)) + p)
                    for w, p, a in zip(f.frequencies.T, f.phases, f.amplitudes, strict=True)
                )
                for row in range(n)
            ]
            length = math.sqrt(sum(equations.weights[i, j] ** 2 for i in parents))
            signal = [length * a for a in slow_standardised(drawn)]
        elif equations.functions:
            for i in parents:
                f = equations.functions[i, j]
                waves = [*zip(f.frequencies, f.phases, f.amplitudes, strict=True)]
                drawn = [sum(a * math.cos(w * x + p) for w, p, a in waves) for x in seen[i]]
                terms = zip(signal, slow_standardised(drawn), strict=True)
                signal = [total + equations.weights[i, j] * term for total, term in terms]
        elif parents:
            signal = [sum(equations.weights[i, j] * seen[i][row] for i in parents) for row in range(n)]
        if equations.spread and parents:
            form = [sum(equations.forms[i, j] * seen[i][row] for i in parents) for row in range(n)]
            scale = [math.exp(equations.spread * a - equations.spread**2) for a in slow_standardised(form)]
        value = slow_standardised([signal[row] + scale[row] * errors[j][row] for row in range(n)])
        visible.append(value)
        if levels := equations.levels.get(j):
            cuts = [stats.norm.ppf(k / levels) for k in range(1, levels)]
            visible[-1] = [float(sum(cut <= a for cut in cuts)) for a in value]
            value = slow_standardised(visible[-1])
        seen.append(value)
    return np.array(visible).T


@pytest.mark.parametrize(
    "options", [{}, {"length": 1.0}, {"length": 1.0, "joint": True}], ids=["linear", "sum", "joint"]
)
@pytest.mark.parametrize("spread", [0.0, 0.5])
@pytest.mark.parametrize("errors", ["normal", "exponential"])
def test_values_are_those_of_cell_by_cell(options, spread, errors):
    _, equations = drawn(3, n=5, share=0.8, errors=errors, spread=spread, levels={1: 3, 4: 2}, **options)
    values = sample_equations(equations, 120, np.random.default_rng(5))
    quantiles = {"normal": stats.norm(), "exponential": stats.expon(-1)}[errors]
    normal = np.random.default_rng(5).standard_normal((5, 120))
    np.testing.assert_allclose(values, slow_sample(equations, 120, quantiles.ppf(stats.norm.cdf(normal))), atol=1e-7)
    assert set(np.unique(values[:, 1])) == {0, 1, 2}


DISTRIBUTIONS = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-np.sqrt(3), np.sqrt(12)),
    "laplace": stats.laplace(scale=1 / np.sqrt(2)),
    "exponential": stats.expon(-1),
}


@pytest.mark.parametrize(("name", "distribution"), DISTRIBUTIONS.items())
def test_errors_are_the_quantiles_of_their_distribution_which_is_standardised(name, distribution):
    z = np.linspace(-6, 6, 101)
    np.testing.assert_allclose(errors_at(z, name), distribution.ppf(stats.norm.cdf(z)), rtol=1e-6, atol=1e-9)
    assert distribution.stats() == pytest.approx((0, 1))
    assert set(DISTRIBUTIONS) == set(get_args(Errors))


def test_a_constant_is_standardised_to_zeros():
    flat = RandomFunction(np.zeros(1), np.zeros(1), np.ones(1))
    np.testing.assert_array_equal(standardised(flat(np.arange(3.0))), 0)


def continuous(options, origin=ORIGIN, variables=ASIA.variables, n=60):
    levels = {v: len(ASIA.states[ASIA.variables.index(v)]) for v in variables}
    codes = sample(ASIA, n, 3)[:, ASIA.places(variables)]
    return make_continuous(codes, levels, options, origin, ASIA)


@KINDS
def test_equations_have_neither_thresholds_nor_discrete_variables(options):
    data = continuous(options)
    assert (data.thresholds, data.discrete) == (None, [])
    assert data.values.shape == (60, 8)


@KINDS
def test_data_depend_on_seed_study_network_size_and_replicate_alone(options):
    first = continuous(options).values
    np.testing.assert_array_equal(first, continuous(options).values)
    for changed in ({"seed": 2}, {"study": "t"}, {"network": "x"}, {"n": 61}, {"replicate": 1}):
        assert (first != continuous(options, ORIGIN._replace(**changed)).values).any()


@KINDS
def test_some_variables_of_equations_may_be_discrete(options):
    data = continuous(options | {"discrete": 0.25, "measured": {"skew": [0.5, 1.0], "below": 0.1}})
    places = [ASIA.variables.index(name) for name in data.discrete]
    assert len(places) == 2
    for i in range(8):
        levels = np.unique(data.values[:, i])
        assert set(levels) == {0, 1} if i in places else len(levels) == 60 - 5


def test_equations_are_the_same_for_all_sizes_of_a_replicate():
    """The correlations of large samples of two sizes agree; those of another replicate do not."""
    data = [
        np.corrcoef(continuous(LINEAR, ORIGIN._replace(n=n, replicate=r), n=n).values.T)
        for n, r in ((20_000, 0), (30_000, 0), (30_000, 1))
    ]
    assert np.abs(data[0] - data[1]).max() < 0.04
    assert np.abs(data[0] - data[2]).max() > 0.2


@pytest.mark.parametrize("options", [{}, {"length": 1.0}, {"length": 1.0, "joint": True}])
def test_signals_have_the_share_of_the_variance_that_they_are_given(options):
    shares = np.array([0.0, 0.3, 0.6, 0.9])
    dag, equations = drawn(2, n=4, share=1.0, shares=shares, **options)
    rng = np.random.default_rng(3)
    errors = rng.standard_normal((4, LARGE)).T
    values = sample_equations(equations, LARGE, np.random.default_rng(3))
    for j in range(1, 4):
        assert dag[:, j].any()
        assert np.corrcoef(values[:, j], errors[:, j])[0, 1] ** 2 == pytest.approx(1 - shares[j], abs=0.01)


def test_matched_equations_have_the_information_of_the_tables():
    data = continuous({"kind": "linear_sem", "matched": True}, n=LARGE)
    nats = information(ASIA, sample(ASIA, LARGE, 5))
    for j, parents in enumerate(ASIA.parents):
        if parents:
            table = np.column_stack([np.ones(LARGE), data.values[:, parents]])
            fit = table @ np.linalg.lstsq(table, data.values[:, j], rcond=None)[0]
            assert -np.log(1 - fit.var() / data.values[:, j].var()) / 2 == pytest.approx(nats[j], abs=0.01)
