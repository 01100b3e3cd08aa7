"""Fitting the costs of methods and jobs: laws that are known come back from a made-up run."""

import costs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_file
from cutpoint.bench.runs.jobs import SPENT
from cutpoint.bench.workflow.forecast import Law, read_laws
from cutpoint.networks.network import Network, network, write_network

METHODS = str(ROOT / "config" / "methods.yaml")


def log(folder, path, seconds):
    file = folder / "logs" / f"{path}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("something\n" + SPENT % seconds + "\n")


@pytest.fixture
def run(tmp_path):
    """A run of two batches; mgcd takes 0.1 (N / 1000)^2 (n / 20)^3 seconds, jobs 1.5 and 0.25 for each run.

    Methods of three equal bins take 0.5 seconds, 0.125 of them for the bins, which they share.
    """
    results = tmp_path / "results" / "growth"
    for batch, sizes in {"a.n500.block0": (500, 1000, 2000), "b.block0": (1000,)}.items():
        rows, folder = [], results / "simulated" / batch
        for name in ("asia", "child", "random"):
            variables = 40 if name == "random" else len(network(name).variables)
            identity = {"study": "growth", "grid": "g", "cell": name, "replicate": 0, "network": name, "method": "mgcd"}
            if name != "asia":
                rows += [identity | {"n": n, "status": "ok", "seconds": law(n, variables)} for n in sizes]
            for method in ("eqfreq3", "pc_g2"):
                split = {"seconds": 0.5, "discretize_seconds": 0.125, "learn_seconds": 0.375}
                rows.append(identity | {"n": 1000, "method": method, "status": "ok"} | split)
            rows.append(identity | {"n": 1000, "method": "steck3", "status": "error" if name == "random" else "ok"})
            rows[-1]["seconds"] = None if name == "random" else 0.5
        for job in ("integrated", "prediscretization"):
            (folder / "learned" / job).mkdir(parents=True)
        (folder / "discretized").mkdir()
        bins = [
            dict.fromkeys(schemas.DISCRETIZED.names)
            | {"discretizer": "equal_frequency(bins=3)", "cell": name, "replicate": 0, "status": "ok", "message": ""}
            | {"discretize_seconds": 0.125, "variable": variable}
            for name in ("asia", "child", "random")
            for variable in "xy"
        ]
        parquet.write_records(folder / "discretized" / "built_in.parquet", bins, schemas.DISCRETIZED)
        parquet.write_records(folder / "metrics.parquet", rows, schemas.METRICS)
        spent = sum(row["seconds"] or 0 for row in rows) - 3 * 0.125  # shared by two methods
        log(tmp_path, f"growth/learn_integrated/simulated/{batch}/integrated", spent + 0.25 * (len(rows) + 3))
        log(tmp_path, f"growth/learn/simulated/{batch}/prediscretization", 1.5)
        log(tmp_path, f"growth/discretize/simulated/{batch}/built_in", 1.5)
        log(tmp_path, f"growth/evaluate/simulated/{batch}", 3.0)
    names = tuple(f"x{k}" for k in range(40))
    made = Network("random", names, (("a", "b"),) * 40, ((),) * 40, (np.array([0.5, 0.5]),) * 40)
    (results / "networks" / "random" / "block0").mkdir(parents=True)
    write_network(made, results / "networks" / "random" / "block0" / "random-0.bif")
    (results / "claims.csv").write_text("")
    log(tmp_path, "growth/sample/a.n500.block0", 0.25)
    log(tmp_path, "growth/noise/a.n500.block0", 0.75)
    log(tmp_path, "growth/random_networks/random.block0", 0.5)
    log(tmp_path, "growth/show", 2.5)
    log(tmp_path, "growth/collect", 1.0)
    return tmp_path


def law(records, variables):
    return 0.1 * (records / 1000) ** 2 * (variables / 20) ** 3


def test_known_laws_come_back(run, capsys):
    target = run / "costs.csv"
    costs.write(target, [Law("experiment", "s/e", "", 40.0), Law("job", "", "", 99.0)])
    costs.main([str(run), "--methods", METHODS, "--write", str(target)])
    found = {(law.kind, law.name): law for law in read_laws(target)}
    assert found["method", "mgcd"] == Law("method", "mgcd", "integrated tabu", 0.1, 2, 3)
    assert found["method", "steck3"].most == 20  # it fails with 40 variables
    assert found["method", "pc_g2"].seconds == pytest.approx(0.5)
    assert found["discretizer", "equal_frequency(bins=3)"] == Law(
        *["discretizer", "equal_frequency(bins=3)"], "", 0.125
    )
    assert found["job", ""].seconds == pytest.approx(1.5)
    assert found["run", ""].seconds == pytest.approx(0.25)
    assert found["data", ""].seconds == pytest.approx(0.5)
    assert found["study", ""].seconds == pytest.approx(3.5)
    assert found["experiment", "s/e"].seconds == 40  # not measured again
    assert "9 laws measured" in capsys.readouterr().out


