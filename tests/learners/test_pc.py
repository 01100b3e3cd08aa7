"""PC with both of its tests against closed forms, SciPy, causal-learn, pyAgrum and a twin in plain Python."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pyagrum as gum
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import pc as kernel
from cutpoint.learners import constraint
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.constraint import (
    correlations,
    critical_correlations,
    critical_g2,
    pc_correlations,
    pc_fisherz,
    pc_g2,
)
from cutpoint.networks.network import network, sample

ORACLE = 10**12


def complete(n):
    """Return the pairs that may be neighbours, all, and those that are without a test, none: bool [n, n] each."""
    return ~np.eye(n, dtype=bool), np.zeros((n, n), bool)


def slow_skeleton(n, independent, union, stable):
    """Return neighbours, separating sets and the number of tests; independent(x, y, set) is None without a test."""
    adjacent = [set(range(n)) - {v} for v in range(n)]
    sets, tests, size = {}, 0, 0
    while any(len(a) > size for a in _pools(adjacent, union)):
        neighbours = [set(a) for a in adjacent] if stable else adjacent
        for x, y in combinations(range(n), 2):
            if y not in adjacent[x]:
                continue
            sides = (neighbours[x], neighbours[y])
            sides = [sides[0] | sides[1]] if union else sides
            subsets = [s for side in sides for s in combinations(sorted(side - {x, y}), size)]
            for chosen in dict.fromkeys(subsets):
                verdict = independent(x, y, chosen)
                tests += verdict is not None
                if verdict:
                    adjacent[x].remove(y)
                    adjacent[y].remove(x)
                    sets[x, y] = chosen
                    break
        size += 1
    return adjacent, sets, tests


def _pools(adjacent, union):
    """Return the conditioning candidates of each edge, with one more for the edge itself."""
    for x, neighbours in enumerate(adjacent):
        for y in neighbours:
            yield (adjacent[x] | adjacent[y]) - {x} if union else adjacent[x]


def assert_same_skeleton(result, twin):
    adjacent, where, sets, tests = result
    slow, slow_sets, slow_tests = twin
    assert [set(np.flatnonzero(row)) for row in adjacent] == slow
    for (x, y), expected in slow_sets.items():
        begin, end = where[x, y]
        assert tuple(sets[begin:end]) == expected
        assert where[y, x].tolist() == [begin, end]
    assert tests == slow_tests


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


def dependent(seed, n, records):
    """Return codes whose columns depend on earlier ones, and cardinalities with levels that may not occur."""
    rng = np.random.default_rng(seed)
    cardinalities = rng.integers(1, 5, n)
    codes = np.empty((records, n), np.int32)
    for i in range(n):
        earlier = codes[:, rng.permutation(i)[:2]].sum(axis=1)
        noise = rng.integers(0, 4, records) * (rng.random(records) < 0.5)
        codes[:, i] = (earlier + noise) % cardinalities[i]
    return codes, cardinalities + rng.integers(0, 2, n)


def by_hand(codes, x, y, chosen):
    """Return G2 and its degrees of freedom from the formula, configuration by configuration."""
    tables = {}
    for record in codes.tolist():
        tables.setdefault(tuple(record[v] for v in chosen), Counter())[record[x], record[y]] += 1
    statistic = freedom = 0
    for table in tables.values():
        rows, columns = Counter(), Counter()
        for (a, b), count in table.items():
            rows[a] += count
            columns[b] += count
        total = sum(rows.values())
        statistic += sum(2 * k * math.log(k * total / (rows[a] * columns[b])) for (a, b), k in table.items())
        freedom += (len(rows) - 1) * (len(columns) - 1)
    return statistic, freedom


def p_by_hand(codes, x, y, chosen):
    statistic, freedom = by_hand(codes, x, y, chosen)
    return scipy.stats.chi2.sf(statistic, freedom) if freedom else 1.0


def cells(codes, x, y, chosen):
    return math.prod(len(np.unique(codes[:, v])) for v in (x, y, *chosen))


def g_test(codes, x, y, chosen):
    """Return G2, its degrees of freedom and the p-value by the kernel."""
    dense, levels = constraint.occurring(codes.astype(np.uint16))
    index, count = np.zeros(len(dense), np.int32), 1
    for v in chosen:
        finer = np.empty_like(index)
        index, count = finer, kernel.refine(index, count, dense[:, v], levels[v], finer)
    statistic, freedom = kernel.g_squared(index, count, dense, levels, x, y, m_ln_m(len(dense)))
    return statistic, freedom, scipy.stats.chi2.sf(statistic, freedom) if freedom else 1.0


def questions(codes, count):
    """Yield random pairs with up to three other variables."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        x, y, *chosen = rng.permutation(codes.shape[1])[: 2 + rng.integers(4)].tolist()
        yield x, y, sorted(chosen)


@pytest.mark.parametrize(("seed", "records"), [(0, 1), (1, 12), (2, 90), (3, 90)])
def test_statistic_freedom_and_p_value_equal_those_by_hand(seed, records):
    codes, _ = dependent(seed, 7, records)
    for x, y, chosen in questions(codes, 30):
        statistic, freedom, p = g_test(codes, x, y, chosen)
        assert (statistic, freedom) == pytest.approx(by_hand(codes, x, y, chosen), abs=1e-9)
        assert p == pytest.approx(p_by_hand(codes, x, y, chosen), rel=1e-6, abs=1e-12)
        assert g_test(codes, y, x, chosen[::-1]) == pytest.approx((statistic, freedom, p), abs=1e-9)


