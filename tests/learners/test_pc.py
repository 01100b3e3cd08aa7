"""PC against regressions, SciPy, a twin in plain Python, and perfect oracles."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from skeletons import assert_same_skeleton, complete, slow_skeleton

from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import pc as kernel
from cutpoint.learners.constraint import correlations, critical_correlations, pc_correlations, pc_fisherz

ORACLE = 10**12


def gaussian(seed, n, records, density=0.4):
    """Return data, population correlations and the graph of a random linear Gaussian network."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((n, n)) < density, 1)
    weights = dag * rng.choice([-1, 1], (n, n)) * rng.uniform(0.4, 1.5, (n, n))
    mixing = np.linalg.inv(np.eye(n) - weights)
    covariance = mixing.T @ mixing
    sd = np.sqrt(np.diag(covariance))
    order = rng.permutation(n)
    values = rng.standard_normal((records, n)) @ mixing
    population = (covariance / np.outer(sd, sd))[np.ix_(order, order)]
    return values[:, order], population, dag[np.ix_(order, order)]


def regression_correlation(values, x, y, others):
    design = np.column_stack([np.ones(len(values)), values[:, list(others)]])
    pair = values[:, [x, y]]
    residual = pair - design @ np.linalg.lstsq(design, pair)[0]
    return np.corrcoef(residual.T)[0, 1]


def regression_p(values, x, y, others):
    rho = regression_correlation(values, x, y, others)
    z = 0.5 * np.sqrt(len(values) - len(others) - 3) * np.log((1 + rho) / (1 - rho))
    return 2 * scipy.stats.norm.sf(abs(z))


def fisher_z(matrix, x, y, others, records):
    """Return the two-sided p-value of Fisher's Z by the kernel's residual moments."""
    conditioning, rows = np.array(others, np.int64), np.zeros((len(others), len(others) + 2))
    for level in range(len(others)):
        kernel._factor(matrix, x, y, conditioning, level, rows)
    vx, vy, covariance = kernel._residual_moments(matrix, x, y, len(others), rows)
    rho = covariance / np.sqrt(vx * vy) if min(vx, vy) > kernel._SINGULAR else 0.0
    z = np.sqrt(records - len(others) - 3) * np.arctanh(min(abs(rho), 1 - 1e-15))
    return 2 * scipy.stats.norm.sf(z)


@pytest.mark.parametrize("seed", range(3))
def test_p_values_equal_those_of_regressions(seed):
    values, _, _ = gaussian(seed, 6, 60)
    matrix = correlations(values)
    for size in range(5):
        for chosen in combinations(range(2, 6), size):
            expected = regression_p(values, 0, 1, chosen)
            assert fisher_z(matrix, 0, 1, chosen, 60) == pytest.approx(expected, rel=1e-8)


def test_p_values_equal_those_of_causal_learn():
    cit = pytest.importorskip("causallearn.utils.cit")
    values, _, _ = gaussian(7, 6, 80)
    test, matrix = cit.FisherZ(values), correlations(values)
    for x, y in combinations(range(6), 2):
        for chosen in combinations(sorted(set(range(6)) - {x, y}), 2):
            assert fisher_z(matrix, x, y, chosen, 80) == pytest.approx(test(x, y, chosen), abs=1e-9)


def test_the_critical_correlation_has_p_value_alpha():
    critical = critical_correlations(12, 12, 0.05)
    assert np.isinf(critical[9:]).all()
    matrix = np.eye(12)
    matrix[0, 1] = matrix[1, 0] = critical[4]
    assert fisher_z(matrix, 0, 1, [2, 3, 4, 5], 12) == pytest.approx(0.05)


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(12, 80), st.booleans(), st.booleans())
def test_skeleton_and_sets_equal_those_of_the_twin(seed, n, records, union, stable):
    values, _, _ = gaussian(seed, n, records, density=0.6)
    twin = slow_skeleton(n, lambda *test: regression_p(values, *test) >= 0.05, union, stable)
    test = (correlations(values), critical_correlations(n, records, 0.05))
    assert_same_skeleton(kernel.skeleton(*complete(n), test, None, union, stable), twin)


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from(["union", "either"]), st.booleans())
def test_a_perfect_oracle_gives_the_equivalence_class(seed, n, candidates, stable):
    _, population, dag = gaussian(seed, n, 1)
    learned = pc_correlations(population, ORACLE, candidates=candidates, stable=stable)
    assert learned.kind == "pdag"
    assert learned.dag is None
    np.testing.assert_array_equal(learned.cpdag, cpdag(dag))


def test_the_first_of_two_conflicting_colliders_stays():
    # 0 - 1 - 2 - 3 with empty sets: 0 -> 1 <- 2 comes first, 1 -> 2 <- 3 would turn 2 -> 1 around
    adjacent = np.zeros((4, 4), bool)
    for a in range(3):
        adjacent[a, a + 1] = adjacent[a + 1, a] = True
    graph = kernel.colliders(adjacent, np.zeros((4, 4, 2), np.int64), np.empty(0, np.int64))
    assert np.argwhere(graph).tolist() == [[0, 1], [2, 1], [2, 3], [3, 2]]


def test_constant_and_duplicated_columns():
    values, _, _ = gaussian(2, 4, 300)
    values = np.column_stack([values, np.full(300, 0.1), values[:, 0], -values[:, 0]])
    learned = pc_fisherz(values, np.zeros(7, bool))
    assert not learned.cpdag[4].any()
    assert not learned.cpdag[:, 4].any()
    matrix = correlations(values)
    assert np.isfinite(matrix).all()
    assert fisher_z(matrix, 0, 4, [], 300) == 1
    assert fisher_z(matrix, 0, 5, [], 300) < 1e-100
    assert fisher_z(matrix, 0, 1, [5], 300) == 1
    once, twice = fisher_z(matrix, 1, 2, [5], 300), fisher_z(matrix, 1, 2, [0, 5, 6], 302)
    assert once == pytest.approx(twice)


def test_variables_that_a_set_determines_are_independent_of_all():
    values, _, _ = gaussian(4, 6, 400)
    sums = values[:, :5] @ np.random.default_rng(1).uniform(-1, 1, (5, 8))
    matrix, basis = correlations(np.column_stack([values, sums])), np.arange(5)
    pool, skip = basis.copy(), np.zeros(14, bool)
    for x in range(6, 14):
        assert fisher_z(matrix, x, 5, basis, 400) == 1
        separated = kernel._separate_fisherz(matrix, np.full(6, 1e-9), x, 5, pool, 5, 5, skip, np.empty(14, np.int64))
        assert separated == (True, 1)


@pytest.mark.parametrize("records", [1, 3])
def test_too_few_records_separate_everything(records):
    values, _, _ = gaussian(0, 4, records)
    learned = pc_fisherz(values, np.zeros(4, bool))
    assert not learned.cpdag.any()
    assert learned.score_calls == 6


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_numbers_of_any_size_have_the_same_pattern(size):
    values, _, _ = gaussian(11, 6, 200)
    discrete = np.zeros(6, bool)
    expected = pc_fisherz(values, discrete).cpdag
    assert expected.any()
    assert np.array_equal(pc_fisherz(values * np.where(np.arange(6) % 2, size, 1.0), discrete).cpdag, expected)
