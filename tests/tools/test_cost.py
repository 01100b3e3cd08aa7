"""The cost of a study before it runs: counts equal Snakemake's, laws come back, and what was not measured is named."""

import re

import numpy as np
import pytest
from workflow_tools import ROOT

from cutpoint import cli
from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.networks.network import network, write_network
from cutpoint.runs.jobs import SPENT
from cutpoint.tools import costs, forecast, measured_costs, workload
from cutpoint.tools.costs import Law, Model
from cutpoint.workflow.plan import Batch, Cell

LAWS = [
    Law("learn", "fast", "integrated", 0.1, 1.0, 2.0),
    Law("learn", "slow", "integrated tabu", 0.3, 1.0, 2.0),
    Law("learn", "other", "direct", 5.0),
    Law("discretize", "cuts", "prediscretization", 0.01, 1.0),
    Law("job", "learn", "", 1.5),
    Law("job", "tables_fu2005", "", 2.0),
    Law("run", "learn", "", 0.01),
    Law("experiment", "s/e", costs.digest({"a": [1]}), 40.0),
]
CATEGORY = {"mine": "integrated exact", "like": "integrated tabu"}


def load(**changes):
    plain = {"study": "s", "jobs": {}, "work": {}, "batches": [], "experiments": []}
    return plain | {"datasets": set(), "values": 0.0, "artefacts": 0} | changes


def test_laws_are_written_and_read_again(tmp_path):
    costs.write(tmp_path / "costs.csv", LAWS[::-1])
    assert sorted(costs.read(tmp_path / "costs.csv"), key=str) == sorted(LAWS, key=str)


@pytest.mark.parametrize("text", [None, "kind,name\nlearn,a\n", f"{','.join(costs.FIELDS)}\nlearn,a,b,x,1,1\n"])
def test_a_file_that_is_none_is_named(tmp_path, text):
    if text is not None:
        (tmp_path / "costs.csv").write_text(text)
    with pytest.raises(InputError, match=r"costs\.csv: .*cutpoint costs"):
        costs.read(tmp_path / "costs.csv")


def test_the_sum_of_a_study_by_hand():
    found = Model(LAWS, CATEGORY, 600).estimate(
        load(
            jobs={"learn": 2, "tables_s": 1, "experiment": 2},
            work={"learn": 30},
            batches=[
                ("learn", "learn", {("fast", 2000, 40): 10}),
                ("program", "learn", {("other", 1, 1): 20}),
                ("discretize", "discretize", {("cuts", 3000, 5): 4}),
            ],
            experiments=[("e", {"a": [1]}), ("e", {"a": [2]})],
        )
    )
    starts, runs = 2 * 1.5 + 2.0 + 2 * 1.75, 10 * 0.1 * 2 * 4 + 20 * 5.0 + 4 * 0.01 * 3
    assert found.seconds == pytest.approx(starts + runs + 30 * 0.01 + 80)  # no law of a job: the median of all
    assert found.longest == pytest.approx(20 * 5.0)  # of all jobs, not a mean; an external method's counts too
    assert found.wall(1000) == found.longest
    assert found.wall(1) == found.seconds
    assert found.runs == 30
    assert found.guessed == {"s/e"}  # with other options than those that were measured


def test_what_was_not_measured_is_the_median_of_its_category_and_named():
    model = Model(LAWS, CATEGORY, 600)
    assert model.run("learn", "mine", 1000, 20) == pytest.approx(0.2)
    assert model.run("learn", "like", 1000, 20) == pytest.approx(0.3)  # the same learner
    assert model.run("learn", "of no category", 1000, 20) == pytest.approx(0.3)
    assert model.guessed == {"mine", "like", "of no category"}
    page = forecast.text([load(batches=[("learn", "learn", {("mine", 1000, 20): 1})])], model, 1)
    assert "no measured cost, taken for the median of the category: mine" in page


