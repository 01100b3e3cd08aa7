"""The one reader of text tables: what are rows, cells and lines."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.data.csv_files import BLANKS, decoded, read_csv, rows_of, separator_of

# Bytes, options, and the rows with the lines on which they start.
CASES = {
    "comments and blank lines": (
        b"% remark\r\n\r\na,b\r\n 1 , 2\r\n",
        {"separator": ",", "comment": "%"},
        [(3, ("a", "b")), (4, ("1", "2"))],
    ),
    "runs of blanks": (
        b'  1.0   2\t"amc rebel sst"  \n3 4 x\n',
        {"separator": BLANKS},
        [(1, ("1.0", "2", "amc rebel sst")), (2, ("3", "4", "x"))],
    ),
    "the separator of the first line": (b'"a,b";c;d\n1,5;2;3\n', {}, [(1, ("a,b", "c", "d")), (2, ("1,5", "2", "3"))]),
    "cells over several lines": (
        b'a,b\n"x\ny","u, ""v"""\n1,2',
        {},
        [(1, ("a", "b")), (2, ("x\ny", 'u, "v"')), (4, ("1", "2"))],
    ),
    "a quote after a blank": (b'a, "b, c"\n', {}, [(1, ("a", "b, c"))]),
    "rows without text": (b"a,b\n,\n   \n1,2\n", {}, [(1, ("a", "b")), (4, ("1", "2"))]),
    "a byte order mark": (b"\xef\xbb\xbfa,b\n", {}, [(1, ("a", "b"))]),
    "nothing": (b"", {}, []),
}


@pytest.mark.parametrize("name", CASES)
def test_rows_and_the_lines_on_which_they_start(name):
    content, options, rows = CASES[name]
    separator = separator_of(decoded(content, "t.csv", None))
    assert rows_of(content, "t.csv", **{"separator": separator} | options) == rows


CELLS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1), st.sampled_from(",;\t"))
def test_what_a_writer_of_csv_wrote_comes_back(table, separator):
    file = io.StringIO()
    csv.writer(file, delimiter=separator).writerows(table)
    assert [list(cells) for _, cells in rows_of(file.getvalue().encode(), "t", separator=separator)] == table


def test_an_endless_cell_is_named():
    with pytest.raises(InputError, match=r"^t\.csv, line 2: cannot be read as text with columns: field larger than"):
        rows_of(b'a,b\n1,"' + b"x" * 200_000, "t.csv", separator=",")


def test_rows_by_the_names_of_the_columns(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3\n4,5,6\n")
    assert read_csv(tmp_path / "t.csv") == [{"a": "1", "b": "2"}, {"a": "3", "b": None}, {"a": "4", "b": "5"}]
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        read_csv(tmp_path / "none.csv")
