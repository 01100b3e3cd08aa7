"""Data files of several cells and files of many rows: put together, each part comes back as if it stood alone."""

from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.parquet import DataSet, Part
from cutpoint.bench.engine.inputs import read_inputs


def part(cell, columns, replicates=(0,), records=4, discrete=(), **more):
    """Return a part with random values, codes in its discrete columns."""
    rng = np.random.default_rng(len(cell) + records)
    blocks = []
    for r in replicates:
        values = rng.standard_normal((records + r, len(columns)))
        codes = [columns.index(name) for name in discrete]
        values[:, codes] = rng.integers(0, 3, (records + r, len(codes)))
        blocks.append((r, values))
    return Part(list(columns), blocks, discrete=list(discrete), about={"cell": cell}, **more)


def check(one, again):
    """Check that a part came back."""
    assert again.metadata["cell"] == one.about["cell"]
    assert again.replicates == [r for r, _ in one.blocks]
    order = np.argsort(one.columns)
    for (r, values), (same, data) in zip(one.blocks, again, strict=True):
        assert (same, data.columns) == (r, sorted(one.columns))
        assert data.discrete.tolist() == [name in one.discrete for name in data.columns]
        np.testing.assert_array_equal(data.values, values[:, order])


def test_a_part_is_read_without_those_before_it(tmp_path):
    parts = [part("first", "ab", (0, 1)), part("second", "ac", (7, 9))]
    parquet.write_parts(tmp_path / "data", parts)
    second = parquet.open_parts(tmp_path / "data")[1]
    np.testing.assert_array_equal(second.read(9).values, parts[1].blocks[1][1])
    np.testing.assert_array_equal(second.read(7).values, parts[1].blocks[0][1])
    with pytest.raises(ValueError, match="0 is not in list"):
        second.read(0)


def test_one_row_says_what_cell_and_which_replicate_it_is_of(tmp_path):
    parquet.write_parts(tmp_path / "data", [part("x", "a", (3,), 1), part("yy", "b", (0,), 2)])
    rows = pq.read_table(tmp_path / "data").to_pylist()
    assert [(row["cell"], row["replicate"]) for row in rows] == [("x", 3)] * 4 + [("yy", 0)] * 2
    assert [row["a"] is None for row in rows] == [False] * 4 + [True] * 2


def test_a_cell_without_data_stands_among_others(tmp_path):
    gone = Part([], [], about={"cell": "gone", "status": "unavailable", "message": "not public"})
    parts = [part("first", "a"), gone, part("last", "b")]
    parquet.write_parts(tmp_path / "data", parts)
    again = parquet.open_parts(tmp_path / "data")
    assert len({one.opened for one in again}) == 1 < len(again)  # or many cells would take gigabytes
    assert [one.available for one in again] == [True, False, True]
    assert (again[1].replicates, again[1].metadata["message"]) == ([], "not public")
    check(parts[2], again[2])
    parquet.write_parts(tmp_path / "none", [gone])
    assert [one.available for one in parquet.open_parts(tmp_path / "none")] == [False]


def test_replicates_of_a_part_have_metadata_of_their_own(tmp_path):
    each = {0: {"variables": {"a": "age", "b": "sex"}, "discrete": ["b"]}, 1: {"variables": {"a": "sex"}}}
    blocks = [(0, np.array([[0.5, 1.0]])), (1, np.array([[2.0]]))]
    parquet.write_parts(tmp_path / "data", [part("x", "a"), Part(["a", "b"], blocks, each=each, about={"cell": "y"})])
    first, second = (data for _, data in parquet.open_parts(tmp_path / "data")[1])
    assert (first.variables, first.discrete.tolist()) == (["age", "sex"], [False, True])
    assert (second.columns, second.variables, second.values.tolist()) == (["a"], ["sex"], [[2.0]])