COLUMNS = {"replicate": 0, "status": "ok", "discretize_seconds": None}


def table(path, rows):
    pq.write_table(pa.Table.from_pylist([COLUMNS | row for row in rows]), path)
    return path


def test_a_table_of_runs_gives_laws_of_methods(tmp_path):
    """Kept runs have no networks beside them: the study says how large random ones are, here 12 nodes."""
    sizes = {"random12": 12, "asia": 8}
    rows = [
        {"method": method, "network": name, "n": n, "seconds": factor * law(n, variables)}
        for method, factor in (("mgcd", 0.5), ("mgcd", 1.5), ("eqfreq3", 2))  # the mean of both
        for name, variables in sizes.items()
        for n in (500, 1000)
    ]
    rows = [row | {"discretize_seconds": row["seconds"] / 4} for row in rows]
    target = tmp_path / "costs.csv"
    costs.write(target, [Law("job", "", "", 99.0)])
    costs.main([str(table(tmp_path / "missing.parquet", rows)), "--methods", METHODS, "--write", str(target)])
    found = {(law.kind, law.name): law for law in read_laws(target)}
    assert found["method", "mgcd"] == Law("method", "mgcd", "integrated tabu", 0.1, 2, 3)
    assert found["method", "eqfreq3"].seconds == pytest.approx(0.2)
    assert found["discretizer", "equal_frequency(bins=3)"].seconds == pytest.approx(0.05)
    assert found["job", ""].seconds == 99
    assert len(found) == 4  # an integrated method has no discretizer of its own


def test_a_folder_and_a_table_are_fitted_together(run, tmp_path):
    more = table(tmp_path / "growth.parquet", [{"method": "bach", "network": "asia", "n": 1000, "seconds": 0.25}])
    target = tmp_path / "costs.csv"
    costs.main([str(run), str(more), "--methods", METHODS, "--write", str(target)])
    found = {(law.kind, law.name) for law in read_laws(target)}
    assert {("method", "bach"), ("method", "mgcd"), ("job", "")} <= found


def test_laws_of_the_file_stay_where_others_are_added(tmp_path):
    rows = [{"method": name, "network": "asia", "n": 1000, "seconds": 0.25} for name in ("bach", "mgcd")]
    runs, target = table(tmp_path / "growth.parquet", rows), tmp_path / "costs.csv"
    for more, seconds in (["--add"], 9.0), ([], 0.25):
        costs.write(target, [Law("method", "bach", "direct hill_climbing", 9.0)])
        costs.main([str(runs), "--methods", METHODS, "--write", str(target), *more])
        found = {law.name: law.seconds for law in read_laws(target)}
        assert found == pytest.approx({"bach": seconds, "mgcd": 0.25})


@pytest.mark.parametrize(
    ("name", "columns", "text"),
    [
        ("fields.parquet", {"a": [1]}, "no study is called 'fields'"),
        ("growth.parquet", {"a": [1]}, "not a table of runs"),
    ],
)
def test_a_table_that_is_none_of_runs_is_one_line(tmp_path, name, columns, text):
    pq.write_table(pa.table(columns), tmp_path / name)
    with pytest.raises(SystemExit, match=rf"^costs: .*{name}: {text}.*$"):
        costs.main([str(tmp_path / name), "--methods", METHODS])


def test_one_size_alone_gives_no_exponent():
    assert costs.power_law({(1000, 20): 0.5}) == pytest.approx((0.5, 0, 0))
    assert costs.power_law({(1000, 10): 1.0, (1000, 40): 4.0}) == pytest.approx((2, 0, 1))
    assert costs.power_law({(500, 8): 0.5}) == pytest.approx((0.5, 0, 0))
    assert costs.power_law({(500, 8): 0.5, (1000, 8): 1.0}) == pytest.approx((1, 1, 0))


def test_a_folder_without_results_is_one_line(tmp_path):
    with pytest.raises(SystemExit, match=r"^costs: .*no results of a study"):
        costs.main([str(tmp_path), "--methods", METHODS])


def test_an_experiment_is_named_after_the_first_scale_with_its_options(run):
    scales = read_yaml(study_file("field2026"))["scales"]
    for scale, name in (("published", "field2026/tiers"), ("quick", "field2026/tiers quick"), (None, None)):
        options = scales[scale]["experiments"]["tiers"] if scale else {"methods": ["bach"]}
        path = run / "results" / "field2026" / "experiments" / "tiers.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_rows(path, [{"x": 1}], options=options)
        log(run, "field2026/experiments/tiers", 12.5)
        assert [(each.name, each.seconds) for each in costs.of_experiments([(run, "field2026")])] == [(name, 12.5)][
            : bool(scale)
        ]
