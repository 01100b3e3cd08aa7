"""Own data: dates, messages that name all columns, settings that can be pasted into a shell, the reader of the API."""

import shlex

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from snakemake.cli import parse_config
from test_own_data import refused
from user_tables import cars, text, write

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.data import own_data
from cutpoint.data.frames import read_table
from cutpoint.data.own_roles import Roles

NAMES = st.text(min_size=1, max_size=12).filter(lambda name: "\0" not in name and name.isprintable())
DATE, HEIGHT = "Datum der Aufnahme", 'height, "raw" [m]'


def pasted(words, roles):
    """The roles after the words of a message are given to a shell and to Snakemake."""
    given = parse_config(shlex.split(words))
    return Roles(**{key: given.get(key, getattr(roles, key)) for key in ("discrete", "continuous", "drop", "missing")})


def command(message):
    return message.partition("say --config ")[2] or message.rpartition("say ")[2]


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True))
def test_settings_mean_the_same_after_the_shell(names):
    before = Roles(discrete=names[:1], drop=names[1:2])
    after = before.moved(names[::2], "drop")
    found = pasted(before.words_to(after), before)
    assert (found.discrete, [*found.drop]) == ([], [*names[1:2], *names[::2]])


def test_only_names_that_need_it_are_quoted():
    assert Roles().words_for([DATE], "drop") == """'drop=["Datum der Aufnahme"]'"""
    assert Roles(drop=["id"]).words_for(["größe_2"], "drop") == "'drop=[id,größe_2]'"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_dates_are_text_and_can_be_left_out(tmp_path, form):
    days = pa.array(np.arange(60) // 3, pa.int32()).cast(pa.date32())
    table = pa.table({name: [float(x) for x in cars()[name]] for name in ("mpg", "weight")} | {DATE: days})
    if form == "csv":
        cells = {name: [str(cell) for cell in table[name].to_pylist()] for name in table.column_names}
        path = write(tmp_path, text(cells))
    else:
        pyarrow.parquet.write_table(table, path := tmp_path / "cars.parquet")
    found = own_data.read(path)
    assert found.levels[DATE][0] == "1970-01-01"
    assert f"{DATE}: discrete, 20 levels (text)" in found.types
    assert f"""'drop=["{DATE}"]'""" not in found.announcement[-1]
    assert own_data.read(path, Roles(drop=[DATE])).variables == ("mpg", "weight")


def spoiled():
    """Five columns that cannot be used, one that is declared, and gaps that make one of them constant."""
    table = cars()
    table[DATE] = [f"2020-01-{k:02}" for k in range(60)]
    table["serial"] = [str(k) for k in range(60)]
    table[HEIGHT] = ["1.5"] * 60
    table["mpg"][7] = "high"
    table["weight"][2] = table["make"][3] = table["make"][4] = "NA"
    table["rare"] = ["a", "a", "a", "b", "b", *["a"] * 55]  # b only where make is missing
    return table


def test_all_columns_are_named_at_once_and_one_command_mends_them(tmp_path):
    path, roles = write(tmp_path, text(spoiled(), "\t"), "cars.tsv"), Roles(drop=["electric"], discrete=["serial"])
    with pytest.raises(InputError) as raised:
        own_data.read(path, roles)
    lines = str(raised.value).splitlines()
    assert lines[0] == "cars.tsv: 7 columns cannot be used as they are:"
    assert lines[1] == f"  column {DATE}: all values differ (an identifier, a date or free text?)"
    assert lines[2] == f"  column {HEIGHT}: constant (1.5)"
    assert lines[3] == "  column make: 2 missing cells, the first in line 5"
    assert lines[4].startswith("  line 9, column mpg: 'high' where 59 cells are numbers; correct it, or say 'discrete=")
    assert lines[5] == "  column rare: constant (a)"
    assert lines[-1].startswith("to leave out these columns and 3 rows with a missing cell, say --config ")
    after = pasted(command(lines[-1]), roles)
    found = own_data.read(path, after)
    assert found.variables == ("doors", "make", "weight")
    assert (found.dropped_rows, after.discrete, after.drop[0]) == (3, [], "electric")


def test_a_column_with_many_gaps_is_offered_before_too_few_rows_are_left(tmp_path):
    table = cars()
    table["mpg"][:55] = ["NA"] * 55
    path = write(tmp_path, text(table))
    message = refused(path, missing="drop")
    assert message == "cars.csv: column mpg: 55 of 60 cells are missing; say 'drop=[mpg]'"
    assert len(own_data.read(path, pasted(command(message), Roles(missing="drop"))).values) == 60


def test_where_nothing_can_be_used_there_is_no_command(tmp_path):
    table = {name: [str(k) for k in range(20)] for name in ("a", "b", "c")}
    with pytest.raises(InputError, match="a network needs two columns at least, and 0 of 3 can be used"):
        own_data.read(write(tmp_path, text(table)))


def test_the_example_names_columns_and_keeps_what_was_said(tmp_path):
    found = own_data.read(write(tmp_path, text(cars())), Roles(drop=["electric"]))
    words = found.announcement[-1].partition("--config ")[2]
    assert pasted(words, found.roles) == Roles(["mpg"], ["doors"], ["electric", "weight"])
    own_data.read(write(tmp_path, text(cars())), pasted(words, found.roles))


def test_the_reader_of_the_api_says_what_the_workflow_says(tmp_path):
    table = cars(200)
    table["steps"] = [str(k) for k in np.random.default_rng(3).integers(1, 13, 200)]  # 10 comes after 9
    path, roles = write(tmp_path, text(table)), Roles(discrete=["steps"], drop=["electric"])
    values, found = cp.read_data(path, discrete=["steps"], drop=["electric"]), own_data.read(path, roles)
    assert values.column_names == [*found.variables]
    kinds = [pa.types.is_string(field.type) for field in values.schema]
    assert kinds == found.discrete.tolist()
    read = read_table(values)
    assert np.array_equal(read.values, found.values)
    assert np.array_equal(read.frozen, found.discrete)


def test_arguments_of_the_reader_are_checked(tmp_path):
    path = write(tmp_path, text(cars()))
    with pytest.raises(InputError, match="read_data: drop: give a list of names"):
        cp.read_data(path, drop="make")
    with pytest.raises(InputError, match="read_data: missing: "):
        cp.read_data(path, missing="fill")