def test_one_cell_is_expected_where_one_is_opened(tmp_path):
    parquet.write_parts(tmp_path / "data", [part("x", "a"), part("y", "a")])
    with pytest.raises(InputError, match="data: holds data sets of 2 cells where one is expected"):
        parquet.open_data(tmp_path / "data")
    parquet.write_parts(tmp_path / "empty", [])
    assert parquet.open_parts(tmp_path / "empty") == []


def test_a_file_without_data_sets_is_refused(tmp_path):
    parquet.write_records(tmp_path / "runs", [], schemas.RUNS)
    with pytest.raises(InputError, match="runs: holds no data sets; delete it and run again"):
        parquet.open_parts(tmp_path / "runs")


NAMES = st.lists(st.sampled_from(["cell", "replicate", "a", "b.c", "Z", "V01", "x y"]), unique=True, max_size=4)


@st.composite
def parts(draw):
    """Draw parts of some cells, numbers and codes."""
    pieces = []
    for i in range(draw(st.integers(0, 4))):
        columns = draw(NAMES)
        discrete = [name for name in columns if draw(st.booleans())]
        replicates = draw(st.lists(st.integers(0, 9), unique=True, max_size=3)) if columns else []
        pieces.append(part(f"cell{i}", columns, replicates, draw(st.integers(0, 5)), discrete))
    return pieces


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=parts())
def test_parts_come_back_whatever_stands_beside_them(tmp_path, cells):
    parquet.write_parts(tmp_path / "data", cells)
    for one, again in zip(cells, parquet.open_parts(tmp_path / "data"), strict=True):
        check(one, again)


VALUES = np.asfortranarray([[0.5, 1.0], [1.5, 0.0], [2.5, 1.0]])
DATA = DataSet(["V1", "V2"], ["age", "sex"], VALUES, np.array([False, True]), {"cell": "x", "cardinalities": {"V2": 2}})


def with_value(value):
    values = VALUES.copy("F")
    values[1, 0] = value
    return values


CHANGES = {
    "a value": {"values": with_value(np.nextafter(1.5, 2))},
    "a missing record": {"values": VALUES[:2]},
    "the order of records": {"values": VALUES[::-1]},
    "swapped columns": {"values": VALUES[:, ::-1]},
    "a column's name": {"columns": ["V1", "V3"]},
    "a variable's name": {"variables": ["age", "kind"]},
    "a type": {"discrete": np.array([False, False])},
    "the number of states": {"about": DATA.about | {"cardinalities": {"V2": 3}}},
    "knowledge": {"about": DATA.about | {"knowledge": {"required": ["age -> sex"]}}},
}


def test_each_change_of_what_methods_see_has_a_digest_of_its_own():
    digests = {name: replace(DATA, **change).digest for name, change in CHANGES.items()}
    assert len({DATA.digest, *digests.values()}) == 1 + len(CHANGES)
    assert all(len(digest) == 16 and int(digest, 16) >= 0 for digest in digests.values())


@pytest.mark.parametrize("change", [{"about": DATA.about | {"cell": "y", "seed": 2}}, {"values": VALUES.copy("C")}])
def test_a_digest_is_that_of_the_data_alone(change):
    assert replace(DATA, **change).digest == DATA.digest


def test_a_digest_does_not_depend_on_the_file(tmp_path):
    one = part("x", "ab", (0, 1), discrete="a")
    parquet.write_parts(tmp_path / "alone", [one])
    parquet.write_parts(tmp_path / "beside", [part("other", "ac"), replace(one, blocks=one.blocks[::-1])])
    (alone,), (_, beside) = (parquet.open_parts(tmp_path / name) for name in ("alone", "beside"))
    assert [alone.read(r).digest for r in (0, 1)] == [beside.read(r).digest for r in (0, 1)]
    assert alone.read(0).digest != alone.read(1).digest


