"""The ladder of densities, k-means and equal widths against SciPy's density and cases by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import find_peaks
from scipy.special import ndtri
from scipy.stats import gaussian_kde

from cutpoint.discretization.binning import equal_width
from cutpoint.discretization.density_ladder import density, density_ladder, level_sizes, merged, mode_cuts
from cutpoint.discretization.kmeans import kmeans

NONE = np.array([False])


def mixture(seed, records=600):
    rng = np.random.default_rng(seed)
    means = np.cumsum(3 + 4 * rng.random(int(rng.integers(1, 4))))
    return rng.choice(means, records) + rng.standard_normal(records)


def bandwidth(x):
    return 0.9 * min(x.std(), np.subtract(*np.percentile(x, [75, 25])) / 1.349) * x.size**-0.2


@given(seed=st.integers(0, 2**32))
def test_the_density_is_a_gaussian_kernel_density(seed):
    x = mixture(seed)
    places, heights = density(x)
    expected = gaussian_kde(x, bandwidth(x) / x.std(ddof=1))(places)
    np.testing.assert_allclose(heights / heights.max(), expected / expected.max(), atol=0.01)


@given(seed=st.integers(0, 2**32))
def test_thresholds_are_halfway_between_the_extremes_of_the_density(seed):
    x = mixture(seed)
    places = np.linspace(x.min() - 1, x.max() + 1, 4000)
    heights = gaussian_kde(x, bandwidth(x) / x.std(ddof=1))(places)
    peaks = find_peaks(heights, prominence=0.01 * heights.max())[0]
    lows = [places[a:b][np.argmin(heights[a:b])] for a, b in pairwise(peaks)]
    extremes = sorted([x.min(), *places[peaks], *lows, x.max()])
    expected = [(a + b) / 2 for a, b in pairwise(extremes)]
    thresholds = mode_cuts(x)
    step = (x.max() - x.min() + 8 * bandwidth(x)) / 1024
    assert len(thresholds) % 2 == 0
    if len(thresholds) == len(expected):  # a maximum may be just as prominent as it must be
        assert np.abs(thresholds - expected).max() < 3 * step
    assert abs(len(thresholds) - len(expected)) <= 2


@pytest.mark.parametrize(
    ("sizes", "least", "left"),
    [
        ([50, 1, 49], 5, [50, 50]),  # to the smaller neighbour
        ([1, 60, 39], 5, [61, 39]),  # the first has one neighbour alone
        ([60, 39, 1], 5, [60, 40]),
        ([2, 1, 2, 95], 5, [5, 95]),
        ([3, 3], 10, [6]),
        ([10, 0, 10], 0, [10, 10]),  # no level is empty
    ],
)
def test_small_levels_join_their_smaller_neighbour(sizes, least, left):
    column = np.repeat(np.arange(len(sizes)), sizes).astype(float)
    assert level_sizes(column, merged(column, np.arange(1, len(sizes)) - 0.5, least)).tolist() == left


def test_two_modes_are_parted_and_every_level_has_its_share():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(0, 1, 500), rng.normal(8, 1, 500)])
    (cuts,) = density_ladder(x[:, None], NONE)
    assert len(cuts) == 4
    assert cuts[0] < 0 < cuts[1] < 4 < cuts[2] < 8 < cuts[3]
    assert level_sizes(x, cuts).min() >= 10


def test_where_the_density_has_one_level_k_means_follows_and_then_equal_widths():
    normal = ndtri((np.arange(1000) + 0.5) / 1000)
    heavy, heavier = np.sinh(1.2 * normal), np.sinh(2 * normal)
    for x in (heavy, heavier):
        assert not merged(x, mode_cuts(x), 10).size
    assert np.array_equal(density_ladder(heavy[:, None], NONE)[0], kmeans(heavy[:, None], NONE)[0])
    assert level_sizes(heavier, kmeans(heavier[:, None], NONE)[0]).min() < 10
    low, high = np.percentile(heavier, [1, 99])
    np.testing.assert_allclose(
        density_ladder(heavier[:, None], NONE)[0], [low + (high - low) / 3, low + (high - low) / 1.5]
    )
    rare = np.repeat([0.0, 1.0], [995, 5])[:, None]
    assert np.array_equal(density_ladder(rare, NONE)[0], equal_width(rare, NONE)[0])


def test_evenly_spaced_values_have_one_mode():
    for count in (100, 500, 1000, 3000):
        assert len(mode_cuts(np.arange(float(count)))) == 2
