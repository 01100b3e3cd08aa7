"""A user's table: what its columns are taken for, what is wrong with it, and settings to paste into a shell."""

import shlex

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st
from user_tables import GOOD, cars, spoiled, text, write

from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.config import check_truth
from cutpoint.commands.settings import parse
from cutpoint.data import cells, user_table
from cutpoint.data.roles import Roles
from cutpoint.data.text_form import TextForm

NAMES = st.text(min_size=1, max_size=12).filter(lambda name: "\0" not in name and name.isprintable())


def refused(path, **roles):
    with pytest.raises(InputError) as raised:
        user_table.read(path, Roles(**roles))
    return str(raised.value)


def test_columns_are_what_they_look_like(tmp_path):
    columns = cars()
    table = user_table.read(write(tmp_path, text(columns)))
    assert table.variables == ("doors", "electric", "make", "mpg", "weight")
    assert table.discrete.tolist() == [True, True, True, False, False]
    assert table.levels == {"doors": ("2", "3", "4"), "electric": ("0", "1"), "make": ("kia", "saab", "volvo")}
    assert table.values[:, 4].tolist() == [float(x) for x in columns["weight"]]
    assert [table.levels["make"][int(k)] for k in table.values[:, 2]] == columns["make"]
    assert table.types[0] == "doors: discrete, 3 levels in order (3 different whole numbers in 60 rows)"
    assert table.types[3] == f"mpg: continuous (numbers, {len(set(columns['mpg']))} different)"
    assert repr(table).splitlines() == [
        "cars.csv: 60 rows, 5 columns (2 continuous, 3 discrete)",
        *(f"  {line}" for line in table.types),
    ]


def test_the_user_decides(tmp_path):
    table = user_table.read(
        write(tmp_path, text(cars())), Roles(discrete=["make"], continuous=["doors"], drop=["electric"])
    )
    assert table.variables == ("doors", "make", "mpg", "weight")
    assert table.discrete.tolist() == [False, True, False, False]
    assert table.types[0] == "doors: continuous (as declared)"


def test_separators_blank_lines_quotes_and_a_byte_order_mark(tmp_path):
    plain = user_table.read(write(tmp_path, text(cars()), "plain.csv"))
    for name, separator in (("a.csv", ";"), ("a.tsv", "\t"), ("a.txt", "\t"), ("data", ";")):
        assert user_table.read(write(tmp_path, text(cars(), separator), name)) == plain
    lines = text(cars()).splitlines()
    lines[3] = '"' + '","'.join(lines[3].split(",")) + '"'
    assert user_table.read(write(tmp_path, "\ufeff" + "\r\n\r\n".join(lines))) == plain


@given(order=st.permutations(list(cars())), seed=st.integers(0, 99))
def test_the_order_of_columns_changes_nothing(tmp_path_factory, order, seed):
    table, folder = cars(20 + seed % 30), tmp_path_factory.mktemp("order")
    one = user_table.read(write(folder, text(table)))
    other = user_table.read(write(folder, text({name: table[name] for name in order}), "other.csv"))
    assert one == other
    assert one.types == other.types


@pytest.mark.parametrize(
    ("values", "discrete"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5] * 10, True),
        ([1, 2, 3, 4, 5] * 9, False),
        ([1, 2, 3, 4, 5, 6] * 10, False),
        ([1, 2, 3.5] * 10, False),
        ([1, 2.5] * 5, True),
    ],
)
def test_a_few_whole_numbers_are_discrete_where_each_has_records(tmp_path, values, discrete):
    table = {"x": [str(v) for v in values], "y": [f"{v}.5" for v in range(0, 3 * len(values), 3)]}
    assert user_table.read(write(tmp_path, text(table))).discrete[0] == discrete


@pytest.mark.parametrize("mark", [*cells.MISSING, " "])
def test_a_missing_cell_is_refused_or_its_row_left_out(tmp_path, mark):
    table = cars()
    table["mpg"][4] = table["make"][4] = table["mpg"][9] = mark
    path = write(tmp_path, text(table))
    assert refused(path) == (
        "cars.csv, line 6, column make: a missing cell (3 in all, in 2 of 60 rows); "
        "set missing=drop to leave these rows out, missing=impute to fill the cells in, or 'drop=[make,mpg]' to leave "
        "out the columns"
    )
    dropped = user_table.read(path, Roles(missing="drop"))
    rest = {name: [cell for i, cell in enumerate(cells) if i not in (4, 9)] for name, cells in table.items()}
    assert dropped == user_table.read(write(tmp_path, text(rest), "rest.csv"))
    assert dropped.dropped_rows == 2
    assert dropped.notes[-1] == "left out for a missing cell: 2 of 60 rows"
    assert len(user_table.read(path, Roles(drop=["mpg", "make"])).values) == 60


def test_a_missing_file_and_a_column_of_lists_are_named(tmp_path):
    assert refused(tmp_path / "no.csv") == f"{tmp_path / 'no.csv'}: no such file"
    lists = pa.table({"x": [[1]] * 12, "y": [k**0.5 for k in range(12)], "z": [k**1.5 for k in range(12)]})
    pyarrow.parquet.write_table(lists, tmp_path / "t.parquet")
    message = "column x: list<element: int64> is neither a number nor a text; convert it, or set 'drop=[x]'"
    assert message in refused(tmp_path / "t.parquet")
    assert user_table.read(tmp_path / "t.parquet", Roles(drop=["x"])).variables == ("y", "z")


def test_the_columns_are_the_variables_of_the_true_network(tmp_path):
    table = user_table.read(write(tmp_path, GOOD))
    check_truth(table, list(reversed(table.variables)), "net")
    with pytest.raises(
        InputError, match=r"^the network net has a variable weigth, and cars.csv no such column; did you mean 'weight'"
    ):
        check_truth(table, [*table.variables[:-1], "weigth"], "net")
    with pytest.raises(InputError, match="no column colour, which is a variable of the network net"):
        check_truth(table, [*table.variables, "colour"], "net")


def pasted(words, roles):
    """The roles after the words of a message are given to a shell and to a command."""
    config = parse(shlex.split(words))
    return Roles(**{key: config.get(key, getattr(roles, key)) for key in ("discrete", "continuous", "drop", "missing")})


def command(message):
    return message.partition("add after the file: ")[2] or message.rpartition("set ")[2]


@given(st.lists(NAMES, min_size=3, max_size=6, unique=True))
def test_settings_mean_the_same_after_the_shell(names):
    before = Roles(discrete=names[:1], drop=names[1:2])
    after = before.moved(names[::2], "drop")
    read_back = pasted(before.words_to(after), before)
    assert (read_back.discrete, [*read_back.drop]) == ([], [*names[1:2], *names[::2]])


def test_all_columns_are_named_at_once_and_one_command_mends_them(tmp_path):
    path, roles = write(tmp_path, text(spoiled(), "\t"), "cars.tsv"), Roles(drop=["electric"], discrete=["serial"])
    lines = refused(path, drop=roles.drop, discrete=roles.discrete).splitlines()
    start = "to repair what can be and leave out the rest and 3 rows with a missing cell, add after the file: "
    assert lines[-1].startswith(f"{start}'marks=[high]' ")
    after = pasted(command(lines[-1]), roles)
    table = user_table.read(path, after, TextForm(marks=["high"]))
    assert table.variables == ("doors", "make", "mpg", "weight")
    assert (table.dropped_rows, after.discrete, after.drop[0]) == (4, [], "electric")
