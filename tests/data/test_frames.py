"""One rule of column types, for frames as for files."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.data.columns import TypedColumn, Unusable, number_column
from cutpoint.data.frames import _plainly_continuous, read_table


@given(st.data())
def test_the_short_cut_is_the_rule(data):
    size = data.draw(st.integers(1, 80))
    numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5), st.integers(0, 100).map(float))
    kind = data.draw(st.sampled_from(["mixed", "few", "rows"]))
    few = st.sampled_from([1.0, 2.0, 4.0, 8.0, 8.5])
    values = np.array(data.draw(st.lists(few if kind == "few" else numbers, min_size=size, max_size=size)))
    if kind == "rows":
        values = np.cumsum(1 + np.abs(np.round(values)) * (np.arange(size) % 5 == 0))
    if not _plainly_continuous(values):
        return
    assert not TypedColumn(number_column("x", values), None, "f", str).discrete


def test_row_numbers_are_no_short_cut():
    values = np.arange(50.0)
    assert not _plainly_continuous(values)
    with pytest.raises(Unusable, match="x"):
        TypedColumn(number_column("x", values), None, "f", str)


def cars():
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "mpg": rng.normal(20, 5, 120),
            "cylinders": rng.choice([4, 6, 8], 120),
            "automatic": rng.choice([0, 1], 120),
            "year": rng.integers(70, 83, 120),
            "make": rng.choice(["a", "b"], 120),
            "new": rng.choice([True, False], 120),
        }
    )


def test_a_frame_and_its_file_have_the_same_types(tmp_path):
    cars().to_csv(tmp_path / "cars.csv", index=False)
    file, frame = read_table(cp.read_data(tmp_path / "cars.csv")), read_table(cars())
    assert frame.names == file.names
    assert frame.discrete.tolist() == file.discrete.tolist()
    assert frame.states == file.states | {"new": frame.states["new"]}
    np.testing.assert_array_equal(frame.values, file.values)
    assert frame.states["cylinders"] == ("4", "6", "8")
    assert {*frame.states} == {"cylinders", "automatic", "make", "new"}


def test_roles_that_the_user_gives():
    table = read_table(cars(), discrete=["year"], continuous=["cylinders"])
    assert {*table.states} == {"year", "automatic", "make", "new"}
    array = read_table(cars()[["mpg", "year"]].to_numpy(), discrete=["x1"])
    assert array.discrete.tolist() == [False, True]
    assert array.values[:, 1].max() == len(array.states["x1"]) - 1
    learned = cp.learn(cars()[["mpg", "year"]].to_numpy(float), "eqfreq2", discrete=["x1"])
    assert learned.thresholds.states["x1"][0] == "70"


def test_roles_of_a_file_go_with_its_table(tmp_path):
    cars().to_csv(tmp_path / "cars.csv", index=False)
    table = cp.read_data(tmp_path / "cars.csv", discrete=["year"], continuous=["cylinders"])
    assert {*read_table(table).states} == {"year", "automatic", "make", "new"}


@pytest.mark.parametrize(
    ("frame", "options", "text"),
    [
        (cars().assign(id=np.arange(120)), {}, r"column id: looks like a row number; .*pass continuous=\['id'\]"),
        (cars().assign(id=[f"c{i}" for i in range(120)]), {}, "column id: all values differ"),
        (cars().assign(mpg=1.0), {}, "column mpg: constant"),
        (cars(), {"discrete": "year"}, r"discrete: give a list of names, such as \['year'\]"),
        (cars(), {"discrete": ["yaer"]}, "discrete: no column 'yaer'; did you mean 'year'"),
        (cars(), {"discrete": ["mpg"], "continuous": ["mpg"]}, "continuous: 'mpg' is also in discrete"),
        (cars().assign(cell=[[1]] * 120), {}, "column cell"),
    ],
)
def test_what_cannot_be_used_is_one_line(frame, options, text):
    with pytest.raises(InputError, match=text) as raised:
        read_table(frame, **options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (np.zeros(400), r"an array \[N, n\] of N records and n variables is expected, not one of shape \(400,\)"),
        (np.float64(3), r"not one of shape \(\)"),
        (np.zeros((1, 2, 3)), r"not one of shape \(1, 2, 3\)"),
        (None, "values: "),
        (np.ones((9, 2)) * 1j, "times and complex numbers are not taken"),
        (np.ones((9, 2)).astype("datetime64[s]"), "times and complex numbers are not taken"),
        (pd.DataFrame(np.ones((9, 2)), columns=["a", "a"]), "two columns are named a"),
    ],
)
def test_what_is_no_table_is_one_line(values, text):
    with pytest.raises(InputError, match=text) as raised:
        read_table(values)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda v: v, r"column b, row 2: a missing cell \(3 in all, in 2 of 4 rows\); learn, fit, .* and advise take"),
        (lambda v: v[:0], "the data frame: no rows$"),
        (lambda v: v.select([]), "the data frame: no columns$"),
        (lambda v: v[1:2], "the data frame: column b: all cells are missing; leave the column out"),
    ],
)
def test_gaps_are_counted_and_nothing_is_called_so(change, said):
    frame = pa.table({"b": [1.0, None, 3.0, None], "a": [0.5, 1.5, 2.5, None]})
    for of in (frame, frame.to_pandas()) if frame.equals(change(frame)) else (change(frame),):
        with pytest.raises(InputError, match=said):
            read_table(of)


def test_gaps_of_an_array_are_counted_too():
    values = np.array([[1.0, 2.0], [np.nan, 1.0], [2.0, np.nan]])
    with pytest.raises(InputError, match=r"column x0, row 2: NaN, a missing cell \(2 in all, in 2 of 3 rows\)"):
        read_table(values)
    with pytest.raises(InputError, match="the array: no rows are left, for each of the 2 has a missing cell"):
        read_table(values[1:], missing="drop")
