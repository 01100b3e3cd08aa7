"""Tables as spreadsheets, pandas, archives and we write them: read as what they mean, or refused."""

import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.data import user_table
from cutpoint.data.csv_files import BLANKS, decoded, read_csv, rows_of, separator_of
from cutpoint.data.text_form import DECIMALS, THOUSANDS, TextForm

RNG = np.random.default_rng(1)
A, B = RNG.normal(2000, 500, 40).round(2), RNG.normal(0, 1, 40).round(3)


USUAL = TextForm()


def table(form=USUAL, *, head="a,b", rows=None, tmp, name="my.csv"):
    rows = rows or [f"{x},{y}" for x, y in zip(A, B, strict=True)]
    content = "\n".join([*([head] if head else []), *rows]).encode()
    (tmp / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return user_table.read(tmp / name, form=form)


def refused(*arguments, **options):
    with pytest.raises(InputError) as raised:
        table(*arguments, **options)
    return str(raised.value)


def european(x):
    whole, _, rest = f"{x:,.3f}".partition(".")
    return f"{whole.replace(',', '.')},{rest}"


def is_read(data):
    assert data.variables == ("a", "b")
    np.testing.assert_allclose(data.values, np.column_stack([A, B]))


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (european, "decimal=comma thousands=point"),
        (lambda x: f"{x}".replace(".", ","), "decimal=comma"),
        (lambda x: f"{x:,.3f}".replace(",", "\u00a0"), "thousands=blank"),
        (lambda x: f"{x:,.3f}".replace(",", "’"), "thousands=apostrophe"),
    ],
)
def test_separator_and_numbers_are_found_together_and_said(tmp_path, write, words):
    rows = [f"{write(x)};{write(y)}" for x, y in zip(A, B, strict=True)]
    data = table(head="a;b", rows=rows, tmp=tmp_path)
    is_read(data)
    assert data.notes == (f"read with {words.replace('=', ' ').replace(' t', ', t')}: {write(A[0])!r} is {A[0]}",)
    form = dict(word.split("=") for word in words.split())
    is_read(table(TextForm(**form), head="a;b", rows=rows, tmp=tmp_path))


def test_a_point_may_be_both(tmp_path):
    """Beside decimal commas a column with a point in groups of three is in thousands, and another one is not."""
    rows = [f"{1000 + 100 * k:,};{y}".replace(".", ":").replace(",", ".").replace(":", ",") for k, y in enumerate(B)]
    data = table(head="a;b", rows=rows, tmp=tmp_path)
    assert data.values[:2, 0].tolist() == [1000, 1100]
    data = table(head="a;b", rows=[f"{x};{y},5" for x, y in zip(A, range(40), strict=True)], tmp=tmp_path)
    assert data.values[0].tolist() == [A[0], 0.5]
    rows = [f"{x};1.522,{y}" for x, y in zip([1.125, 0.125, 2.5, 4] * 10, range(10, 50), strict=True)]
    assert table(head="a;b", rows=rows, tmp=tmp_path).values[:2, 0].tolist() == [1.125, 0.125]


def test_whole_thousands_are_not_taken_for_decimals(tmp_path):
    rows = [f'"{3000 + 7 * k:,}",{y}' for k, y in enumerate(B)]
    message = refused(rows=rows, tmp=tmp_path)
    assert "line 2, column a: '3,000' is not a number as it is written; " in message
    assert "set thousands=comma (it is 3000) or decimal=comma (it is 3), or set 'discrete=[a]'" in message
    data = table(TextForm(thousands="comma"), rows=rows, tmp=tmp_path)
    assert data.values[:3, 0].tolist() == [3000, 3007, 3014]


def test_a_decimal_point_where_a_comma_is_set_is_refused(tmp_path):
    message = refused(TextForm(decimal="comma"), rows=None, tmp=tmp_path)
    assert message == f"my.csv, line 2, column a: '{A[0]}' has a decimal point, and decimal=comma is set"


