import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from scipy.stats import entropy, norm, truncnorm

from cutpoint.discretization.mixtures import (
    FLOOR,
    Mixture,
    Sample,
    StandardizedValues,
    choose,
    cut_points,
    information_loss,
    penalty,
    ruichu,
    thresholds,
)
from cutpoint.kernels import mixture as kernels


def joint(x, cells, means, deviations, weights):
    """ln of weight times density, [N, K]."""
    with np.errstate(divide="ignore"):
        return np.log(weights)[cells] + norm.logpdf(x[:, None], means, deviations)


def log_likelihood(x, cells, means, deviations, weights):
    """Eq. 5."""
    return logsumexp(joint(x, cells, means, deviations, weights), axis=1).sum()


def em_step(x, cells, means, deviations, weights, floor=1e-3):
    logs = joint(x, cells, means, deviations, weights)
    shares = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
    means = shares.T @ x / shares.sum(axis=0)
    squares = (shares * (x[:, None] - means) ** 2).sum(axis=0)
    deviations = np.maximum(np.sqrt(squares / shares.sum(axis=0)), floor)
    weights = np.array([shares[cells == j].mean(axis=0) for j in range(len(weights))])
    return means, deviations, weights


def em(x, cells, means, deviations, weights, steps):
    for _ in range(steps):
        means, deviations, weights = em_step(x, cells, means, deviations, weights)
    return means, deviations, weights, log_likelihood(x, cells, means, deviations, weights)


def bic(x, cells, means, deviations, weights):
    """Eq. 8."""
    g, q = len(means) - 1, len(weights)
    parameters = q * g + 2 * (g + 1)
    return log_likelihood(x, cells, means, deviations, weights) - parameters / 2 * np.log(len(x))


def exhaustive(x, cells, sizes, starts, rng):
    """The best BIC by number of components: EM on all records from quantiles and from random starts."""
    q, best = cells.max() + 1, {}
    for size in sizes:
        at = [np.quantile(x, (np.arange(size) + 0.5) / size)]
        at += [np.sort(rng.choice(np.unique(x), size, replace=False)) for _ in range(starts)]
        fits = [em(x, cells, m, np.full(size, 1 / size), np.full((q, size), 1 / size), 60)[:3] for m in at]
        best[size] = max(bic(x, cells, *fit) for fit in fits)
    return best


def problem(seed, rows=600, configurations=None, levels=None):
    """Values of truncated Gaussians on consecutive intervals, and configurations, each with its own weights."""
    rng = np.random.default_rng(seed)
    levels = levels or rng.integers(2, 6)
    q = configurations or int(np.exp(rng.uniform(0, np.log(61))))
    edges = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, levels))])
    means, deviations = rng.uniform(edges[:-1], edges[1:]), rng.uniform(0.1, 0.5, levels)
    weights = rng.dirichlet(np.ones(levels), q)
    cells = rng.choice(q, rows, p=rng.dirichlet(np.ones(q)))
    z = np.array([rng.choice(levels, p=weights[j]) for j in cells])
    low, high = (edges[z] - means[z]) / deviations[z], (edges[z + 1] - means[z]) / deviations[z]
    x = truncnorm.rvs(low, high, means[z], deviations[z], random_state=rng)
    return x, np.unique(cells, return_inverse=True)[1], edges[1:-1]


WEIGHTS = np.array([[0.7, 0.0, 0.3]])
pytestmark = pytest.mark.filterwarnings("error")


def sample_of(x, cells):
    column = StandardizedValues(x)
    return Sample(column, cells[column.order].astype(np.uint32), int(cells.max()) + 1)


def start_of(seed, q, size):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(size), q)
    return Mixture(np.sort(rng.normal(size=size)), rng.uniform(0.1, 1.0, size), weights, 0.0)


def as_tuple(mixture):
    return mixture.means, mixture.deviations, mixture.weights


def grouped(x, cells):
    """The records as the kernels take them."""
    order = np.lexsort((x, cells))
    bounds = np.concatenate([[0], np.cumsum(np.bincount(cells))])
    return x[order], bounds, np.empty((0, 0)), np.empty(0), np.empty(0)


