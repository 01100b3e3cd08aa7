"""Files of many rows: put together, sorted and read by column exactly as by plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.inputs import read_inputs


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
