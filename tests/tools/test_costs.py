"""Fitting the costs of methods and jobs: laws that are known come back from a made-up run."""

import math

import costs
import numpy as np
import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_file
from cutpoint.bench.runs.jobs import SPENT
from cutpoint.bench.workflow.forecast import Law, read_laws
from cutpoint.networks.network import Network, network, write_network


def log(folder, path, seconds):
    file = folder / "logs" / f"{path}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("something\n" + SPENT % seconds + "\n")


@pytest.fixture
def run(tmp_path):
    """A run of two batches; a method takes 0.1 (N / 1000)^2 (n / 20)^3 seconds, jobs 1.5 and 0.25 for each run."""
    results = tmp_path / "results" / "growth"
    for batch, sizes in {"a-0-0": (500, 1000, 2000), "b-0-0": (1000,)}.items():
        rows, folder = [], results / "batches" / batch
        for name in ("asia", "child", "random"):
            variables = 40 if name == "random" else len(network(name).variables)
            identity = {"study": "growth", "grid": "g", "cell": name, "replicate": 0, "network": name, "method": "mgcd"}
            if name != "asia":
                rows += [identity | {"n": n, "status": "ok", "seconds": law(n, variables)} for n in sizes]
            rows.append(identity | {"n": 1000, "method": "steck3", "status": "error" if name == "random" else "ok"})
            rows[-1]["seconds"] = None if name == "random" else 0.5
        (folder / "methods" / "integrated").mkdir(parents=True)
        parquet.write_records(folder / "metrics.parquet", rows, schemas.METRICS)
        spent = sum(row["seconds"] or 0 for row in rows)
        log(tmp_path, f"growth/learn/{batch}/integrated", spent + 1.5 + 0.25 * len(rows))
        log(tmp_path, f"growth/evaluate/{batch}", 1.5)
    (results / "networks").mkdir()
    names = tuple(f"x{k}" for k in range(40))
    made = Network("random", names, (("a", "b"),) * 40, ((),) * 40, (np.array([0.5, 0.5]),) * 40)
    write_network(made, results / "networks" / "random-0.bif")
    (results / "claims.csv").write_text("")
    log(tmp_path, "growth/sample/x", 0.25)
    log(tmp_path, "growth/noise/x", 0.75)
    log(tmp_path, "growth/tables", 2.5)
    log(tmp_path, "growth/claims", 1.0)
    return tmp_path


def law(records, variables):
    return 0.1 * (records / 1000) ** 2 * (variables / 20) ** 3


def test_known_laws_come_back(run, capsys):
    target = run / "costs.csv"
    costs.write(target, [Law("experiment", "s/e", "", 40.0), Law("job", "", "", 99.0)])
    costs.main([str(run), "--methods", str(ROOT / "config" / "methods.yaml"), "--write", str(target)])
    found = {(law.kind, law.name): law for law in read_laws(target)}
    assert found["method", "mgcd"] == Law("method", "mgcd", "integrated tabu", 0.1, 2, 3)
    assert found["method", "steck3"].most == 20  # it fails with 40 variables
    assert found["job", ""].seconds == pytest.approx(1.5)
    assert found["run", ""].seconds == pytest.approx(0.25)
    assert found["data", ""].seconds == pytest.approx(0.5)
    assert found["study", ""].seconds == pytest.approx(3.5)
    assert found["experiment", "s/e"].seconds == 40  # not measured again
    assert "6 laws measured" in capsys.readouterr().out


def test_one_size_alone_gives_no_exponent():
    assert costs.power_law({(1000, 20): 0.5}) == pytest.approx((0.5, 0, 0))
    assert costs.power_law({(1000, 10): 1.0, (1000, 40): 4.0}) == pytest.approx((2, 0, 1))
    assert all(map(math.isfinite, costs.power_law({(500, 8): 0.5})))


def test_a_folder_without_results_is_one_line(tmp_path):
    with pytest.raises(SystemExit, match=r"^costs: .*no results/STUDY/claims\.csv"):
        costs.main([str(tmp_path), "--methods", str(ROOT / "config" / "methods.yaml")])


def test_an_experiment_is_named_after_the_first_scale_with_its_options(run):
    scales = read_yaml(study_file("growth"))["scales"]
    for scale, name in (("published", "growth/large"), ("quick", "growth/large quick"), (None, None)):
        options = scales[scale]["experiments"]["large"] if scale else {"methods": ["bach"]}
        path = run / "results" / "growth" / "experiments" / "large.parquet"
        path.parent.mkdir(exist_ok=True)
        parquet.write_rows(path, [{"x": 1}], options=options)
        log(run, "growth/experiments/large", 12.5)
        assert [(each.name, each.seconds) for each in costs.of_experiments([(run, "growth")])] == [(name, 12.5)][
            : bool(scale)
        ]