@pytest.mark.parametrize("steps", [0, 1, 7, 25])
@pytest.mark.parametrize(("q", "size"), [(1, 3), (7, 2), (40, 5), (300, 4)])
def test_em_is_the_reference(q, size, steps):
    x, cells, _ = problem(q + size, rows=700, configurations=q)
    sample = sample_of(x, cells)
    start = start_of(steps, sample.q, size)
    z = (x - x.mean()) / x.std()
    means, deviations, weights, value = em(z, cells, *as_tuple(start), steps)
    mixture = kernels_run(grouped(z, cells), start, steps)
    np.testing.assert_allclose(mixture[0], value, rtol=1e-9)
    for got, expected in zip(mixture[1:], (means, deviations, weights), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-9)


def kernels_run(data, start, steps, growth=1.0):
    means, deviations, weights = (a.copy() for a in as_tuple(start))
    value = kernels.run(data, FLOOR, -np.inf, steps, growth, means, deviations, weights)
    return value, means, deviations, weights


@given(
    seed=st.integers(0, 10**6), rows=st.integers(2, 300), q=st.integers(1, 40), size=st.integers(1, 8),
    digits=st.integers(0, 3), growth=st.sampled_from([1.0, kernels.GROWTH, 3.0]),
)  # fmt: skip
def test_the_log_likelihood_never_falls(seed, rows, q, size, digits, growth):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=rows), digits)
    cells = np.unique(rng.integers(0, q, rows), return_inverse=True)[1]
    start = start_of(seed, int(cells.max()) + 1, size)
    column = StandardizedValues(x)
    wide = sample_of(x, cells)._wide
    for data in (grouped(column.x, cells[column.order]), wide if wide[2].shape[0] == len(start.weights) else None):
        if data is None:
            continue
        values = [kernels_run(data, start, steps, growth)[0] for steps in range(25)]
        assert np.isfinite(values).all()
        assert (np.diff(values) >= -1e-9 * (1 + np.abs(values[:-1]))).all()


@pytest.mark.parametrize("size", [2, 4])
def test_em_is_that_of_scikit_learn(size):
    mixture = pytest.importorskip("sklearn.mixture")
    x = problem(5, rows=500, levels=4)[0]
    x = np.sort((x - x.mean()) / x.std())
    start = start_of(3, 1, size)
    other = mixture.GaussianMixture(
        size, tol=0.0, reg_covar=0.0, max_iter=15, means_init=start.means[:, None],
        weights_init=start.weights[0], precisions_init=1.0 / start.deviations[:, None, None] ** 2,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other.fit(x[:, None])
    value, means, deviations, weights = kernels_run(grouped(x, np.zeros(500, int)), start, 15)
    np.testing.assert_allclose(means, other.means_[:, 0], rtol=1e-8)
    np.testing.assert_allclose(deviations, np.sqrt(other.covariances_[:, 0, 0]), rtol=1e-8)
    np.testing.assert_allclose(weights[0], other.weights_, rtol=1e-8)
    np.testing.assert_allclose(value, 500 * other.score(x[:, None]), rtol=1e-9)


@given(st.floats(-50, 50), st.floats(1e-6, 20), st.floats(-6, 6), st.floats(-6, 6), st.sampled_from([1e-12, 1.0, 1e12]))
def test_a_cut_point_loses_least(mean, distance, lower, upper, unit):
    means = unit * np.array([mean, mean + distance])
    deviations = unit * np.exp([lower, upper])

    def loss(t):
        return norm.sf(t, means[0], deviations[0]) + norm.cdf(t, means[1], deviations[1])

    cut = cut_points(means, deviations)
    assert cut.shape == (1,)
    assert means[0] <= cut[0] <= means[1]
    grid = np.linspace(*means, 400)
    near = np.clip(grid[np.argmin(loss(grid))] + unit * distance * np.array([-0.01, 0.01]), *means)
    least = minimize_scalar(loss, bounds=near, method="bounded", options={"xatol": 1e-9 * unit * distance}).fun
    assert loss(cut[0]) <= min(least, loss(grid).min()) + 1e-9


def test_cut_points_of_special_mixtures():
    np.testing.assert_allclose(cut_points(np.array([0.0, 1.0, 4.0]), np.ones(3)), [0.5, 2.5])
    assert cut_points(np.array([1.0, 1.0]), np.array([0.5, 2.0])).tolist() == [1.0]
    assert cut_points(np.array([1.0, np.nextafter(1.0, 2)]), np.array([1.0, 1.0]))[0] <= np.nextafter(1.0, 2)
    assert cut_points(np.array([0.0, 1.0]), np.array([1e-150, 1e150])).tolist() == pytest.approx([0.0])
    assert cut_points(np.array([0.0]), np.array([1.0])).size == 0
    # Far wider than the distance: the wider one covers the narrower one's mean, so the cut is at an end.
    assert cut_points(np.array([0.0, 1.0]), np.array([1.0, 100.0]))[0] == pytest.approx(1.0)
    assert cut_points(np.array([0.0, 1.0]), np.array([100.0, 1.0]))[0] == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(6))
