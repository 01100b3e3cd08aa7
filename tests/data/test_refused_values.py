"""Arrays and data frames that are no tables of numbers and states: one line each, and nothing is taken for numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cutpoint.base.errors import InputError
from cutpoint.data.frames import names_of, read_table, records_of

NUMBERS = np.array([[0.0, 3.0], [1.0, 5.0], [2.0, 4.0]])


def refused(data, text, read=read_table):
    with pytest.raises(InputError, match=text) as raised:
        read(data)
    assert "\n" not in str(raised.value)


TIMES = "values: times and complex numbers are not taken for numbers; give"
TIME = np.datetime64("2020-01-01"), np.timedelta64(3, "s"), 1j
SHAPE = r"an array \[N, n\] of N records and n variables is expected, not one of shape"
SEVERAL = [[1, 2], [3], [4]], [[1, 2]] * 3, [np.zeros(2)] * 3  # cells of a column
REFUSED = [
    *((NUMBERS.astype(int).astype(kind), TIMES) for kind in ("M8[s]", "m8[s]", complex)),
    *((rows, TIMES) for t in TIME for rows in ([[t, t], [t, t]], [[t, 1.0], [1.0, 2.0]])),
    *((data, SHAPE) for data in (np.float64(1), 2.0, pd.Series([1.0, 2.0]), [1.0, 2.0])),
    *((pd.DataFrame({"a": cells}), "column a, row 1: several values in one cell") for cells in SEVERAL),
    (pd.DataFrame({"a": [1j, 2.0, 3.0], "b": NUMBERS[:, 1]}), "column a: .*convert it"),
    (None, "values: there are none; give an array"),
    (np.zeros((2, 10**6)), "1,000,000 columns; a number for each pair of them takes 8,000 GB, and this machine has "),
]


@pytest.mark.parametrize(("data", "text"), REFUSED)
def test_what_is_no_table_of_numbers_is_named(data, text):
    refused(data, text)


@given(
    arrays(float, array_shapes(max_dims=4, max_side=3).filter(lambda shape: len(shape) != 2), elements=st.floats(0, 1))
)
def test_other_shapes_are_named(array):
    with pytest.raises(InputError) as raised:
        read_table(array)
    assert str(raised.value).endswith(f"is expected, not one of shape {array.shape}")


@pytest.mark.parametrize("read", [read_table, records_of, names_of])
def test_columns_of_one_name(read):
    refused(pd.DataFrame(NUMBERS, columns=["a", "a"]), "the data frame: two columns are named a; rename one", read)


def test_whole_numbers_and_texts_of_numbers_are_numbers():
    for data in (NUMBERS.astype(int), NUMBERS.astype(str), NUMBERS.tolist()):
        np.testing.assert_array_equal(read_table(data).values, NUMBERS)
