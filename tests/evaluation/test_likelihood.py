"""The held-out log-likelihood: densities that integrate to 1, against slow twins and known distributions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import random_dag
from scipy.stats import norm

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation import evaluators
from cutpoint.bench.evaluation.held_out import FREQUENCY, GAUSSIAN, SPLINES, HeldOut, HeldOutFold
from cutpoint.data.resampling import folds
from cutpoint.discretization.binning import equal_frequency
from cutpoint.graphs.patterns import cpdag
from cutpoint.models import curves
from cutpoint.models.density import SmoothDensity, shares

LEVELS = 3
REGRESSIONS = (GAUSSIAN, SPLINES)
FAMILIES = ("own", GAUSSIAN, SPLINES, f"{FREQUENCY}3")


def held_out(train, test, discrete, cardinalities, dag, evaluator):
    """`evaluator` is a name, or the thresholds of a method."""
    return log_density(HeldOut(train, test, discrete, cardinalities), dag, evaluator)


def log_density(model, dag, evaluator):
    return model.log_density(dag, evaluator if isinstance(evaluator, str) else model.levels(evaluator))


def mixed(rng, records, n=4):
    """Values, discrete and cardinalities: columns of codes, of normals, with ties, and constant ones."""
    discrete = rng.random(n) < 0.4
    values = rng.normal(0, 1, (records, n)) @ rng.normal(0, 1, (n, n))
    for i in range(n):
        if discrete[i]:
            values[:, i] = np.clip(np.round(values[:, i] + 1), 0, LEVELS - 1)
        elif rng.random() < 0.2:
            values[:, i] = np.round(values[:, i])
        elif rng.random() < 0.1:
            values[:, i] = 2.5
    return values, discrete, np.where(discrete, LEVELS, 0)


def random_thresholds(rng, values):
    spread = np.ptp(values, axis=0) + 1
    return [
        np.sort(rng.uniform(x.min() - 0.2 * s, x.max() + 0.2 * s, rng.integers(0, 5)))
        for x, s in zip(values.T, spread, strict=True)
    ]


@given(seed=st.integers(0, 2**32), family=st.sampled_from(FAMILIES), size=st.sampled_from([1, 2, 30, 300]))
def test_given_its_parents_every_variable_has_mass_1(seed, family, size):
    rng = np.random.default_rng(seed)
    train, discrete, cardinalities = mixed(rng, size)
    child = int(rng.integers(4))
    dag = np.zeros((4, 4), bool)
    dag[rng.random(4) < 0.7, child] = True
    dag[child, child] = False
    # parents' values as in training or far from it: configurations that were never seen
    given_parents = np.where(discrete, rng.integers(0, LEVELS, 4), train[rng.integers(size)] * rng.choice([1, 1, -30]))
    equal = family not in ("own", *REGRESSIONS)
    cuts = equal_frequency(train, discrete, bins=3) if equal else random_thresholds(rng, train)
    if discrete[child]:
        states, masses = np.arange(float(LEVELS)), shares(train[:, child].astype(int), np.full(LEVELS, 1 / LEVELS))
    else:
        density = SmoothDensity(train[:, child])
        scale = np.ptp(train[:, child]) + 1
        fine = np.median(train[:, child]) + scale * np.sinh(np.linspace(-25, 25, 3_000))
        edges = np.sort(np.concatenate([fine, cuts[child], np.linspace(-3, 3, 3_000) * scale + train[:, child].mean()]))
        masses = density.masses(edges)
        states = np.concatenate([[edges[0]], 0.5 * edges[:-1] + 0.5 * edges[1:], [edges[-1] + 1]])
    test = np.tile(given_parents.astype(float), (len(states), 1))
    test[:, child] = states
    model = HeldOut(train, test, discrete, cardinalities)
    gain = log_density(model, dag, cuts if family == "own" else family) - model.independence
    exact = family not in REGRESSIONS or discrete[child]  # a normal density is not constant in a bin
    assert np.sum(np.exp(gain) * masses) == pytest.approx(1, abs=1e-9 if exact else 2e-3)


@given(seed=st.integers(0, 2**32))
def test_counts_are_those_of_a_slow_twin(seed):
    rng = np.random.default_rng(seed)
    train, test, masses = rng.integers(0, 3, (40, 3)), rng.integers(0, 4, (9, 3)), rng.dirichlet(np.ones(4))
    both = np.concatenate([train, test])
    gains = evaluators.binned_gain(both[:, 0], [both[:, 1], both[:, 2]], masses, 40)

    def ratio(level, parents):
        alone = (sum(row[0] == level for row in train) + masses[level]) / 41
        same = [row for row in train if tuple(row[1:]) == tuple(parents)]
        return (sum(row[0] == level for row in same) + alone) / (len(same) + 1) / alone

    for row, gain in zip(test, gains, strict=True):
        whole = sum(masses[k] * ratio(k, row[1:]) for k in range(4))
        assert gain == pytest.approx(math.log(ratio(row[0], row[1:]) / whole), abs=1e-12)


@given(seed=st.integers(0, 2**32), family=st.sampled_from(FAMILIES))
def test_without_edges_it_is_independence_and_parents_cost_at_most_the_logarithm_of_the_records(seed, family):
    rng = np.random.default_rng(seed)
    values, discrete, cardinalities = mixed(rng, 80)
    train, test = values[:50].copy(), values[50:]
    test[0, ~discrete] = rng.choice([-1e12, 1e3, 1e12])
    evaluator = random_thresholds(rng, train) if family == "own" else family
    alone = HeldOut(train, test, discrete, cardinalities).independence
    empty = held_out(train, test, discrete, cardinalities, np.zeros((4, 4), bool), evaluator)
    np.testing.assert_allclose(empty, alone, rtol=1e-12)
    dag = random_dag(rng, 4)
    densities = held_out(train, test, discrete, cardinalities, dag, evaluator)
    assert np.isfinite(densities).all()
    if family in REGRESSIONS:
        assert (densities - alone >= -dag.any(0).sum() * math.log(51) - 1e-9).all()


@given(seed=st.integers(0, 2**32), family=st.sampled_from(FAMILIES))
def test_units_shift_it_and_the_order_of_columns_does_not_matter(seed, family):
    rng = np.random.default_rng(seed)
    values, discrete, cardinalities = mixed(rng, 150)
    dag, cuts = random_dag(rng, 4), random_thresholds(rng, values)
    before = held_out(values[:100], values[100:], discrete, cardinalities, dag, cuts if family == "own" else family)
    factors = np.where(discrete, 1.0, 2.0 ** rng.integers(-30, 30, 4))
    order = rng.permutation(4)
    moved = (values * factors)[:, order]
    cuts = [cuts[i] * factors[i] for i in order]
    graph, levels = dag[np.ix_(order, order)], cuts if family == "own" else family
    after = held_out(moved[:100], moved[100:], discrete[order], cardinalities[order], graph, levels)
    np.testing.assert_allclose(after, before - np.log(factors).sum(), rtol=1e-5, atol=1e-5)


CHAIN = np.eye(3, k=1).astype(bool)  # a -> b -> c


def classes(rng, records):
    """A discrete cause, a normal given it, and a discrete effect by a logistic function."""
    a = rng.choice(3, records, p=[0.5, 0.3, 0.2])
    b = a + rng.normal(0, 1, records)
    chance = 1 / (1 + np.exp(-2 * (b - 1)))
    c = (rng.random(records) < chance).astype(int)
    true = np.log([0.5, 0.3, 0.2])[a] + norm.logpdf(b - a) + np.log(np.where(c, chance, 1 - chance))
    return np.column_stack([a, b, c]).astype(float), true, np.array([True, False, True]), np.array([3, 0, 2])


def test_with_the_right_graph_it_comes_near_the_true_density(rng):
    values, true, discrete, cardinalities = classes(rng, 12_000)
    model = HeldOut(values[:4000], values[4000:], discrete, cardinalities)
    graphs = {"right": CHAIN, "reversed": CHAIN.T, "part": CHAIN & [False, True, False]}
    graphs["too many"] = np.triu(np.ones((3, 3), bool), 1)
    densities = {name: log_density(model, dag, GAUSSIAN).mean() for name, dag in graphs.items()}
    expected = true[4000:].mean()
    assert expected - 0.03 < densities["right"] < expected
    assert densities["right"] == pytest.approx(densities["reversed"], abs=0.03)
    assert densities["right"] > densities["part"] + 0.1 > model.independence.mean() + 0.2
    assert densities["too many"] == pytest.approx(densities["right"], abs=0.01)


def test_states_that_were_never_seen_and_columns_of_one_level(rng):
    train = np.column_stack(
        [rng.integers(0, 2, 40), rng.normal(0, 1, 40), np.zeros(40), np.full(40, 3.5), rng.integers(0, 2, 40)]
    )
    test = np.array([[2, 0.1, 0, 3.5, 2], [3, 99, 0, 3.6, 3], [0, -99, 0, -1e9, 1]])
    discrete, cardinalities = np.array([True, False, True, False, True]), np.array([4, 0, 1, 0, 4])
    dag = np.triu(np.ones((5, 5), bool), 1)
    for graph in (dag, dag.T):
        empty = [np.empty(0), np.array([-1e6, 0, 1e6]), np.empty(0), np.array([3.5, 3.5]), np.empty(0)]
        for cuts in (GAUSSIAN, SPLINES, empty):
            assert np.isfinite(held_out(train, test, discrete, cardinalities, graph, cuts)).all()


def test_what_does_not_fit_is_named():
    train, discrete, cardinalities = np.array([[0.0, 1.0]]), np.array([True, False]), np.array([2, 0])
    with pytest.raises(InputError, match="column 0 holds codes beyond its 2 levels"):
        HeldOut(train, np.array([[2.0, 1.0]]), discrete, cardinalities)
    with pytest.raises(InputError, match="at least one record"):
        HeldOut(train[:0], train, discrete, cardinalities)
    with pytest.raises(InputError, match="train has 2 columns"):
        HeldOut(train, train[:, :1], discrete, cardinalities)
    with pytest.raises(InputError, match="2 variables are expected"):
        held_out(train, train, discrete, cardinalities, np.zeros((3, 3), bool), GAUSSIAN)
    with pytest.raises(InputError, match="2 variables are expected"):
        held_out(train, train, discrete, cardinalities, np.zeros((2, 2), bool), [np.empty(0)] * 3)
    assert held_out(train, train[:0], discrete, cardinalities, np.zeros((2, 2), bool), GAUSSIAN).shape == (0,)
    assert held_out(train, train[:0], discrete, cardinalities, np.eye(2, k=1).astype(bool), GAUSSIAN).shape == (0,)


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_logistic_regression_is_that_of_scikit_learn(levels, rng):
    linear_model = pytest.importorskip("sklearn.linear_model")
    features = rng.normal(1, 2, (300, 3))
    codes = np.argmax(features @ rng.normal(0, 1, (3, levels)) + rng.gumbel(0, 1, (300, levels)), axis=1)
    slopes, intercepts = curves.logistic(features, codes, levels)
    scores = features @ slopes + intercepts
    # of two levels scikit-learn has one set of slopes, the difference of ours: half of its square is penalised
    model = linear_model.LogisticRegression(C=(2 if levels == 2 else 1) / curves.RIDGE, tol=1e-10, max_iter=2000)
    theirs = model.fit(features, codes).predict_log_proba(features)
    logs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    np.testing.assert_allclose(logs, theirs, atol=2e-4)


def natural_spline(knots, heights):
    """The function through the knots that minimises the integral of its squared second derivative, by its equations."""
    k, h = len(knots), np.diff(knots)
    system, right = np.eye(k), np.zeros(k)
    for j in range(1, k - 1):
        system[j, j - 1 : j + 2] = h[j - 1] / 6, (h[j - 1] + h[j]) / 3, h[j] / 6
        right[j] = (heights[j + 1] - heights[j]) / h[j] - (heights[j] - heights[j - 1]) / h[j - 1]
    bends = np.linalg.solve(system, right)

    def value(x):
        if x < knots[0]:
            return heights[0] + (x - knots[0]) * ((heights[1] - heights[0]) / h[0] - h[0] * bends[1] / 6)
        if x > knots[-1]:
            return heights[-1] + (x - knots[-1]) * ((heights[-1] - heights[-2]) / h[-1] + h[-1] * bends[-2] / 6)
        j = min(int(np.searchsorted(knots, x, side="right")) - 1, k - 2)
        below, above = (knots[j + 1] - x) / h[j], (x - knots[j]) / h[j]
        bent = ((below**3 - below) * bends[j] + (above**3 - above) * bends[j + 1]) * h[j] ** 2 / 6
        return below * heights[j] + above * heights[j + 1] + bent

    return value


def test_splines_are_those_of_the_equations_of_a_natural_spline():
    knots = norm.ppf(curves.QUANTILES)
    scores = np.array([-9.0, -2.5, *knots, -0.3, 0.01, 1.1, 2.7, 8.0])
    basis = curves.splines(scores)
    for j, column in enumerate(basis.T):
        slow = natural_spline(knots, np.eye(len(knots))[j] * math.sqrt(len(knots)))
        np.testing.assert_allclose(column, [slow(x) for x in scores], atol=1e-9)
    np.testing.assert_allclose(basis.sum(1), math.sqrt(len(knots)), atol=1e-9)  # constants and lines are splines
    np.testing.assert_allclose(basis @ knots, math.sqrt(len(knots)) * scores, atol=1e-9)


@pytest.mark.parametrize("name", [GAUSSIAN, SPLINES, f"{FREQUENCY}4"])
def test_shared_evaluators_are_those_of_slow_twins(name, rng):
    values = rng.normal(0, 1, (60, 3))
    values[:, 2] += np.sin(2 * values[:, 0]) + values[:, 1]
    train, test = values[:45], values[45:]
    dag = np.zeros((3, 3), bool)
    dag[[0, 1], 2] = True
    densities = held_out(train, test, np.zeros(3, bool), np.zeros(3, int), dag, name)
    marginals = [SmoothDensity(column) for column in train.T]
    alone = sum(g.log_density(x) for g, x in zip(marginals, test.T, strict=True))
    if name.startswith(FREQUENCY):
        ordered = np.sort(train, axis=0)
        cuts = [[(x[k - 1] + x[k]) / 2 for k in (11, 22, 34)] for x in ordered.T]  # 45 j / 4, rounded half to even
        expected = held_out(train, test, np.zeros(3, bool), np.zeros(3, int), dag, [np.array(each) for each in cuts])
        np.testing.assert_allclose(densities, expected, atol=1e-12)
        return
    z, w = ([g.normal_scores(x) for g, x in zip(marginals, each.T, strict=True)] for each in (train, test))
    knots = norm.ppf(curves.QUANTILES)
    bumps = [natural_spline(knots, row * math.sqrt(7)) for row in np.eye(7)]
    functions = bumps if name == SPLINES else [float]

    def design(scores):
        return np.array([[f(x) for x in record for f in functions] for record in zip(*scores[:2], strict=True)])

    mean = design(z).mean(0)
    centred = design(z) - mean
    ridge = np.eye(centred.shape[1])
    slopes = np.linalg.lstsq(np.vstack([centred, ridge]), np.append(z[2] - z[2].mean(), np.zeros(len(ridge))))[0]
    spread = np.sqrt(np.mean((z[2] - z[2].mean() - centred @ slopes) ** 2))
    grid = np.linspace(-14, 14, 20_001)
    for i, centre in enumerate((design(w) - mean) @ slopes + z[2].mean()):
        ratio = norm.logpdf(grid, centre, spread) - norm.logpdf(grid, z[2].mean(), z[2].std())
        whole = np.log(np.trapezoid(np.exp(ratio + norm.logpdf(grid)), grid))
        gain = norm.logpdf(w[2][i], centre, spread) - norm.logpdf(w[2][i], z[2].mean(), z[2].std()) - whole
        assert densities[i] - alone[i] == pytest.approx(np.log(45 / 46 * np.exp(gain) + 1 / 46), abs=1e-6)


def curved(rng, records):
    """Additive functions that are no lines: a -> c <- b, c -> d."""
    a, b = rng.normal(0, 1, (2, records))
    c = np.sin(2 * a) + b**2 + rng.normal(0, 0.3, records)
    return np.column_stack([a, b, c, np.abs(c - 1) + rng.normal(0, 0.3, records)])


TRUE = np.zeros((4, 4), bool)
TRUE[[0, 1, 2], [2, 2, 3]] = True


def judged(fold, names, pattern, cuts):
    """What is said of a pattern and cuts in the order of some names."""
    order = [names.index(name) for name in fold.variables]
    return fold.judged(pattern[np.ix_(order, order)], cuts and [cuts[i] for i in order])


def folded(values, held, names="abcd", order=(0, 1, 2, 3)):
    inner = folds(int((~held).sum()), 3, 1)
    columns = [names[i] for i in order]
    data = DataSet(columns, columns, values[:, list(order)], np.zeros(len(columns), bool), {"cardinalities": {}})
    return HeldOutFold(data, held, inner, {})


def test_neither_names_nor_order_of_columns_matter(rng):
    values, held = curved(rng, 400), np.arange(400) % 4 == 0
    pattern = cpdag(TRUE)
    pattern[1, 3] = pattern[3, 1] = True
    before, cuts = folded(values, held), random_thresholds(rng, values)
    for order in ((3, 1, 0, 2), (2, 3, 1, 0)):
        after = folded(values, held, "zyxw", order)
        assert judged(after, "zyxw", pattern, cuts) == judged(before, "abcd", pattern, cuts)