def test_bic_is_that_of_the_formula(seed):
    x, cells, _ = problem(seed)
    sample = sample_of(x, cells)
    mixture = choose(sample)
    z = (x - sample.column.centre) / sample.column.scale
    order = np.lexsort((cells,))
    assert mixture.bic(len(x)) == pytest.approx(bic(z[order], cells[order], *as_tuple(mixture)), rel=1e-9)
    assert penalty(1, 3, 100) == pytest.approx((3 * 3 - 1) / 2 * np.log(100))
    np.testing.assert_allclose(mixture.weights.sum(axis=1), 1.0)
    assert (np.diff(mixture.means) >= 0).all()


def test_the_choice_is_about_as_good_as_an_exhaustive_search():
    losses = []
    for seed in range(12):
        x, cells, _ = problem(seed, rows=300)
        sample = sample_of(x, cells)
        z = (x - sample.column.centre) / sample.column.scale
        best = exhaustive(z, cells, range(2, 6), 2, np.random.default_rng(seed))
        losses.append(max(best.values()) - choose(sample, max_levels=5).bic(len(x)))
    assert np.quantile(losses, 0.75) < 0.1
    assert np.mean(losses) < 4.0


BAD = {
    "two values": np.repeat([1.0, 2.0], [3, 50]),
    "ties": np.repeat(np.arange(5.0), [100, 1, 40, 7, 300]),
    "one far value": np.append(np.linspace(0, 1, 99), 1e15),
    "adjacent floats": np.repeat([1.0, np.nextafter(1.0, 2)], 20),
    "denormal": np.array([0.0, 5e-324, 5e-324]),
    "two records": np.array([3.0, 4.0]),
    "range of all floats": np.array([-1.7e308, 0.0, 1.0, 1.7e308]),
    "half on a tie": np.concatenate([np.zeros(200), np.linspace(-1, 1, 200)]),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("spread", [False, True])
def test_bad_columns_get_legal_thresholds(name, spread):
    x = BAD[name]
    column = StandardizedValues(x)
    q = x.size if spread else 1
    mixture = choose(Sample(column, np.arange(x.size, dtype=np.uint32) if spread else None, q))
    cuts = thresholds(column, mixture)
    assert np.isfinite(mixture.log_likelihood)
    assert np.isfinite(cuts).all()
    assert (np.diff(cuts) > 0).all()
    assert 1 <= cuts.size < min(8, column.distinct)
    assert np.bincount(np.searchsorted(cuts, x, side="right"), minlength=cuts.size + 1).min() > 0


def test_the_information_loss_is_the_entropy_of_the_component():
    x, mixture = np.linspace(-3, 3, 50), Mixture(np.array([-1.0, 0.5, 2.0]), np.array([0.5, 1, 0.1]), WEIGHTS, 0.0)
    shares = norm.pdf(x[:, None], mixture.means, mixture.deviations) * WEIGHTS[0]
    assert information_loss(x, mixture) == pytest.approx(entropy(shares, axis=1).sum(), rel=1e-9)


def test_ruichu_makes_no_levels_that_lose_what_they_would_tell():
    true, by = [], {"icl": [], "bic": []}
    for seed in range(20):
        x, _, cuts = problem(seed, rows=2000, configurations=1)
        true.append(len(cuts))
        for criterion, numbers in by.items():
            numbers.append(ruichu(x[:, None], np.array([False]), criterion=criterion)[0].size)
    errors = {criterion: np.abs(np.subtract(numbers, true)).mean() for criterion, numbers in by.items()}
    assert errors["icl"] < 0.6 * errors["bic"]
    assert all(np.less_equal(by["icl"], by["bic"]))


def test_limits_of_the_levels_hold():
    x = problem(2, rows=500, configurations=1, levels=5)[0][:, None]
    discrete = np.array([False])
    assert ruichu(x, discrete, max_levels=2)[0].size == 1
    assert ruichu(x, discrete, min_levels=6, max_levels=6)[0].size == 5
    assert ruichu(np.random.default_rng(0).normal(size=(500, 1)), discrete, min_levels=1)[0].size == 0