@pytest.mark.parametrize(("name", "records"), [("asia", 500), ("child", 300)])
def test_p_values_equal_those_of_causal_learn_and_the_statistic_that_of_pyagrum(name, records):
    cit = pytest.importorskip("causallearn.utils.cit")
    codes = sample(network(name), records, seed=4)
    test = cit.CIT(codes.astype(np.int64), "gsq")
    names = [f"v{i}" for i in range(codes.shape[1])]
    learner = gum.BNLearner(pytest.importorskip("pandas").DataFrame(codes.astype(str), columns=names))
    for x, y, chosen in questions(codes, 60):
        statistic, _, p = g_test(codes, x, y, chosen)
        assert p == pytest.approx(test(x, y, chosen), abs=1e-8)
        theirs, _ = learner.G2(names[x], names[y], [names[v] for v in chosen])
        assert statistic == pytest.approx(theirs, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(("name", "records"), [("asia", 2000), ("sachs", 500), ("child", 300)])
def test_the_skeleton_equals_that_of_causal_learn(name, records):
    search = pytest.importorskip("causallearn.search.ConstraintBased.PC")
    net = network(name)
    codes = sample(net, records, seed=6)
    theirs = search.pc(codes.astype(np.int64), 0.05, "gsq", True, show_progress=False).G.graph != 0
    options = {"candidates": "either", "stable": True, "min_records_per_cell": 0}
    np.testing.assert_array_equal(skeleton(pc_g2(codes, net.cardinalities, **options).cpdag), theirs)


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(5, 200), st.booleans(), st.booleans(), st.booleans())
def test_skeleton_and_sets_of_g2_equal_those_of_the_twin(seed, n, records, union, stable, rule):
    codes, _ = dependent(seed, n, records)
    most = records / 5 if rule else np.inf

    def independent(x, y, chosen):
        if cells(codes, x, y, chosen) > most and min(len(np.unique(codes[:, v])) for v in (x, y)) > 1:
            return None
        return p_by_hand(codes, x, y, chosen) >= 0.05

    dense, levels = constraint.occurring(codes)
    test = (dense, levels, m_ln_m(records), critical_g2(records, levels.max(), 0.05, most), most)
    result = kernel.skeleton(*complete(n), None, test, union, stable)
    assert_same_skeleton(result, slow_skeleton(n, independent, union, stable))


@pytest.mark.parametrize("alpha", [1e-6, 0.05, 0.5, 0.99])
def test_critical_values_have_p_value_alpha_and_end_beyond_the_largest_statistic(alpha):
    critical = critical_g2(100, 4, alpha, np.inf)
    assert critical[0] == np.inf
    freedom = np.arange(1, len(critical))
    np.testing.assert_allclose(scipy.stats.chi2.sf(critical[1:], freedom), alpha, rtol=1e-6)
    assert critical[-1] >= 200 * np.log(4)
    assert len(critical_g2(100, 4, alpha, 10)) <= 20


@given(st.integers(0, 10_000))
def test_names_of_levels_order_of_records_and_unused_levels_do_not_matter(seed):
    codes, cardinalities = dependent(seed, 6, 300)
    rng = np.random.default_rng(seed)
    other = rng.permutation(codes)
    for i in range(6):
        other[:, i] = rng.permutation(9)[other[:, i]]
    once, twice = pc_g2(codes, cardinalities), pc_g2(other, np.full(6, 9))
    np.testing.assert_array_equal(twice.cpdag, once.cpdag)
    assert twice.score_calls == once.score_calls


@pytest.mark.parametrize("records", [1, 4, 500])
def test_constant_columns_are_never_adjacent(records):
    codes, _ = dependent(3, 5, records)
    codes[:, 1], codes[:, 3] = 0, 2
    learned = pc_g2(codes, np.full(5, 4))
    assert learned.kind == "pdag"
    assert not learned.cpdag[[1, 3]].any()
    assert not learned.cpdag[:, [1, 3]].any()


def test_a_set_that_the_data_cannot_bear_separates_nothing():
    rng = np.random.default_rng(0)
    middle = rng.integers(0, 3, 400)
    ends = (middle[:, None] + (rng.random((400, 2)) < 0.2)) % 3
    chain = np.column_stack([ends, middle])
    assert not skeleton(pc_g2(chain, [3, 3, 3]).cpdag)[0, 1]
    learned = pc_g2(chain, [3, 3, 3], min_records_per_cell=15)  # 400 / 27 < 15
    assert skeleton(learned.cpdag)[0, 1]
    assert learned.score_calls == 3
    assert pc_g2(chain, [3, 3, 3], min_records_per_cell=50).score_calls == 0


def test_columns_of_distinct_values_are_counted():
    codes = np.column_stack([np.arange(60)] * 2 + [np.arange(60) % 2]).astype(np.int32)
    assert not skeleton(pc_g2(codes, [60, 60, 2], min_records_per_cell=0).cpdag)[0, 1]
    statistic, freedom, p = g_test(codes, 0, 1, [2])
    assert statistic == pytest.approx(120 * math.log(30))
    assert freedom == 2 * 29**2
    assert p == pytest.approx(1)


def test_bad_input_is_named():
    codes, cardinalities = dependent(0, 3, 50)
    for wrong in (codes - 1, codes + 5, codes.astype(float)):
        with pytest.raises(InputError, match="cardinality"):
            pc_g2(wrong, cardinalities)