@given(st.lists(st.lists(st.floats(allow_nan=False), min_size=2, max_size=2), min_size=1, max_size=5), st.data())
def test_values_that_differ_in_one_bit_differ_in_their_digest(rows, draw):
    values = np.array(rows)
    i, j = draw.draw(st.integers(0, len(rows) - 1)), draw.draw(st.integers(0, 1))
    other = values.copy()
    other.view(np.uint64)[i, j] ^= np.uint64(1 << draw.draw(st.integers(0, 63)))
    assert replace(DATA, values=values).digest != replace(DATA, values=other).digest


def rows_of(seed, count):
    """Metrics with nulls, other letters than ASCII, and identities that differ."""
    rng = np.random.default_rng(seed)
    names = ["a", "B", "ä", "Z-1", "z_10", "z_2", "日", "\U0001f600"]
    seen = {}
    for _ in range(count):
        row = {"study": "s", "grid": str(rng.choice(names[:3])), "cell": str(rng.choice(names))}
        row |= {"replicate": int(rng.integers(12)), "method": str(rng.choice(names))}
        row |= {"seconds": None if rng.random() < 0.3 else float(rng.random()), "n": int(rng.integers(9))}
        row |= {
            "message": None if rng.random() < 0.5 else "täxt",
            "extension_exact": [None, True, False][rng.integers(3)],
        }
        seen[tuple(row[name] for name in ("grid", "cell", "replicate", "method"))] = row
    return list(seen.values())


@settings(max_examples=8)
@given(st.integers(0, 1000), st.integers(0, 40), st.integers(1, 4))
def test_collected_rows_are_those_that_python_sorts(tmp_path_factory, seed, count, parts):
    folder, rows = tmp_path_factory.mktemp("merged"), rows_of(seed, count)
    for k in range(parts):
        parquet.write_records(folder / str(k), rows[k::parts], schemas.METRICS, part=k)
    order = [name for name in schemas.ORDER if name in schemas.METRICS.names]
    parquet.merge([folder / str(k) for k in range(parts)], folder / "all", schemas.METRICS, order, scale="x")
    by_hand = sorted(rows, key=lambda row: tuple(row[name] for name in order))
    parquet.write_records(folder / "plain", by_hand, schemas.METRICS, scale="x")
    (table, about), (expected, same) = (parquet.read_table(folder / name) for name in ("all", "plain"))
    assert table.equals(expected)
    assert about == same


def test_a_part_that_breaks_the_contract_is_named(tmp_path):
    parquet.write_records(tmp_path / "edges", [], schemas.EDGES)
    with pytest.raises(InputError, match="edges: column 'study' is missing"):
        parquet.merge([tmp_path / "edges"], tmp_path / "all", schemas.METRICS, ["grid"])
    assert not (tmp_path / "all").exists()


@given(st.integers(0, 1000), st.integers(0, 40))
def test_columns_are_those_of_the_rows(tmp_path_factory, seed, count):
    path, rows = tmp_path_factory.mktemp("stored") / "m", rows_of(seed, count)
    for k, row in enumerate(rows):
        row["study"] = "fu2005" if k % 3 else "other"
    parquet.write_records(path, rows, schemas.METRICS)
    frame = read(path)
    mine = [row for row in rows if row["study"] == "fu2005"]
    assert list(frame) == schemas.METRICS.names
    for name in ("seconds", "n", "extension_exact", "shd_fu2005"):
        expected = np.array([np.nan if row.get(name) is None else row[name] for row in mine], float)
        assert frame[name].dtype == float
        np.testing.assert_array_equal(frame[name], expected)
    for name in ("cell", "message", "dataset"):
        assert frame[name].tolist() == [row.get(name) or "" for row in mine]


def read(path):
    """The metrics of a study as it shows them."""
    return read_inputs("fu2005", metrics=path, built_in_jobs=[], methods=[], scale="tiny", seed=1).metrics


def test_a_file_without_a_column_of_the_schema_is_named(tmp_path):
    parquet.write_records(tmp_path / "m", [], schemas.RUNS)
    with pytest.raises(InputError, match=r"column 'study' is missing; make this file anew"):
        read(tmp_path / "m")
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none")
