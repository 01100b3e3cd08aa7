import numpy as np
import pytest

from cutpoint.base.errors import InputError
from cutpoint.data import columns


def test_rows_carry_their_place_and_skip_blank_and_comment_lines():
    content = b"% remark\r\n\r\na,b\r\n 1 , 2\r\n"
    rows = columns.read_rows(content, comment="%", source="t.csv")
    assert rows == [("t.csv, line 3", ["a", "b"]), ("t.csv, line 4", ["1", "2"])]


def test_blanks_part_cells_in_runs_and_quotes_hold_one_together():
    content = b'  1.0   2\t"amc rebel sst"  \n3 4 x\n'
    rows = columns.read_rows(content, separator="blanks")
    assert [cells for _, cells in rows] == [["1.0", "2", "amc rebel sst"], ["3", "4", "x"]]


def test_unclosed_quote_spoils_one_line_only():
    rows = columns.read_rows(b'1,"a\n2,b\n')
    assert rows[1][1] == ["2", "b"]


def test_byte_order_mark_is_no_part_of_a_name():
    assert columns.read_rows(b"\xef\xbb\xbfa,b\n")[0][1] == ["a", "b"]


def test_binary_content_is_refused():
    with pytest.raises(InputError, match=r"^t\.csv: not a text file in UTF-8 \(byte 2\)"):
        columns.read_rows(b"ab\xff\x00", source="t.csv")


@pytest.mark.parametrize("cell", ["abc", "1_000", "1,5", "NaN", "nan", "inf", "-Infinity", "1e999"])
def test_number_column_names_the_place_of_a_bad_cell(cell):
    with pytest.raises(InputError) as caught:
        columns.numbers(["1", cell], ["f.csv, line 1", "f.csv, line 2"], "x")
    message = str(caught.value)
    assert message.startswith(f'f.csv, line 2, column x: "{cell}" is not a finite number')
    assert "\n" not in message


def test_number_column_names_an_empty_cell():
    with pytest.raises(InputError, match="column x: the cell is empty"):
        columns.numbers([""], ["f"], "x")


def test_states_are_sorted_as_numbers_where_all_are_numbers():
    codes, names = columns.states(["10", "9.0", "9", "2"], list("abcd"), "x")
    assert codes.tolist() == [2, 1, 1, 0]
    assert names == ("2", "9", "10")


def test_states_are_sorted_as_text_otherwise():
    codes, names = columns.states(["10", "9", "II"], list("abc"), "x")
    assert codes.tolist() == [0, 1, 2]
    assert names == ("10", "9", "II")


@pytest.mark.parametrize("cell", ["", "NaN", "inf"])
def test_states_refuse_cells_that_are_none(cell):
    with pytest.raises(InputError, match=r"line 7, column x: .* is no state"):
        columns.states(["a", cell], ["line 6", "line 7"], "x")


def check(values, names=("a", "b"), discrete=(False, True)):
    columns.check_table(np.array(values), names, discrete, "mine.csv")


def test_sound_table_passes():
    check([[0.5, 0.0], [1.5, 1.0]])
    check(np.array([[0, 0], [3, 1]]))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.5, 0], [np.nan, 1]], "mine.csv: column a, row 2: NaN"),
        ([[0.5, 0], [1, np.nan]], "mine.csv: column b, row 2: NaN"),
        ([[-np.inf, 0], [1, 1]], "mine.csv: column a, row 1: infinity"),
        ([[2.5, 0], [2.5, 1]], r"mine.csv: column a: constant \(2.5 in all 2 rows\)"),
        ([[0.5, 1], [1, 1]], "mine.csv: column b: constant"),
        ([[0.5, 0], [1, 0.5]], "mine.csv: column b, row 2: 0.5 is no code"),
        ([[0.5, -1], [1, 0]], "mine.csv: column b, row 1: -1 is no code"),
        ([[0.5, 0], [1, 2]], r"mine.csv: column b: fewer rows \(2\) than levels \(3\)"),
        ([[0.5], [1]], r"mine.csv: a table of shape \(2, 1\) does not fit 2 names"),
        ([0.5, 1], "does not fit"),
        (np.empty((0, 2)), "mine.csv: no rows or no columns are left"),
        ([["x", "y"], ["z", "u"]], "mine.csv: values must be real numbers"),
    ],
)
def test_bad_table_is_named_in_one_line(values, message):
    with pytest.raises(InputError, match=message) as caught:
        check(values)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a", "a"), "two columns are named a"),
        (("a", ""), "column 2 has no name"),
        (("a", "replicate"), "the column name replicate is reserved"),
    ],
)
def test_bad_names_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        check([[0.5, 0], [1, 1]], names)
