"""What studies will take before they run: sums by hand, and what has no measured cost is named."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.forecast import FIELDS, Forecast, Load, load_of, read_costs, size_of
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.bench.workflow.plan import Batch, DataKind, RunBlock
from cutpoint.bench.workflow.settings import Study

COSTS = {
    ("method", "fast"): 0.1,
    ("method", "slow"): 0.3,
    ("method", "other"): 5.0,
    ("experiment", "s/e"): 40.0,
    ("experiment", "t/e tiny"): 3.0,
    ("job", ""): 1.5,
    ("run", ""): 0.01,
    ("study", ""): 6.0,
}
GROUPS = {"fast": "direct tabu", "slow": "direct tabu", "like": "direct tabu", "other": "integrated pc"}


def forecast():
    return Forecast(COSTS, GROUPS, 600)


def test_the_sum_of_a_study_by_hand():
    jobs = [{("fast", 2000, 40): 10}, {("other", 1, 20): 20}]
    estimate = forecast().estimate(Load("s", "published", jobs, others=4, values=1e6, artefacts=2, experiments=["e"]))
    runs = 10 * 0.1 * 2 * 2 + 20 * 5.0
    assert estimate.seconds == pytest.approx((2 + 4) * 1.5 + 30 * 0.01 + runs + 6 + 40)
    assert estimate.longest == pytest.approx(1.5 + 20 * 5.01)  # the job of the method `other`
    assert estimate.runs == 30
    assert estimate.megabytes == pytest.approx(8.5 + 30 * 0.004 + 0.3)


@pytest.mark.parametrize(
    ("method", "variables", "seconds", "guessed"),
    [
        ("fast", 20, 0.1, set()),
        ("fast", 10, 0.05, set()),
        ("fast", 2, 0.025, set()),  # a quarter at least
        ("fast", 1e6, 600, set()),  # stopped at the limit
        ("like", 20, 0.2, {"like"}),  # the median of its group
        ("unknown", 20, 0.3, {"unknown"}),  # the median of all
    ],
)
def test_a_method_without_a_cost_takes_the_median_of_similar_ones(method, variables, seconds, guessed):
    model = forecast()
    assert model.run(method, 1000, variables) == pytest.approx(seconds)
    assert model.guessed == guessed


def test_the_page_names_what_has_no_measured_cost():
    loads = [Load("s", jobs=[{("mine", 1000, 20): 1}]), Load("t", "tiny", experiments=["f", "e"])]
    page = forecast().page(loads, 1).splitlines()
    assert page[0].split() == ["study", "runs", "CPU", "wall", "on", "1", "core", "disk"]
    assert [line.split()[:2] for line in page[1:4]] == [["s", "1"], ["t", "0"], ["all", "1"]]
    assert page[4] == "no measured cost, taken for similar ones: mine, t/f"


def test_the_work_of_a_study_is_counted_from_its_batches():
    study = Study(
        title="t",
        citation="c",
        experiments=["e"],
        scales={"tiny": {}},
        random_networks={"random": {"nodes": (10, 20)}},
        noises={"low": {"kind": "gaussian", "sigma": 0.1}},
        grids={"g": {"networks": ["asia", "random"], "n": [100], "noises": ["low"], "methods": ["a"]}},
    )
    x, y, z = DataKind("x", "asia", 100, "low"), DataKind("y", "random", 200, "low"), DataKind("z", dataset="iris")
    batches = [
        Batch("simulated", "x", (RunBlock("g", x, 2, 4, ("a", "b", "c")), RunBlock("h", x, 4, 5, ("b",)))),
        Batch("simulated", "y", (RunBlock("g", y, 18, 21, ("a",)),)),
        Batch("real", "z", (RunBlock("r", z, 0, 0, ("a",)),)),
    ]
    datasets = {"iris": {"rows": 150, "columns": [1, 2, 3], "dropped": [1]}}
    sizes = partial(size_of, study=study, variables={"asia": 8}, datasets=datasets)
    load = load_of("s", study, "tiny", batches, {"a": "j", "b": "j", "c": "ext"}, sizes)
    assert load.jobs == [
        {("a", 100, 8): 3, ("b", 100, 8): 5},
        {("c", 100, 8): 3},
        {("a", 200, 15): 4},
        {("a", 150, 2): 1},
    ]
    assert (load.others, load.artefacts, load.experiments) == (4 + 4 + 3, 0, ["e"])
    assert load.values == 4 * 100 * 8 + 4 * 200 * 15 + 150 * 2


def test_an_experiment_without_a_cost_at_its_scale_takes_that_of_the_published_one():
    assert forecast().estimate(Load("t", "tiny", experiments=["e"])).seconds == pytest.approx(6 + 3)
    assert forecast().estimate(Load("s", "tiny", experiments=["e"])).seconds == pytest.approx(6 + 40)


@pytest.mark.parametrize("text", [None, "kind,name\nlearn,a\n", f"{','.join(FIELDS)}\nmethod,a,x\n"])
def test_a_malformed_file_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "costs.csv").write_text(text)
    with pytest.raises(InputError, match=r"costs\.csv: (No such file|a row without .*tools/costs\.py)"):
        read_costs(tmp_path / "costs.csv")


def test_the_shipped_file_has_a_cost_of_what_the_studies_run():
    costs = read_costs(ROOT / "data" / "costs.csv")
    assert {("method", name) for name in ("steck3", "mgcd", "bach", "tetrad_pc")} <= costs.keys()
    assert {(kind, "") for kind in ("job", "run", "study")} <= costs.keys()
    assert all(0 <= seconds < float("inf") for seconds in costs.values())


def test_the_records_of_resamples_of_own_data():
    resamples = {"bootstrap": {"kind": "bootstrap", "most": 50}, "folds": {"kind": "cross_validation"}}
    study = Study(title="t", citation="c", scales={"quick": {}}, resamples=resamples)
    for rows, drawn in ((40, 40), (80, 50)):
        cells = [DataKind("own", dataset="own", resample=how) for how in (None, "folds", "bootstrap")]
        assert [size_of(cell, study, {}, {}, (rows, 8)) for cell in cells] == [(rows, 8), (rows, 8), (drawn, 8)]


@pytest.mark.parametrize(("records", "columns", "seconds"), [(400, 8, 13.2), (1500, 12, 17.8)])
def test_the_report_says_nearly_what_its_jobs_took(tmp_path, monkeypatch, records, columns, seconds):
    """CPU seconds of all jobs of a quick report, measured once, beside the forecast from the shipped costs."""
    monkeypatch.chdir(tmp_path)
    values = np.random.default_rng(0).normal(size=(records, columns)).round(3)
    pd.DataFrame(values).add_prefix("x").to_csv("a.csv", index=False)
    settings = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "quick", "data": "a.csv", "study": "own"}
    forecast, (load_of_own,) = Plan(load(settings, ROOT, tmp_path)).studies._work(["own"])
    assert 1 / 1.3 < forecast.estimate(load_of_own).seconds / seconds < 1.3
