"""One typed table from a file, a data frame or an array, the types of its columns, and what is wrong with it."""

from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.data import columns
from cutpoint.data.frames import read_table, records_of
from cutpoint.data.table import check_table


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


def test_a_typed_table_is_its_frame():
    table = read_table(cars(), discrete=["cylinders", "automatic"])
    for same in (table.to_pandas(), table.to_arrow(), table.to_arrow().to_batches()[0]):
        assert read_table(same, discrete=["cylinders", "automatic"]) == table
    assert read_table(table) is table


WHOLE, TIMES = st.integers(-3, 12), st.datetimes(datetime(1950, 1, 1), datetime(2040, 1, 1))
DECIMALS = st.decimals(-9, 9, places=2, allow_nan=False)
KINDS = {  # of columns of pandas: their cells, and how they are held
    "whole": (WHOLE, "int64"),
    "nullable": (st.none() | WHOLE, "Int64"),
    "float": (st.none() | st.floats(-1e9, 1e9), "float64"),
    "short": (st.floats(-9, 9, width=16).map(lambda x: round(x, 1)), "float32"),
    "of SQL": (st.none() | DECIMALS, object),
    "objects": (st.floats(-9, 9) | WHOLE.map(float), object),
    "numbers as text": (DECIMALS.map(str), "str"),
    "percent": (WHOLE.map("{} %".format), "str"),
    "decimal commas": (st.integers(100, 999).map(lambda k: f"{k / 10}".replace(".", ",")), "str"),
    "codes": (WHOLE.map(lambda k: f"{abs(k):05}"), "str"),
    "text": (st.sampled_from(["red", " blue", "-", "12+", "été", None, "?", "1"]), object),
    "states": (st.sampled_from(["low", "high", None]), "category"),
    "truth": (st.booleans() | st.none(), "boolean"),
    "nanoseconds": (TIMES, "datetime64[ns]"),
    "days": (st.none() | TIMES.map(lambda time: time.date()), object),
    "zones": (TIMES, "datetime64[s, Europe/Berlin]"),
    "clock": (TIMES.map(lambda time: time.time()), object),
    "spans": (st.timedeltas(timedelta(-9), timedelta(99)), "timedelta64[us]"),
}


@given(st.data())
def test_a_frame_reads_as_its_csv_whatever_holds_its_cells(tmp_path_factory, data):
    """Types, values and states are equal, in frames of three libraries and a file, and are those of new records."""
    chosen = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4, unique=True))
    columns = {}
    for name in chosen:
        cells, kind = KINDS[name]
        columns[name] = pd.Series(data.draw(st.lists(cells, min_size=24, max_size=24)) * 2, dtype=kind)
    frame = pd.DataFrame(columns | {"x": np.arange(48) % 7, "y": np.arange(48) ** 0.5})
    path = tmp_path_factory.mktemp("frame") / "frame.csv"
    frame.to_csv(path, index=False)
    try:
        table = cp.read_data(path, missing="impute")
    except InputError:
        with pytest.raises(InputError):
            read_table(frame, missing="impute")
        return
    arrow = pa.Table.from_pandas(frame)
    pyarrow.feather.write_feather(arrow, path.with_suffix(".feather"))
    file = cp.read_data(path.with_suffix(".feather"), missing="impute")
    assert (file, file.types, file.notes) == (table, table.types, table.notes)
    for same in (frame, arrow, polars.from_pandas(frame)):
        read = read_table(same, missing="impute")
        assert sorted(read.types) == sorted(table.types)
        order = [read.variables.index(name) for name in table.variables]
        assert (read.levels, *read.notes) == (dict(table.levels), *(note for note in table.notes if note[:4] == "read"))
        np.testing.assert_array_equal(read.values[:, order], table.values)
        cuts = [np.arange(len(read.levels.get(name, "1")) - 1) + 0.5 for name in read.variables]
        again = cp.Thresholds(cuts, read.variables, read.levels).values_of(records_of(same), gaps=True)
        np.testing.assert_array_equal(again, read.values)


def test_state_names_survive_from_file_to_model(tmp_path, monkeypatch):
    """Every column is typed once, and no name of a state is changed on the way to a written network."""
    frame = cars().assign(make=np.resize(["x,y", "été", "<5", "12+", "a/b", "c d", "1"], 120))
    frame.loc[::9, "mpg"] = np.nan
    frame.loc[::11, "make"] = None
    frame.to_csv(tmp_path / "cars.csv", index=False)
    typed, original = [], columns.TypedColumn.__init__
    monkeypatch.setattr(
        columns.TypedColumn,
        "__init__",
        lambda self, column, *more: typed.append(column.name) or original(self, column, *more),
    )
    table = cp.read_data(tmp_path / "cars.csv", missing="impute")
    learned = cp.learn(table, "steck3", missing="impute")
    model = learned.fit(table, missing="impute")
    cp.edge_confidence(table, "eqfreq2", samples=2, missing="impute")
    assert sorted(typed) == sorted(frame)
    model.write(tmp_path / "cars.xdsl")
    again = cp.read_model(tmp_path / "cars.xdsl")
    assert table.levels["make"] == ("1", "12+", "<5", "a/b", "c d", "x,y", "été")
    for states in (learned.thresholds.states, model.thresholds.states, again.thresholds.states):
        assert states == dict(table.levels)
    whole = ~table.missing.any(axis=1)
    assert cp.encode(table.select(whole), again.thresholds).shape == (whole.sum(), 6)