def test_a_run_takes_no_longer_than_its_limit():
    assert Model(LAWS, CATEGORY, 600).run("learn", "fast", 1e6, 1000) == 600


def test_data_sets_that_studies_share_are_made_once():
    both = [load(jobs={"dataset": 2}, datasets={"a", "b"}), load(jobs={"dataset": 1}, datasets={"b"})]
    model = Model(LAWS, CATEGORY, 600)
    whole = forecast.total(both, [model.estimate(each) for each in both], model)
    assert whole.jobs == {"dataset": 2, "report": 1, "all": 1}


@pytest.mark.parametrize(("seconds", "text"), [(3.4, "3 s"), (98, "98 s"), (120, "2.0 min"), (7200, "2.0 h")])
def test_times_are_told_as_they_are_best_read(seconds, text):
    assert forecast.span(seconds) == text


def test_runs_of_a_batch_are_counted_by_size():
    parts = workload.Parts({"a": "j", "b": "j", "c": "ext"}, {"a": "cuts", "b": "cuts", "cuts": "j"}, {"ext"})
    parts.job["cuts"] = "j"
    found = workload.Load("s")
    batch = Batch("b", "g", (Cell("x", "asia", 100, "low"), Cell("y", "asia", 200, "low")), 2, 4, ("a", "b", "c"))
    workload._add_runs(found, batch, parts, lambda cell: (cell.n, 8))
    assert found.batches == [
        ("learn", "learn", {(m, n, 8): 3 for m in "ab" for n in (100, 200)}),
        ("ext", "learn", {("c", n, 8): 3 for n in (100, 200)}),
        ("discretize", "discretize", {("cuts", n, 8): 3 for n in (100, 200)}),
    ]
    assert found.runs == 18
    assert found.jobs == {"learn": 1, "ext": 1, "discretize": 1}
    assert found.work == {"learn": 12, "ext": 6, "discretize": 6}


def test_a_line_through_jobs_is_never_below_0():
    assert measured_costs.line([(0, 1.0), (10, 2.0)]) == pytest.approx((1.0, 0.1))
    assert measured_costs.line([(5, 1.0), (5, 2.0)]) == pytest.approx((1.5, 0.0))
    assert measured_costs.line([(0, 2.0), (10, 1.0)]) == pytest.approx((1.5, 0.0))
    start, each = measured_costs.line([(10, 1.0), (20, 3.0)])
    assert (start, each) == (0.0, pytest.approx(4 / 30))


@pytest.fixture
def grown(tmp_path):
    """A made-up run of the study of growth, with laws that are known."""
    results = tmp_path / "results" / "growth"
    rows, identity = [], {"study": "growth", "status": "ok", "noise": "low"}
    for r in range(3):
        for n in (500, 1000, 2000):
            cell = {"grid": "records", "cell": f"child-n{n}", "network": "child", "n": n, "replicate": r}
            both = {"discretize_seconds": 0.02 * n / 1000, "learn_seconds": 0.1 * (n / 1000) ** 2}
            rows += [identity | cell | both | {"method": m, "seconds": sum(both.values())} for m in ("eqfreq2", "mgcd")]
        for name in ("asia", "child"):
            (results / "networks").mkdir(parents=True, exist_ok=True)
            write_network(network(name), results / "networks" / f"{name}-{r}.bif")
            v = len(network(name).variables)
            cell = {"grid": "variables", "cell": name, "network": name, "n": 1000, "replicate": r}
            both = {"discretize_seconds": 0.02 * v / 20, "learn_seconds": 0.1 * (v / 20) ** 3}
            rows += [identity | cell | both | {"method": m, "seconds": sum(both.values())} for m in ("eqfreq2", "mgcd")]
    parquet.write_records(results / "metrics.parquet", rows, schemas.METRICS)
    for name, seconds in (("collect", 1.25), ("tables", 2.5)):
        path = tmp_path / "logs" / "benchmarks" / "growth" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("s\tmax_rss\n9.0\t100\n")
        (tmp_path / "logs" / "growth").mkdir(exist_ok=True)
        (tmp_path / "logs" / "growth" / f"{name}.log").write_text("something\n" + SPENT % seconds + "\n")
    return tmp_path


