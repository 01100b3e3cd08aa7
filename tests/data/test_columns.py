"""From cells to values, codes and levels, and the check of a table."""

import numpy as np
import pytest

from cutpoint.base.errors import InputError
from cutpoint.data import columns
from cutpoint.data.table import check_table


def place(row):
    return f"f.csv, line {row + 1}"


def column(*cells):
    return columns.text_column("x", cells, "cells")


def test_missing_cells_are_no_values():
    texts = columns.text_column("x", ["b", None, "a", "?", "b"], "text", ["?"])
    assert texts.distinct == ["b", "a"]
    assert texts.index.tolist() == [0, -1, 1, -1, 0]
    numbers = columns.number_column("x", np.array([2.5, np.nan, 1.0, 2.5]))
    assert numbers.distinct.tolist() == [2.5, 1.0]
    assert numbers.index.tolist() == [0, -1, 1, 0]
    rest = texts.take(np.flatnonzero(~texts.missing & (np.arange(5) < 4)))
    assert (rest.distinct, rest.index.tolist()) == (["b", "a"], [0, 1])


@pytest.mark.parametrize("cell", ["abc", "1_000", "1,5", "NaN", "nan", "inf", "-Infinity", "1e999", ""])
def test_a_continuous_column_names_the_place_of_a_bad_cell(cell):
    with pytest.raises(columns.Unusable) as raised:
        columns.continuous_values(column("1", cell, "2"), place)
    what = f'"{cell}" is not a finite number' if cell else "the cell is empty"
    assert raised.value.fact == f"f.csv, line 2, column x: {what}"


@pytest.mark.parametrize(
    ("cells", "codes", "names"),
    [
        (["10", "9.0", "9", "2"], [2, 1, 1, 0], ("2", "9", "10")),  # sorted as numbers where all are numbers
        (["10", "9", "II"], [0, 1, 2], ("10", "9", "II")),
    ],
)
def test_states_are_sorted(cells, codes, names):
    result, levels = columns.discrete_codes(column(*cells), place)
    assert (result.tolist(), levels) == (codes, names)


NAMES = ("a", "b")
ROWS = [[0.5, 0], [1, 1]]


@pytest.mark.parametrize(
    ("values", "names", "message"),
    [
        ([[0.5, 0], [np.nan, 1]], NAMES, "column a, row 2: NaN; correct the cell or leave the row out"),
        ([[0.5], [1]], NAMES, "a table of shape (2, 1) does not fit 2 names and 2 roles"),
    ],
)
def test_a_bad_table_is_named_in_one_line(values, names, message):
    check_table(np.array(ROWS), NAMES, "mine.csv")
    with pytest.raises(InputError) as raised:
        check_table(np.array(values), names, "mine.csv")
    assert str(raised.value) == f"mine.csv: {message}"
