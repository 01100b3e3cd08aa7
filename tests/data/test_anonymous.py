"""Columns in an order and under names that say nothing of them."""

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.data.anonymous import anonymous, canonical_order, canonical_records, canonical_signs, joined, mirrored


def test_names_say_where_a_column_stands():
    assert anonymous(["b", "a"]) == {"V01": "b", "V02": "a"}
    many = anonymous([f"x{i}" for i in range(120)])
    assert (many["V001"], many["V120"]) == ("x0", "x119")
    assert list(many) == sorted(many)


def tables(seed, n, records):
    """Values of which some are discrete and two are equal, and which are discrete."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(records, n)) @ rng.normal(size=(n, n))
    discrete = rng.random(n) < 0.3
    values[:, discrete] = rng.integers(0, 3, (records, discrete.sum()))
    return values, discrete, rng


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(20, 3000))
def test_nothing_but_information_decides_the_order(seed, n, records):
    values, discrete, rng = tables(seed, n, records)
    order = canonical_order(values, discrete)
    assert sorted(order) == list(range(n))
    with patch("cutpoint.data.anonymous.BLOCK", n):
        assert canonical_order(values, discrete).tolist() == order.tolist()
    moved, scales = rng.permutation(n), np.where(discrete, 1.0, 10.0 ** rng.integers(-3, 4, n))
    shifts, signs = np.where(discrete, 0.0, rng.normal(size=n)), np.where(discrete, 1.0, rng.choice([-1, 1], n))
    rounded = values.copy()
    rounded[rng.integers(records), ~discrete] *= 1 + 1e-12
    for other in (values[rng.permutation(records)], values * scales + shifts, values * signs, rounded):
        again = moved[canonical_order(other[:, moved], discrete[moved])]
        assert again.tolist() == order.tolist()


def test_in_all_units_the_same_values_are_one_whatever_tail_a_column_has():
    values = np.random.default_rng(1).standard_normal((20_000, 2))
    values[0] = 1e9  # of a range by which all others would be one value
    units = joined(values * 1000 + 1e6)
    assert np.count_nonzero(joined(values) != values) == np.count_nonzero(units != values * 1000 + 1e6) < 10
    assert np.array_equal(*(canonical_order(each, np.zeros(2, bool)) for each in (values, units)))


def test_copies_and_negatives_keep_their_order_and_gaps_are_one_value():
    column = np.array([1.0, 5.0, np.nan, 2.0, np.nan])
    values = np.column_stack([column, column, -column, column * 0])
    order = canonical_order(values, np.zeros(4, bool)).tolist()
    assert [i for i in order if i < 2] == [0, 1]
    assert canonical_order(values[:, ::-1], np.zeros(4, bool)).tolist() != order
    assert canonical_order(np.empty((0, 3)), np.zeros(3, bool)).tolist() == [0, 1, 2]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 60))
def test_records_are_the_same_table_in_any_order(seed, n, records):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (records, n)).astype(float)
    mixed = values[rng.permutation(records)]
    assert np.array_equal(values[canonical_records(values)], mixed[canonical_records(mixed)])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(20, 200))
def test_a_column_and_its_negative_are_seen_alike(seed, n, records):
    values, discrete, rng = tables(seed, n, records)
    signs = np.where(discrete, 1.0, rng.choice([-1, 1], n))
    seen, other = (each * canonical_signs(each, discrete) for each in (values, values * signs))
    for one, two, flag in zip(seen.T, other.T, discrete, strict=True):
        assert np.array_equal(one, two) or flag


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), st.sets(st.integers(-9, 0)))
def test_mirrored_thresholds_keep_the_records_of_each_level_together(numbers, cuts):
    # learned from the negative, some at values
    column, learned = np.array(numbers, float), np.array(sorted(cuts), float)
    codes = np.searchsorted(learned, -column, side="right")
    again = np.searchsorted(mirrored(learned, column), column, side="right")
    assert (len(learned) - again).tolist() == codes.tolist()
