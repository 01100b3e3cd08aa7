"""Equal width and equal frequency against slow twins, numpy and what must not matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints
from cutpoint.discretization.binning import MOST_BINS, equal_frequency, equal_width
from cutpoint.discretization.encoding import COMPARED, encode_column

BINNINGS = (equal_width, equal_frequency)
finite = st.floats(-1e6, 1e6, allow_subnormal=False)
columns = arrays(np.float64, st.integers(1, 40), elements=finite)
ties = arrays(np.float64, st.integers(1, 40), elements=st.integers(0, 6).map(float))
bins = st.integers(1, 6)


def cuts(method, x, k):
    return method(np.asarray(x, float)[:, None], np.array([False]), bins=k)[0]


def slow_frequency(x, k):
    ordered = sorted(x)
    changes = [c for c in range(1, len(x)) if ordered[c - 1] < ordered[c]]
    places = set()
    for j in range(1, k):
        rank = round(j * len(x) / k)
        if changes:
            places.add(min(changes, key=lambda c: (abs(c - rank), c)))
    return [(ordered[c - 1] + ordered[c]) / 2 for c in sorted(places)]


def slow_width(x, k):
    low, high = min(x), max(x)
    return [low + (high - low) * j / k for j in range(1, k)] if high > low else []


@given(st.one_of(columns, ties), bins)
def test_equal_frequency_is_its_slow_twin(x, k):
    np.testing.assert_allclose(cuts(equal_frequency, x, k), slow_frequency(list(x), k), rtol=1e-12)


@given(ties, bins)
def test_equal_width_is_its_slow_twin(x, k):
    np.testing.assert_allclose(cuts(equal_width, x, k), slow_width(list(x), k), rtol=1e-12)


def test_midpoints_of_adjacent_and_of_huge_floats_separate():
    left = np.array([1.0, -1.0, 0.0, 5e-324, -1.7e308, 1.7e308, 1.0])
    right = np.array([np.nextafter(1.0, 2), np.nextafter(-1.0, 0), 5e-324, 1e-323, 1.7e308, 1.79e308, 2.0])
    middle = midpoints(left, right)
    assert ((left < middle) & (middle <= right)).all()
    assert middle[-1] == 1.5


@pytest.mark.parametrize("method", BINNINGS)
def test_ranges_of_adjacent_floats_get_no_cut_outside(method):
    x = np.array([1.0, np.nextafter(1.0, 2)])
    thresholds = cuts(method, x, 5)
    assert np.searchsorted(thresholds, x, side="right").tolist() == [0, len(thresholds)]


@given(st.one_of(columns, ties), st.integers(1, 10**30))
def test_more_levels_than_records_are_as_many_as_records(x, more):
    np.testing.assert_array_equal(cuts(equal_frequency, x, len(x) + more), cuts(equal_frequency, x, len(x)))
    np.testing.assert_array_equal(cuts(equal_frequency, x, len(x)), slow_frequency(list(x), len(x) + 1))


@given(st.integers(MOST_BINS + 1, 10**30))
def test_levels_of_equal_width_are_limited_before_they_are_made(k):
    with pytest.raises(InputError, match=f"bins is {k}: give at most 65535 levels of equal width"):
        cuts(equal_width, [1.0, 2.0], k)


@given(columns, st.integers(0, 2 * COMPARED))
def test_codes_count_the_thresholds_up_to_a_value(x, count):
    thresholds = np.unique(np.concatenate([x, np.linspace(-1, 1, 70)]))[:count]
    assert encode_column(x, thresholds).tolist() == [sum(t <= value for t in thresholds) for value in x]
