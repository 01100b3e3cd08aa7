"""A user's own file: what is read from it, what its columns are taken for, and what is wrong with it in one line."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from user_tables import cars, text, write

from cutpoint.base.errors import InputError
from cutpoint.data import own_data, own_files
from cutpoint.data.own_data import Roles


def refused(path, **roles):
    with pytest.raises(InputError) as raised:
        own_data.read(path, Roles(**roles))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def same(one, other):
    assert one.variables == other.variables
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.discrete, other.discrete)
    assert one.levels == other.levels


def test_columns_are_what_they_look_like(tmp_path):
    table = cars()
    found = own_data.read(write(tmp_path, text(table)))
    assert found.variables == ("doors", "electric", "make", "mpg", "weight")
    assert found.discrete.tolist() == [True, True, True, False, False]
    assert found.levels == {"doors": ("2", "3", "4"), "electric": ("0", "1"), "make": ("kia", "saab", "volvo")}
    assert found.values[:, 4].tolist() == [float(x) for x in table["weight"]]
    names = [found.levels["make"][int(k)] for k in found.values[:, 2]]
    assert names == table["make"]
    assert found.types[0] == "doors: discrete, 3 levels (3 different whole numbers in 60 rows)"
    assert found.types[3].startswith("mpg: continuous (numbers, ")
    assert found.announcement[0] == "cars.csv: 60 rows, 5 columns (2 continuous, 3 discrete)"
    assert found.announcement[-1].endswith("--config 'discrete=[mpg]' 'continuous=[doors]' 'drop=[weight]'")


def test_the_user_decides(tmp_path):
    path = write(tmp_path, text(cars()))
    found = own_data.read(path, Roles(discrete=["make"], continuous=["doors"], drop=["electric"]))
    assert found.variables == ("doors", "make", "mpg", "weight")
    assert found.discrete.tolist() == [False, True, False, False]
    assert found.types[0] == "doors: continuous (as you say)"


@pytest.mark.parametrize(
    ("name", "separator"), [("a.csv", ","), ("a.csv", ";"), ("a.tsv", "\t"), ("a.txt", "\t"), ("data", ";")]
)
def test_separators(tmp_path, name, separator):
    plain = own_data.read(write(tmp_path, text(cars()), "plain.csv"))
    same(own_data.read(write(tmp_path, text(cars(), separator), name)), plain)


@pytest.mark.parametrize("kind", ["parquet", "feather", "categories", "view"])
def test_binary_files_say_the_same_as_text(tmp_path, kind):
    table = cars()
    columns = {name: pa.array([float(x) for x in table[name]]) for name in ("weight", "mpg")}
    columns["doors"] = pa.array([int(x) for x in table["doors"]])
    columns["electric"] = pa.array([x == "1" for x in table["electric"]])
    make = pa.array(table["make"])
    columns["make"] = {"categories": make.dictionary_encode(), "view": make.cast(pa.string_view())}.get(kind, make)
    path = tmp_path / "cars"  # known by its content
    writer = pyarrow.feather.write_feather if kind == "feather" else pyarrow.parquet.write_table
    writer(pa.table(columns), path)
    expected = own_data.read(write(tmp_path, text(table)))
    found = own_data.read(path)
    assert np.array_equal(found.values, expected.values)
    assert found.levels == expected.levels | {"electric": ("false", "true")}
    assert "electric: discrete, 2 levels (true or false)" in found.types


@given(order=st.permutations(list(cars())), seed=st.integers(0, 99))
def test_the_order_of_columns_changes_nothing(tmp_path_factory, order, seed):
    table, folder = cars(20 + seed % 30), tmp_path_factory.mktemp("order")
    one = own_data.read(write(folder, text(table)))
    other = own_data.read(write(folder, text({name: table[name] for name in order}), "other.csv"))
    same(one, other)
    assert one.types == other.types


def test_blank_lines_quotes_and_a_byte_order_mark(tmp_path):
    lines = text(cars()).splitlines()
    lines[3] = '"' + '","'.join(lines[3].split(",")) + '"'
    plain = own_data.read(write(tmp_path, text(cars()), "plain.csv"))
    same(own_data.read(write(tmp_path, "\ufeff" + "\r\n\r\n".join(lines))), plain)


def test_a_few_whole_numbers_are_discrete_where_each_has_records(tmp_path):
    def taken(values):
        table = {"x": [str(v) for v in values], "y": [f"{v}.5" for v in range(0, 3 * len(values), 3)]}
        return bool(own_data.read(write(tmp_path, text(table))).discrete[0])

    assert taken([1, 2, 3, 4, 5] * 10)
    assert not taken([1, 2, 3, 4, 5] * 9)
    assert not taken([1, 2, 3, 4, 5, 6] * 10)
    assert not taken([1, 2, 3.5] * 10)
    assert taken([1, 2.5] * 5)


@pytest.mark.parametrize("mark", [*own_files.MISSING, " "])
def test_a_missing_cell_is_refused_or_its_row_left_out(tmp_path, mark):
    table = cars()
    table["mpg"][4] = table["make"][4] = table["mpg"][9] = mark
    path = write(tmp_path, text(table))
    count = "(3 in all, in 2 of 60 rows); say missing=drop"
    assert refused(path).startswith(f"cars.csv, line 6, column make: a missing cell {count}")
    found = own_data.read(path, Roles(missing="drop"))
    kept = {name: [cell for i, cell in enumerate(cells) if i not in (4, 9)] for name, cells in table.items()}
    same(found, own_data.read(write(tmp_path, text(kept), "kept.csv")))
    assert found.dropped_rows == 2
    assert found.notes[-1] == "left out for a missing cell: 2 of 60 rows"
    assert len(own_data.read(path, Roles(drop=["mpg", "make"])).values) == 60


def test_missing_cells_of_binary_files(tmp_path):
    values = [None, float("nan"), *np.random.default_rng(1).normal(size=28).tolist()]
    table = pa.table({"x": values, "y": list(np.arange(30) ** 1.5), "z": [None, *["a", "b", "c"] * 9, "a", "b"]})
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    assert refused(tmp_path / "x.parquet").startswith("x.parquet, row 1, column x: a missing cell (3 in all")
    assert len(own_data.read(tmp_path / "x.parquet", Roles(missing="drop")).values) == 28


def changed(**columns):
    table = cars()
    for name, change in columns.items():
        table[name] = change(table[name])
    return text(table)


def put(line, cell):
    """Return a change of the cell on a line of the file."""
    return lambda cells: [*cells[: line - 2], cell, *cells[line - 1 :]]


LINES = text(cars()).splitlines()
NUMBERS = "\n".join(LINES[1:]).replace("volvo", "1").replace("saab", "2").replace("kia", "3")
FREE = "(an identifier, a date or free text?); say"
FAULTS = [
    (NUMBERS, {}, "cars.csv: the first line holds numbers only; put a line with the names"),
    (text(cars()).replace("mpg", "make", 1), {}, "cars.csv: two columns are named make; rename one"),
    (text(cars()).replace("mpg", "", 1), {}, "cars.csv: column 4 has no name; give it one"),
    (text(cars()).replace("mpg", "replicate", 1), {}, "cars.csv: the column name replicate is reserved; rename"),
    ("\n".join([*LINES[:5], "1,2", *LINES[5:]]), {}, "cars.csv, line 6: 2 cells where the header has 5"),
    ("\n".join([*LINES[:5], LINES[5] + ",9", *LINES[5:]]), {}, "cars.csv, line 6: 6 cells where the header has 5"),
    (text(cars()).encode() + b"caf\xe9,1,1,1,1\n", {}, "cars.csv, line 62: not a text in UTF-8"),
    (b"PK\x03\x04" + bytes(40), {}, "cars.csv: a spreadsheet or an archive; save the table as CSV"),
    (b"PAR1" + bytes(40), {}, "cars.csv: cannot be read: "),
    (b"ARROW1" + bytes(40), {}, "cars.csv: cannot be read: "),
    ("", {}, "cars.csv: no rows; the file is empty"),
    (LINES[0] + "\n\n", {}, "cars.csv: no rows below the header"),
    ("\n".join(LINES[:9]), {}, "cars.csv: 8 rows are too few; at least 10 are needed"),
    (text(cars()), {"drop": ["makes"]}, "config: drop: cars.csv has no column 'makes'; did you mean 'make'?"),
    (text(cars()), {"discrete": ["mpg"], "drop": ["mpg"]}, "config: drop: 'mpg' stands in discrete too"),
    (text(cars()), {"drop": ["mpg", "make", "doors", "weight"]}, "cars.csv: 1 column is left"),
    ("\n".join(line.replace(",", " ") for line in LINES), {}, "cells are parted by commas, semicolons or tabs"),
    (text(cars()), {"continuous": ["make"]}, 'cars.csv, line 2, column make: "'),
    (changed(mpg=put(7, "high")), {}, "cars.csv, line 7, column mpg: 'high' where 59 cells are numbers; correct it"),
    (changed(mpg=put(7, "high")), {"continuous": ["mpg"]}, 'line 7, column mpg: "high" is not a finite number'),
    (changed(mpg=put(9, "inf")), {}, 'cars.csv, line 9, column mpg: "inf" is not a finite number'),
    (changed(electric=put(9, "inf")), {"discrete": ["electric"]}, 'line 9, column electric: "inf" is no state'),
    (changed(mpg=lambda _: ["5.0"] * 60), {}, "cars.csv: column mpg: constant (5.0); say 'drop=[mpg]'"),
    (changed(mpg=lambda _: ["NA"] * 60), {"missing": "drop"}, "column mpg: all cells are missing; say 'drop=[mpg]'"),
    (changed(make=lambda _: [f"no{i}" for i in range(60)]), {}, f"make: all values differ {FREE} 'drop=[make]'"),
    (
        changed(make=lambda _: [f"no{i % 40}" for i in range(60)]),
        {},
        f"make: 40 different values in 60 rows {FREE} 'drop=[make]' or 'discrete=[make]'",
    ),
    (text(cars()), {"discrete": ["weight"]}, f"all values differ {FREE} 'discrete=[]' 'drop=[weight]'"),
    (changed(mpg=lambda _: [str(i) for i in range(60)]), {}, "column mpg: looks like a number of the row; say 'drop"),
]


@pytest.mark.parametrize(("content", "roles", "message"), FAULTS, ids=[message for *_, message in FAULTS])
def test_what_is_wrong_is_said_in_one_line(tmp_path, content, roles, message):
    assert message in refused(write(tmp_path, content), **roles)


def test_decimal_commas_are_named(tmp_path):
    commas = text({k: [c.replace(".", ",") for c in v] for k, v in cars().items()}, ";")
    for roles in ({}, {"continuous": ["mpg", "weight"]}):
        with pytest.raises(InputError, match="has a decimal comma; write a point"):
            own_data.read(write(tmp_path, commas), Roles(**roles))


def test_a_missing_file_and_a_column_of_lists_are_named(tmp_path):
    assert refused(tmp_path / "no.csv").endswith("no.csv: No such file or directory")
    lists = pa.table({"x": [[1]] * 12, "y": [k**0.5 for k in range(12)], "z": [k**1.5 for k in range(12)]})
    pyarrow.parquet.write_table(lists, tmp_path / "t.parquet")
    message = "column x: list<element: int64> is neither a number nor a text; convert it, or say 'drop=[x]'"
    assert message in refused(tmp_path / "t.parquet")
    assert own_data.read(tmp_path / "t.parquet", Roles(drop=["x"])).variables == ("y", "z")


def test_a_cell_over_two_lines_does_not_shift_the_count(tmp_path):
    lines = text(cars()).splitlines()
    first = lines[1].split(",")
    lines[1] = ",".join([first[0], f'"{first[1]}\nmore"', *first[2:]])
    lines[5] = lines[5].replace(lines[5].split(",")[3], "inf")
    assert refused(write(tmp_path, "\n".join(lines))).startswith("cars.csv, line 7, column mpg")


def test_of_a_wide_file_thirty_columns_are_shown(tmp_path):
    rng = np.random.default_rng(0)
    wide = {f"v{i:02}": [f"{x:.4f}" for x in rng.normal(size=20)] for i in range(45)}
    found = own_data.read(write(tmp_path, text(wide)))
    assert found.announcement[0].endswith("45 columns (45 continuous, 0 discrete)")
    assert "  ... and 15 more columns" in found.announcement
    assert len(found.announcement) == 33
    assert len(found.types) == 45


def test_the_columns_are_the_variables_of_the_true_network(tmp_path):
    found = own_data.read(write(tmp_path, text(cars())))
    own_data.check_truth(found, list(reversed(found.variables)), "net")
    with pytest.raises(InputError, match=r"column weight: the network net has no such variable; did you mean 'weigth'"):
        own_data.check_truth(found, [*found.variables[:-1], "weigth"], "net")
    with pytest.raises(InputError, match="no column colour, which is a variable of the network net"):
        own_data.check_truth(found, [*found.variables, "colour"], "net")
