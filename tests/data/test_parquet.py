"""The Parquet contracts: what is written comes back, and nothing half-written stays."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas


def test_an_empty_cell_is_named(tmp_path, rng):
    path = tmp_path / "data.parquet"
    parquet.write_data(path, ["a", "b"], [(0, rng.standard_normal((4, 1)))], each={0: {"variables": {"a": "a"}}})
    content = pq.read_table(path)
    about = json.loads(content.schema.metadata[parquet.KEY])
    del about["parts"][0]["each"]
    pq.write_table(content.replace_schema_metadata({parquet.KEY: json.dumps(about)}), path)
    with pytest.raises(InputError, match="replicate 0, column 'b': an empty cell"):
        parquet.open_data(path).read(0)


def test_files_say_which_version_of_the_package_wrote_them(tmp_path):
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["name"]
    parquet.write_records(tmp_path / "e", [], schemas.EDGES)
    assert parquet.read_records(tmp_path / "e", schemas.EDGES)[1]["package"] == version(project) != "unknown"


def test_bytes_do_not_depend_on_the_order_of_metadata(tmp_path, rng):
    values = rng.standard_normal((5, 1))
    parquet.write_data(tmp_path / "1", ["x"], [(0, values)], cell="c", seed=1)
    parquet.write_data(tmp_path / "2", ["x"], [(0, values)], seed=1, cell="c")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_a_failed_write_leaves_nothing(tmp_path):
    with pytest.raises(TypeError):
        parquet.write_records(tmp_path / "r", [{"replicate": "text"}], schemas.RUNS)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_any_columns_come_back(tmp_path):
    rows = [{"n": np.int64(1), "x": 1, "ok": np.True_, "text": None}, {"n": 2, "x": 0.5, "ok": False, "text": "b"}]
    parquet.write_rows(tmp_path / "r", rows, study="s")
    table, about = parquet.read_table(tmp_path / "r")
    assert table.to_pylist() == rows
    assert table.schema.types == [pa.int64(), pa.float64(), pa.bool_(), pa.string()]
    assert about["study"] == "s"
    parquet.write_rows(tmp_path / "none", [])
    assert parquet.read_table(tmp_path / "none")[0].num_rows == 0


@pytest.mark.parametrize("rows", [[{"a": 1}, {"b": 1}], [{"a": 1}, {"a": "x"}], [{"a": [1]}]])
def test_rows_that_make_no_table_are_refused(tmp_path, rows):
    with pytest.raises(ValueError, match=r"same keys|column 'a'"):
        parquet.write_rows(tmp_path / "r", rows)
    assert list(tmp_path.iterdir()) == []


def test_reading_and_writing_are_light(tmp_path):
    columns = {"x": [0.5, None] * 9, "y": [1, None] * 9, "s": ["a", None, "b"] * 6, "b": [True, False] * 9}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("x,s\n" + "0.5,a\n1.5,b\n" * 9)
    program = f"""
import sys
from pathlib import Path
import numpy, pyarrow.parquet
from cutpoint.bench.data import parquet
from cutpoint.data import arrow, read
folder = Path({str(tmp_path)!r})
read.read(folder / "t.csv"), read.read(folder / "t.parquet")
table = pyarrow.parquet.ParquetFile(folder / "t.parquet").read(use_threads=False)
arrow.floats(table["x"])
parquet.write_data(folder / "d.parquet", ["x"], [(0, numpy.zeros((3, 1)))], cell="c")
parquet.open_parts(folder / "d.parquet")[0].read(0)
heavy = {{"numba", "scipy", "matplotlib", "pandas", "pydantic"}}
sys.exit(bool(heavy & {{name.split(".")[0] for name in sys.modules}}))"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
