"""The table of the runs of all studies."""

from importlib.metadata import version

from cutpoint.data import parquet
from cutpoint.data.schemas import ALL_RUNS
from cutpoint.report.runs import of_study


def test_each_run_says_which_version_made_it(tmp_path):
    row = dict.fromkeys(ALL_RUNS.names) | {"method": "bach"}
    parquet.write_records(tmp_path / "runs.parquet", [row], ALL_RUNS)
    table = of_study({"rows": {}, "scale": "tiny", "seed": 1}, tmp_path / "runs.parquet")
    assert table.column("version").to_pylist() == [version("bn-cutpoint")]
