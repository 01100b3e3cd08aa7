"""Arrays and data frames that are no tables of numbers and states: one line each, and nothing is taken for numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cutpoint.base.errors import InputError
from cutpoint.data.frames import names_of, read_table
from cutpoint.data.records import records_of

NUMBERS = np.array([[0.0, 3.0], [1.0, 5.0], [2.0, 4.0]])


def refused(data, text, read=read_table):
    with pytest.raises(InputError, match=text) as raised:
        read(data)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("kind", ["M8[s]", "m8[s]", complex])
def test_times_and_complex_numbers_are_not_taken_for_numbers(kind):
    refused(NUMBERS.astype(int).astype(kind), "values: times and complex numbers are not taken for numbers; give")


def test_complex_numbers_in_a_frame_are_refused():
    refused(pd.DataFrame({"a": [1j, 2.0, 3.0], "b": NUMBERS[:, 1]}), "column a: .*convert it")


def test_times_in_lists_are_not_taken_for_numbers():
    for cell in (np.datetime64("2020-01-01"), np.timedelta64(3, "s"), 1j):
        for rows in ([[cell, cell], [cell, cell]], [[cell, 1.0], [1.0, 2.0]]):
            refused(rows, "values: times and complex numbers are not taken for numbers")


@given(
    arrays(float, array_shapes(max_dims=4, max_side=3).filter(lambda shape: len(shape) != 2), elements=st.floats(0, 1))
)
def test_other_shapes_are_named(array):
    with pytest.raises(InputError) as raised:
        read_table(array)
    assert str(raised.value).endswith(f"is expected, not one of shape {array.shape}")


@pytest.mark.parametrize("data", [np.float64(1), 2.0, pd.Series([1.0, 2.0]), [1.0, 2.0]])
def test_numbers_that_make_no_table_are_named_by_their_shape(data):
    refused(data, r"an array \[N, n\] of N records and n variables is expected, not one of shape")


def test_no_data():
    refused(None, "values: there are none; give an array")


@pytest.mark.parametrize("cells", [[[1, 2], [3], [4]], [[1, 2]] * 3, [np.zeros(2)] * 3])
def test_several_values_in_a_cell_are_named_with_their_row(cells):
    refused(pd.DataFrame({"a": cells, "b": NUMBERS[:, 1]}), "column a, row 1: several values in one cell")


@pytest.mark.parametrize("read", [read_table, records_of, names_of])
def test_columns_of_one_name(read):
    refused(pd.DataFrame(NUMBERS, columns=["a", "a"]), "the data frame: two columns are named a; rename one", read)


def test_whole_numbers_and_texts_of_numbers_are_numbers():
    for data in (NUMBERS.astype(int), NUMBERS.astype(str), NUMBERS.tolist()):
        np.testing.assert_array_equal(read_table(data).values, NUMBERS)