def test_the_index_that_pandas_writes_is_left_out(tmp_path):
    rows = [f"{k},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    data = table(head=",a,b", rows=rows, tmp=tmp_path)
    is_read(data)
    assert "left out: the first column, which has no name and counts the rows" in repr(data).splitlines()[-1]


def test_a_file_without_names(tmp_path):
    rows = [f"{'MF'[k % 2]},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    message = refused(head="", rows=rows, tmp=tmp_path)
    assert f"the first line is a record (M, {A[0]}, {B[0]}, ...), not names" in message
    assert "set 'names=[a,b,c]'" in message
    data = table(TextForm(names=["sex", "a", "b"]), head="", rows=rows, tmp=tmp_path)
    assert (data.variables, len(data.values)) == (("a", "b", "sex"), 40)
    message = refused(TextForm(names=["a", "b"]), head="", rows=rows, tmp=tmp_path)
    assert message == "my.csv, line 1: 3 cells where the list of names has 2; correct the line"
    message = refused(TextForm(names=["x", "y"]), tmp=tmp_path)
    assert message.endswith("0 of 2 can be used; leave out names where line 1 has them")


def test_years_are_names_beside_a_word_that_is_none_of_the_cells(tmp_path):
    rows = [f"{'MF'[k % 2]},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    assert table(head="sex,2019,2020", rows=rows, tmp=tmp_path).variables == ("2019", "2020", "sex")


def test_packed_files_and_columns_of_blanks(tmp_path):
    is_read(table(tmp=tmp_path, name="my.csv.gz"))
    whole = (tmp_path / "my.csv.gz").read_bytes()
    (tmp_path / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"^cut\.csv\.gz: cannot be unpacked: "):
        user_table.read(tmp_path / "cut.csv.gz")


@pytest.mark.parametrize("name", ["my.csv", "my.csv.gz"])
def test_a_line_without_end_is_not_read_to_its_end(tmp_path, monkeypatch, name):
    monkeypatch.setattr("cutpoint.data.read.LONGEST", 1000)
    is_read(table(tmp=tmp_path, name=name))
    message = refused(rows=["1,2", "1" * 2000, "3,4"], tmp=tmp_path, name=name)
    assert message == f"{name}, line 3: has over 1,000 bytes; write each record on a line"


def test_more_columns_than_memory_has_room_for_their_pairs(tmp_path):
    names = ",".join(f"x{i}" for i in range(10**6))
    assert refused(head=names, rows=[names], tmp=tmp_path).startswith(
        "my.csv: 1,000,000 columns; a number for each pair"
    )


def test_other_separators(tmp_path):
    for mark, name in (("|", "bar"), ("   ", "blank")):
        rows = [f"{x}{mark}{y}" for x, y in zip(A, B, strict=True)]
        for form in (USUAL, TextForm(separator=name)):
            is_read(table(form, head=f"a{mark}b", rows=rows, tmp=tmp_path))
    # blanks between numbers and a tab before a text, as in files of the UCI repository
    rows = [f'{x}   {y}\t"car {k % 4}"' for k, (x, y) in enumerate(zip(A, B, strict=True))]
    message = refused(head=rows[0], rows=rows[1:], tmp=tmp_path)
    assert message == f"my.csv: several numbers in one cell, '{A[0]}   {B[0]}'; set separator=blank"
    assert "set separator=blank" in refused(TextForm(names=["a", "b", "name"]), head="", rows=rows, tmp=tmp_path)
    assert "set 'names=[a,b,c]'" in refused(TextForm(separator="blank"), head=rows[0], rows=rows[1:], tmp=tmp_path)
    form = TextForm(separator="blank", names=["a", "b", "name"])
    assert table(form, head="", rows=rows, tmp=tmp_path).variables == ("a", "b", "name")
    rows = [f"{x},{y}".replace(".", ",") for x, y in zip(A, B, strict=True)]
    message = refused(head="a,b", rows=rows, tmp=tmp_path)
    assert message.endswith("where the header has 2; where numbers have a decimal comma write semicolons between cells")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"separator": "comna"}, "^separator: 'comna' is not known; give one of .*did you mean 'comma'"),
        ({"thousands": "comna"}, "^thousands: 'comna' is not known; give one of .*did you mean 'comma'"),
        ({"decimal": "comma", "thousands": "comma"}, "^thousands: comma is also the decimal mark"),
        ({"encoding": "klingon"}, "^encoding: 'klingon' is not known; give one such as latin-1"),
        ({"encoding": "hex"}, "^encoding: 'hex' is not known; give one such as latin-1"),
    ],
)
def test_settings_that_are_wrong(settings, message):
    with pytest.raises(InputError, match=message):
        TextForm(**settings)


@given(
    st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: round(x, 4)),
    st.sampled_from([*DECIMALS]),
    st.sampled_from([None, *THOUSANDS]),
)
def test_every_number_is_read_back_however_it_is_written(x, decimal, thousands):
    if decimal == thousands:
        return
    marks = {",": THOUSANDS.get(thousands, ""), ".": DECIMALS[decimal]}
    written = "".join(marks.get(mark, mark) for mark in f"{x:,.4f}")
    assert float(TextForm(decimal=decimal, thousands=thousands).plain(written)) == x


