"""Tables as spreadsheets, pandas and archives write them: read as what they mean, or refused with what to type."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.data import user_table
from cutpoint.data.text_form import DECIMALS, SEPARATORS, THOUSANDS, TextForm, forms_of

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


def is_read(found):
    assert found.variables == ("a", "b")
    np.testing.assert_allclose(found.values, np.column_stack([A, B]))


def test_a_table_of_a_spreadsheet_with_decimal_commas(tmp_path):
    rows = [f"{european(x)};{european(y)}" for x, y in zip(A, B, strict=True)]
    said = refused(head="a;b", rows=rows, tmp=tmp_path)
    assert f"line 2, column a: '{european(A[0])}' is not a number as it is written" in said
    assert f"set decimal=comma thousands=point (it is {A[0]})" in said
    assert f"or decimal=comma (it is {B[0]})" in said
    is_read(table(TextForm(decimal="comma", thousands="point"), head="a;b", rows=rows, tmp=tmp_path))
    found = cp.read_data(tmp_path / "my.csv", decimal=",", thousands=".", separator=";")
    np.testing.assert_allclose(found.column("a").to_numpy(), A)


@pytest.mark.parametrize(("mark", "name"), [(",", "comma"), (" ", "blank"), ("\u00a0", "blank"), ("’", "apostrophe")])
def test_groups_of_three_digits(tmp_path, mark, name):
    rows = [f"{x:,.2f};{y}".replace(",", mark) for x, y in zip(A, B, strict=True)]
    is_read(table(TextForm(thousands=name), head="a;b", rows=rows, tmp=tmp_path))


def test_whole_thousands_are_not_taken_for_decimals(tmp_path):
    rows = [f'"{3000 + 7 * k:,}",{y}' for k, y in enumerate(B)]
    said = refused(rows=rows, tmp=tmp_path)
    assert "line 2, column a: '3,000' is not a number as it is written; " in said
    assert "set thousands=comma (it is 3000) or decimal=comma (it is 3), or set 'drop=[a]' or 'discrete=[a]'" in said
    found = table(TextForm(thousands="comma"), rows=rows, tmp=tmp_path)
    assert found.values[:3, 0].tolist() == [3000, 3007, 3014]


def test_a_decimal_point_where_a_comma_is_set_is_refused(tmp_path):
    said = refused(TextForm(decimal="comma"), rows=None, tmp=tmp_path)
    assert said == f"my.csv, line 2, column a: '{A[0]}' has a decimal point, and decimal=comma is set"


def test_the_index_that_pandas_writes_is_left_out(tmp_path):
    rows = [f"{k},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    found = table(head=",a,b", rows=rows, tmp=tmp_path)
    is_read(found)
    assert "left out: the first column, which has no name and counts the rows" in found.announcement[-2]


def test_another_column_without_a_name_can_be_dropped(tmp_path):
    rows = [f"{x},{k % 7},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    said = refused(head="a,,b", rows=rows, tmp=tmp_path)
    assert said == "my.csv: column 2 has no name; give it one, or set 'drop=[\"\"]' (pandas: to_csv(..., index=False))"
    is_read(user_table.read(tmp_path / "my.csv", user_table.Roles(drop=[""])))


def test_a_file_without_names(tmp_path):
    rows = [f"{'MF'[k % 2]},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    said = refused(head="", rows=rows, tmp=tmp_path)
    assert f"the first line is a record (M, {A[0]}, {B[0]}, ...), not names" in said
    assert "set 'names=[a,b,...]'" in said
    found = table(TextForm(names=["sex", "a", "b"]), head="", rows=rows, tmp=tmp_path)
    assert (found.variables, len(found.values)) == (("a", "b", "sex"), 40)
    said = refused(TextForm(names=["a", "b"]), head="", rows=rows, tmp=tmp_path)
    assert said == "my.csv, line 1: 3 cells where the list of names has 2; correct the line"


def test_years_are_names_beside_a_word_that_is_none_of_the_cells(tmp_path):
    rows = [f"{'MF'[k % 2]},{x},{y}" for k, (x, y) in enumerate(zip(A, B, strict=True))]
    assert table(head="sex,2019,2020", rows=rows, tmp=tmp_path).variables == ("2019", "2020", "sex")


def test_packed_files_and_columns_of_blanks(tmp_path):
    is_read(table(tmp=tmp_path, name="my.csv.gz"))
    whole = (tmp_path / "my.csv.gz").read_bytes()
    (tmp_path / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"^cut\.csv\.gz: cannot be unpacked: "):
        user_table.read(tmp_path / "cut.csv.gz")
    rows = [f"  {x}   {y}" for x, y in zip(A, B, strict=True)]
    said = refused(head="a  b", rows=rows, tmp=tmp_path)
    assert said == "my.csv: each line is one cell, such as 'a  b'; set separator=blank"
    is_read(table(TextForm(separator="blank"), head="a  b", rows=rows, tmp=tmp_path))


def test_other_separators_are_named(tmp_path):
    rows = [f"{x}|{y}" for x, y in zip(A, B, strict=True)]
    assert refused(head="a|b", rows=rows, tmp=tmp_path).endswith("; set separator=bar")
    is_read(table(TextForm(separator="bar"), head="a|b", rows=rows, tmp=tmp_path))
    # blanks between numbers and a tab before a text, as in files of the UCI repository
    rows = [f'{x}   {y}\t"car {k % 4}"' for k, (x, y) in enumerate(zip(A, B, strict=True))]
    said = refused(head=rows[0], rows=rows[1:], tmp=tmp_path)
    assert said == f"my.csv: several numbers in one cell, '{A[0]}   {B[0]}'; set separator=blank"
    assert "set separator=blank" in refused(TextForm(names=["a", "b", "name"]), head="", rows=rows, tmp=tmp_path)
    assert "set 'names=[a,b,...]'" in refused(TextForm(separator="blank"), head=rows[0], rows=rows[1:], tmp=tmp_path)
    form = TextForm(separator="blank", names=["a", "b", "name"])
    assert table(form, head="", rows=rows, tmp=tmp_path).variables == ("a", "b", "name")
    rows = [f"{x},{y}".replace(".", ",") for x, y in zip(A, B, strict=True)]
    said = refused(head="a,b", rows=rows, tmp=tmp_path)
    assert said.endswith("where the header has 2; where numbers have a decimal comma write semicolons between cells")


def test_one_row_and_equal_names(tmp_path):
    assert refused(rows=["1,2"], tmp=tmp_path) == "my.csv: 1 row is too few; at least 10 are needed"
    assert "rename one, or set 'drop=[a]' to leave both out" in refused(head="a,a", tmp=tmp_path)


@pytest.mark.parametrize("key", ["separator", "decimal", "thousands"])
def test_an_unknown_mark_is_named(key):
    with pytest.raises(InputError, match=f"^config: {key}: 'comna' is not known; give one of .*did you mean 'comma'"):
        TextForm(**{key: "comna"})


def test_one_mark_cannot_have_two_meanings():
    with pytest.raises(InputError, match=r"^config: thousands: comma is also the decimal mark"):
        TextForm(decimal="comma", thousands="comma")


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


def test_marks_and_their_names_mean_the_same():
    for name, mark in SEPARATORS.items():
        assert TextForm(separator=name).mark == TextForm(separator=mark).mark == mark


def test_the_forms_in_which_texts_are_numbers():
    assert [*forms_of(["3,750", "12,000"])] == ["thousands=comma", "decimal=comma"]
    assert [*forms_of(["3,75", "12,000"])] == ["decimal=comma"]
    assert [*forms_of(["1.234,5"])] == ["decimal=comma thousands=point"]
    assert [*forms_of(["1 234"])] == ["thousands=blank"]
    assert [*forms_of(["1 234,5"])] == ["decimal=comma thousands=blank"]
    assert not forms_of(["3,75", "red"])
