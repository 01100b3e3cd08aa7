"""Marginals that are above 0 everywhere, against quadrature and known distributions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from cutpoint.base.errors import InputError
from cutpoint.models.density import CENTRES, SmoothDensity, shares

COLUMNS = {
    "normal": lambda rng, n: rng.normal(3, 2, n),
    "skewed": lambda rng, n: rng.exponential(1, n),
    "heavy": lambda rng, n: rng.standard_cauchy(n),
    "ties": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.normal(0, 1, n)),
    "constant": lambda rng, n: np.full(n, 7.0),
    "all zero": lambda rng, n: np.zeros(n),
}
column = st.builds(
    lambda kind, n, seed: COLUMNS[kind](np.random.default_rng(seed), n),
    st.sampled_from(sorted(COLUMNS)),
    st.sampled_from([1, 2, 3, 10, 200, CENTRES + 1, 1000]),
    st.integers(0, 2**32),
)


def distribution(density, x):
    """G by the normal scores."""
    return float(norm.cdf(density.normal_scores(np.array([x])))[0])


@given(values=column, cut=st.floats(-3, 3))
def test_the_mass_of_a_bin_is_the_integral_of_the_density(values, cut):
    density = SmoothDensity(values)
    spread = max(values.std(), 1.0)
    edges = np.array([cut - 1, cut, cut + 2]) * spread + np.median(values)
    masses = density.masses(edges)
    assert masses.sum() == pytest.approx(1, abs=1e-12)
    points = np.unique(np.clip(values, edges[1], edges[2]))[:: max(1, len(values) // 40)]
    nodes = np.unique(np.concatenate([np.linspace(edges[1], edges[2], 4000), points]))
    fine = np.sort(np.concatenate([nodes, nodes[:-1] + np.diff(nodes) * 0.25, nodes[:-1] + np.diff(nodes) * 0.75]))
    heights = np.exp(density.log_density(fine))
    assert np.trapezoid(heights, fine) == pytest.approx(masses[2], abs=2e-3)
    assert distribution(density, edges[1]) == pytest.approx(masses[:2].sum(), abs=1e-9)


@given(values=column, share=st.floats(1e-4, 1 - 1e-4))
def test_the_distribution_function_rises_and_its_inverse_is_that_of_the_normal_scores(values, share):
    density = SmoothDensity(values)
    far = 1e9 * max(1.0, np.abs(values).max())
    place = brentq(
        lambda x: density.normal_scores(np.array([x]))[0] - norm.ppf(share), -far, far, xtol=1e-14, rtol=1e-14
    )
    assert distribution(density, place) == pytest.approx(share, abs=1e-6)
    assert density.masses(np.array([place]))[0] == pytest.approx(share, abs=1e-6)
    grid = np.sort(np.concatenate([values, np.linspace(-far, far, 50)]))
    assert (np.diff(density.normal_scores(grid)) >= 0).all()


@given(values=column, power=st.integers(-40, 40), sign=st.sampled_from([-1.0, 1.0]))
def test_units_only_shift_the_log_density(values, power, sign):
    factor = sign * 2.0**power
    if values.min() == values.max() == 0:
        return  # nothing tells the unit of zeros
    factor = abs(factor) if len(values) > CENTRES else factor  # groups are not the same from the other end
    x = np.concatenate([values[:20], values[:20] + 0.1, [50.0, -1e6]])
    one, other = SmoothDensity(values), SmoothDensity(values * factor)
    np.testing.assert_allclose(
        other.log_density(x * factor), one.log_density(x) - np.log(abs(factor)), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(np.sign(factor) * other.normal_scores(x * factor), one.normal_scores(x), atol=1e-6)


def test_everything_is_finite_far_away_and_in_narrow_bins(rng):
    far = np.array([-1.7e308, -1e200, -1e17, -40, 0, 40, 1e17, 1e200, 1.7e308])
    for kind, make in COLUMNS.items():
        for size in (1, 3, 1000):
            density = SmoothDensity(make(rng, size))
            assert np.isfinite(density.log_density(far)).all(), kind
            assert np.isfinite(density.normal_scores(far)).all(), kind
            cuts = np.array([-1e200, -1e18, 0.0, 5e-324, 7.0, np.nextafter(7, 8), 7.0000001, 1e18, 1e200])
            assert (density.masses(cuts) > 0).all(), kind


@pytest.mark.parametrize("power", [1020, -1000, -1060])
def test_the_largest_and_the_smallest_columns_have_a_density(power, rng):
    values = rng.integers(-8, 9, 300).astype(float)  # few digits: none is lost near 0
    one, other = SmoothDensity(values), SmoothDensity(np.ldexp(values, power))
    np.testing.assert_allclose(
        other.log_density(np.ldexp(values, power)), one.log_density(values) - power * np.log(2), rtol=1e-12
    )
    np.testing.assert_array_equal(other.masses(np.ldexp([-1.0, 2.0], power)), one.masses(np.array([-1.0, 2.0])))


def test_masses_far_above_are_as_exact_as_far_below(rng):
    values = rng.normal(0, 1, 100)
    cuts = np.array([1e3, 1e10, 1e15, 1e17])
    above, below = SmoothDensity(values).masses(cuts), SmoothDensity(-values).masses(-cuts[::-1])
    np.testing.assert_allclose(above[1:], below[::-1][1:], rtol=1e-9)
    assert above[-1] == pytest.approx(1 / (101 * np.pi * 1e17), rel=0.3)


def test_groups_of_neighbours_stand_for_their_records(rng):
    values = rng.normal(0, 1, 4000)
    bandwidth = 0.9 * 4000**-0.2 * min(values.std(), np.subtract(*np.quantile(values, [0.75, 0.25])) / 1.349)
    x = np.linspace(-3, 3, 50)
    all_records = norm.pdf((x[:, None] - values) / bandwidth).mean(1) / bandwidth
    np.testing.assert_allclose(np.exp(SmoothDensity(values).log_density(x)), all_records, atol=0.002)


def test_shares_by_hand():
    np.testing.assert_allclose(shares(np.array([0, 0, 2]), np.full(4, 1 / 4)), [2.25 / 4, 0.25 / 4, 1.25 / 4, 0.25 / 4])
    np.testing.assert_allclose(shares(np.array([0, 0, 0]), np.ones(1)), [1.0])


def test_no_records_are_refused():
    with pytest.raises(InputError, match="at least one record"):
        SmoothDensity(np.empty(0))


@given(column, st.integers(0, 2**31), st.lists(st.floats(-20, 20), max_size=3, unique=True))
def test_draws_lie_between_thresholds_and_follow_the_density(values, seed, cuts):
    density, rng = SmoothDensity(values), np.random.default_rng(seed)
    edges = [-np.inf, *np.unique(cuts).tolist(), np.inf]
    for low, high in pairwise(edges):
        drawn = density.draw(low, high, 400, rng)
        assert ((drawn >= low) & (drawn < high)).all()
        inner = np.sort(drawn)
        # masses between neighbours among the draws, as shares of the level
        whole = density.masses(np.array([c for c in (low, high) if np.isfinite(c)]))
        level = whole[0] if low == -np.inf else whole[1]
        if level < 1e-9:
            continue
        below = 0.0 if low == -np.inf else density.masses(np.array([low]))[0]
        reached = (density.masses(inner)[:-1].cumsum() - below) / level
        # Kolmogorov's test of 400 draws at 1e-8
        assert np.abs(reached - (np.arange(400) + 0.5) / 400).max() < 3.1 / np.sqrt(400)


@given(column)
def test_a_density_comes_back_from_its_parameters(values):
    density = SmoothDensity(values)
    again = SmoothDensity.restored(density.parameters)
    points = np.linspace(-5, 5, 11)
    np.testing.assert_array_equal(again.log_density(points), density.log_density(points))
    np.testing.assert_array_equal(again.masses(points), density.masses(points))


@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e6])
def test_tails_are_those_of_the_sum_over_all_kernels(scale, rng):
    values = np.concatenate([rng.normal(size=20_000), scale * rng.standard_cauchy(3000), np.zeros(500)])
    density = SmoothDensity(values)
    x = rng.permutation(np.concatenate([values, np.geomspace(1e-8, 1e200, 300), -np.geomspace(1e-8, 1e200, 300)]))
    fit = density.parameters
    unit = (np.ldexp(x, -fit["_exponent"]) - fit["_median"]) / fit["_spread"]
    sides = np.where(unit > 0, -1.0, 1.0)
    centres, deviations = np.array(fit["_centres"]), np.array(fit["_deviations"])
    masses = np.array(
        [ndtr(side * (u - centres) / deviations) @ fit["_weights"] for u, side in zip(unit, sides, strict=True)]
    )
    masses += fit["_outliers"] * np.arctan2(1, np.abs(unit)) / np.pi
    np.testing.assert_allclose(density.normal_scores(x), sides * ndtri(masses), rtol=1e-10, atol=1e-10)
