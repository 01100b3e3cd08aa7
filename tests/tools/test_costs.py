"""Measuring the costs of methods and jobs from a made-up run."""

import costs
import pytest

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs.jobs import Spent
from cutpoint.bench.workflow.forecast import read_costs


def log(folder, path, seconds):
    file = folder / "logs" / f"{path}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"something\n{Spent(seconds, 0, 0)}\n")


@pytest.fixture
def run(tmp_path):
    """A run of one batch; steck3 takes some 0.3 seconds at 1000 records of up to 20 variables."""
    results = tmp_path / "results" / "growth"
    base = {"study": "growth", "grid": "g", "cell": "c", "replicate": 0, "network": "child", "status": "ok"}
    times = [(1000, 0.3), (500, 0.2), (2000, 0.8)]
    rows = [base | {"method": "steck3", "n": n, "seconds": seconds} for n, seconds in times]
    rows += [base | {"method": "mgcd", "n": 500, "status": "error", "seconds": None}]
    (results / "simulated" / "b").mkdir(parents=True)
    parquet.write_records(results / "simulated" / "b" / "metrics.parquet", rows, schemas.METRICS)
    (results / "claims.csv").write_text("")
    log(tmp_path, "growth/sample/b", 1.0)
    log(tmp_path, "growth/evaluate/simulated/b", 2.0)
    log(tmp_path, "growth/show", 2.5)
    log(tmp_path, "growth/collect", 1.0)
    return tmp_path


def test_a_method_costs_the_seconds_of_all_its_runs(run, capsys):
    target = run / "costs.csv"
    target.write_text("kind,name,seconds\nmethod,bach,0.5\nmethod,steck3,9\n")
    costs.main([str(run), "--write", str(target)])
    assert read_costs(target) == {
        ("method", "bach"): 0.5,  # as it was
        ("method", "steck3"): 0.325,  # 1.3 seconds of what should take 4
        ("job", ""): 1.5,
        ("study", ""): 3.5,
    }
    assert capsys.readouterr().out == f"{target}: 3 costs measured\n"


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="no results of a study"):
        costs.main([str(tmp_path)])