@given(st.text(alphabet="abc-./:", max_size=8))
def test_texts_stay_as_they_are(text):
    assert TextForm(decimal="comma", thousands="point").plain(text) == text


def with_names(encoding, name, tmp, column="größe"):
    rows = [f"{x},{y},{name}{k % 3}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    (tmp / "my.csv").write_bytes("\n".join([f"a,b,{column}", *rows]).encode(encoding))
    return tmp / "my.csv"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("latin-1", "Müller"), ("cp1252", "3 €"), ("utf-16-le", "Müller"), ("utf-16-be", "Müller"), ("gb18030", "北京")],
)
def test_other_encodings_are_found_and_said(tmp_path, encoding, name):
    path = with_names(encoding, name, tmp_path, "城市" if encoding == "gb18030" else "größe")
    data = user_table.read(path)
    column, found = data.variables[2], encoding.replace("latin-1", "cp1252")
    assert data == user_table.read(path, form=TextForm(encoding=encoding))
    assert data.levels[column] == (f"{name}0", f"{name}1", f"{name}2")
    assert data.notes == (f"read as {found}, such as {column!r}",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_text_that_says_its_encoding_is_read(tmp_path, encoding):
    assert user_table.read(with_names(encoding, "Ōta", tmp_path)).levels["größe"] == ("Ōta0", "Ōta1", "Ōta2")


def test_an_encoding_that_does_not_fit_is_named(tmp_path):
    with pytest.raises(InputError, match=r"^my\.csv, line 1: not a text in ascii$"):
        user_table.read(with_names("latin-1", "Müller", tmp_path), form=TextForm(encoding="ascii"))


@pytest.mark.parametrize("written", ["{}%", "{} %", "${}", "€ {}", "{}£", "{} kg"])
def test_a_sign_that_all_numbers_carry_is_left_out(tmp_path, written):
    data = table(rows=[f"{written.format(x)},{y}" for x, y in zip(A, B, strict=True)], tmp=tmp_path)
    is_read(data)
    (sign,) = written.replace("{}", "").split()
    assert data.types[0] == f"a: continuous (numbers, 40 different, {sign} left out)"


def test_money_below_zero_and_in_groups(tmp_path):
    rows = [f'{x},"{"-" if y < 0 else ""}${abs(y) * 1e6:,.0f}"' for x, y in zip(A, B, strict=True)]
    data = table(rows=rows, tmp=tmp_path)
    assert data.notes[0].startswith("read with thousands comma: ")
    np.testing.assert_allclose(data.values[:, 1], B * 1e6)


def test_signs_that_are_not_left_out(tmp_path):
    some = [f"{x}{'%' if k % 2 else ''},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    assert refused(rows=some, tmp=tmp_path).startswith(
        f"my.csv, line 3, column a: '{A[1]}%' where other cells have another sign or none; write all of them alike"
    )


def test_a_dash_is_a_state_among_states(tmp_path):
    rows = [f"{x},{y},{'+-'[k % 2]}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    assert table(head="a,b,c", rows=rows, tmp=tmp_path).levels == {"c": ("+", "-")}
    among_numbers = [f"--,{B[0]}", f"-,{B[1]}", *(f"{x},{y}" for x, y in zip(A, B, strict=True))]
    assert "line 2, column a: a missing cell (2 in all" in refused(rows=among_numbers, tmp=tmp_path)


@pytest.mark.parametrize(("mark", "key"), [("None", "None"), ("*", '"*"'), ("-999", None)])
def test_marks_that_the_user_names(tmp_path, mark, key):
    rows = [f"{x if k else mark},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    if key:
        hint = f"39 cells are numbers; correct it, set 'marks=[{key}]' where it stands for a missing cell"
        assert f"{mark!r} where {hint}" in refused(rows=rows, tmp=tmp_path)
    (tmp_path / "my.csv").write_text("\n".join(["a,b", *rows]))
    assert len(cp.read_data(tmp_path / "my.csv", missing="drop", marks=[mark])) == 39


def test_a_separator_at_the_end_of_each_line(tmp_path):
    message = refused(rows=[f"{x},{y}," for x, y in zip(A, B, strict=True)], tmp=tmp_path)
    assert message == "my.csv: each line but the first ends with a separator; take these out, or add one there"


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