def test_a_table_shows_its_columns_and_keeps_its_types(tmp_path):
    cars().to_csv(tmp_path / "cars.csv", index=False)
    table = cp.read_data(tmp_path / "cars.csv", discrete=["year"], continuous=["cylinders"])
    assert {*table.levels} == {"year", "automatic", "make", "new"}
    assert repr(table).splitlines()[0] == "cars.csv: 120 rows, 6 columns (2 continuous, 4 discrete)"
    with pytest.raises(InputError, match=r"continuous: cars.csv is read with another type of 'year'; pass continuous"):
        cp.learn(table, "eqfreq2", continuous=["year"])
    some = table.select(table.to_pandas()["make"].to_numpy() == "a")
    assert some.levels["make"] == ("a",)
    with pytest.raises(InputError, match=r"cars.csv: column make: constant"):
        read_table(some)


def test_roles_that_the_user_gives():
    table = read_table(cars(), discrete=["year"], continuous=["cylinders"])
    assert {*table.levels} == {"year", "automatic", "make", "new"}
    array = read_table(cars()[["mpg", "year"]].to_numpy(), discrete=["x1"])
    assert array.discrete.tolist() == [False, True]
    assert array.values[:, 1].max() == len(array.levels["x1"]) - 1
    learned = cp.learn(cars()[["mpg", "year"]].to_numpy(float), "eqfreq2", discrete=["x1"])
    assert learned.thresholds.states["x1"][0] == "70"


@pytest.mark.parametrize(
    ("frame", "options", "text"),
    [
        (cars().assign(id=np.arange(120)), {}, r"column id: looks like a row number; .*pass continuous=\['id'\]"),
        (cars(), {"discrete": "year"}, r"discrete: give a list of names, such as \['year'\]"),
        (cars(), {"discrete": ["yaer"]}, "discrete: no column 'yaer'; did you mean 'year'"),
        (cars(), {"discrete": ["mpg"], "continuous": ["mpg"]}, "continuous: 'mpg' is also in discrete"),
    ],
)
def test_what_cannot_be_used_is_one_line(frame, options, text):
    with pytest.raises(InputError, match=text) as raised:
        read_table(frame, **options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda v: v,
            r"column b, row 2: a missing cell \(3 in all, in 2 of 4 rows\); learn, fit and edge_confidence take",
        ),
        (lambda v: v[:0], "the data frame: no rows$"),
        (lambda v: v.select([]), "the data frame: no columns$"),
        (lambda v: v[1:2], "the data frame: column b: all cells are missing; leave the column out"),
    ],
)
def test_gaps_are_counted_and_nothing_is_called_so(change, message):
    frame = pa.table({"b": [1.0, None, 3.0, None], "a": [0.5, 1.5, 2.5, None]})
    for of in (frame, frame.to_pandas()) if frame.equals(change(frame)) else (change(frame),):
        with pytest.raises(InputError, match=message):
            read_table(of)


def test_gaps_of_an_array_are_counted_too():
    values = np.array([[1.0, 2.0], [np.nan, 1.0], [2.0, np.nan]])
    with pytest.raises(InputError, match=r"column x0, row 2: NaN, a missing cell \(2 in all, in 2 of 3 rows\)"):
        read_table(values)
    with pytest.raises(InputError, match="the array: no rows are left, for each of the 2 has a missing cell"):
        read_table(values[1:], missing="drop")


@pytest.mark.parametrize("form", [lambda frame: frame, pa.Table.from_pandas, polars.from_pandas])
def test_a_column_without_values_is_named_in_every_form(form):
    for value in (np.nan, None):
        with pytest.raises(InputError, match="the data frame: column void: all cells are missing"):
            read_table(form(cars()[["mpg", "year"]].assign(void=value)))


@pytest.mark.parametrize("mark", ["-999", "-999.0", "-9.99e2"])
def test_a_mark_that_is_a_number_stands_for_it_however_it_is_written(tmp_path, mark):
    frame = cars()[["mpg", "cylinders"]].assign(whole=np.arange(120) % 7)
    frame.loc[:9, ["mpg", "whole"]] = -999
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    first, other = (
        cp.read_data(tmp_path / f"a.{ending}", marks=[mark], missing="drop") for ending in ("csv", "parquet")
    )
    assert len(first.values) == len(other.values) == 110


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


def test_a_bad_table_is_named_in_one_line():
    check_table(np.array([[0.5, 0], [1, 1]]), ["a", "b"], "mine.csv")
    with pytest.raises(InputError) as raised:
        check_table(np.array([[0.5, 0], [np.nan, 1]]), ["a", "b"], "mine.csv")
    assert str(raised.value) == "mine.csv: column a, row 2: NaN; correct the cell or leave the row out"