def test_the_command_finds_the_laws_of_a_run(grown, capsys):
    methods = ROOT / "config" / "methods.yaml"
    assert cli.main(["costs", str(grown), "--methods", str(methods), "--write", str(grown / "costs.csv")]) == 0
    found = {(law.kind, law.name): law for law in costs.read(grown / "costs.csv")}
    assert found["learn", "eqfreq2"] == Law("learn", "eqfreq2", "prediscretization hill_climbing", 0.1, 2, 3)
    assert found["discretize", "eqfreq2"] == Law("discretize", "eqfreq2", "prediscretization hill_climbing", 0.02, 1, 1)
    whole = found["learn", "mgcd"]
    assert whole.of(1000, 20) == pytest.approx(0.12, rel=0.05)  # the law of a sum of two
    assert ("discretize", "mgcd") not in found
    assert found["job", "collect"].seconds == 1.25  # what the log says, not the wall time
    assert found["job", "tables_growth"].seconds == 2.5
    (grown / "logs" / "growth" / "collect.log").write_text("of an older run\n")
    assert measured_costs.job_seconds(grown)[measured_costs.Path("growth/collect.tsv")] == 9.0


def test_the_command_needs_the_study_of_growth(tmp_path, capsys):
    methods = str(ROOT / "config" / "methods.yaml")
    assert cli.main(["costs", str(tmp_path), "--methods", methods, "--write", str(tmp_path / "c.csv")]) == 1
    assert "study=growth" in capsys.readouterr().err


def test_the_shipped_file_knows_every_method_of_the_growth_study_and_the_jobs():
    laws = costs.read(ROOT / "data" / "costs.csv")
    kinds = {kind: {law.name for law in laws if law.kind == kind} for kind in costs.KINDS}
    assert {"steck3", "mgcd", "bach", "eqfreq3"} <= kinds["learn"]
    assert {"eqfreq3", "hartemink"} <= kinds["discretize"]
    assert {"learn", "discretize", "evaluate", "collect", "sample", "noise"} <= kinds["job"]
    assert all(np.isfinite([law.seconds, law.records, law.variables]).all() for law in laws)


def counted(text):
    """Return the jobs by rule that Snakemake announces."""
    block = text.split("Job stats:")[1]
    return {name: int(n) for name, n in re.findall(r"^(\w+) +(\d+)$", block, re.MULTILINE) if name != "total"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", [{"scale": "tiny"}, {"scale": "quick", "batch": "1", "study": "mabrouk2015"}], ids=str
)
def test_jobs_and_runs_are_those_of_a_dry_run(workflow, tmp_path, given):
    settings = {"study": None, **given}
    planned = workflow.plan(tmp_path, **settings)
    said = workflow.run(tmp_path, "cost", **settings)
    assert said.code == planned.code == 0, said.text
    (line,) = re.findall(r"^jobs by rule: (.*)$", said.text, re.MULTILINE)
    listed = {name: int(n) for name, n in (part.split(" ") for part in line.split(", "))}
    assert listed == counted(planned.text)
    runs = {name: int(n) for name, n in re.findall(r"^(\w+), scale \w+: (\d+) runs", planned.text, re.MULTILINE)}
    lines = {n: (int(r), int(j)) for n, r, j in re.findall(r"^(\w+) +(\d+) +(\d+) .*[MG]B$", said.text, re.MULTILINE)}
    assert {name: r for name, (r, _) in lines.items() if name != "all"} == runs
    assert lines["all"] == (sum(runs.values()), sum(listed.values()))
    assert not (tmp_path / "results").exists()
