"""What rules look up: how methods share jobs, what a change of the config changes in them, and the user's own files.

That files of rules fit together is held by runs of the workflow, and by the golden numbers of one.
"""

import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.load import load, reading_of
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.bench.workflow.lookups_methods import Jobs
from cutpoint.bench.workflow.settings import Study
from cutpoint.method.method import CATEGORIES, IN_WORKFLOW

SETTINGS = read_yaml(ROOT / "config" / "config.yaml")
STUDIES = SETTINGS["studies"]


@cache
def plan_of(*studies, **settings):
    """Return the plan of a run at the tiny scale from the root of the clone."""
    return Plan(load(SETTINGS | {"scale": "tiny", "studies": list(studies)} | settings, ROOT, ROOT))


@pytest.fixture(scope="module")
def plan():
    return plan_of(*STUDIES)


def changed(plan, **rows):
    """Return the plan with other rows of some methods."""
    methods = {name: {**row, **rows.get(name, {})} for name, row in plan.checked.methods.items()}
    return Plan(type(plan.checked)(**{**vars(plan.checked), "methods": methods}))


def wildcards(**names):
    return SimpleNamespace(**names)


def batches(plan):
    """Yield the wildcards of each batch, with the batch."""
    for study, batches_of in plan.checked.batches.items():
        for batch in batches_of.values():
            yield wildcards(study=study, source=batch.source, batch=batch.name), batch


def jobs(plan):
    """Yield the wildcards of each job of methods, with its batch."""
    for names, batch in batches(plan):
        for job in plan.methods.jobs.of_methods(batch.methods):
            yield wildcards(**vars(names), job=job), batch


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A discretizer of the user's, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def cuts(values, discrete): return [[] for _ in discrete]")
    return "mine.py:cuts"


def test_methods_of_a_category_share_a_job_and_own_code_has_another(mine):
    base = {"category": "prediscretization", "discretizer": "equal_width", "learner": "hill_climbing", "score": "bdeu"}
    rows = {
        "peer": {"category": "external", "rule": "peer", "discretizer": "equal_width", "bins": 3},
        "one": base | {"job": "first", "bins": 3},
        "two": base | {"bins": 4},
        "own": base | {"discretizer": mine},
        "with": base | {"discretizer": mine, "job": "first"},
        "bach": {"category": "direct", "learner": "hill_climbing", "score": "kgv"},
    }
    jobs_of = Jobs(rows)
    category = "prediscretization"
    assert jobs_of.of == {
        "peer": "peer", "one": "first", "two": category, "own": "own", "with": "first", "bach": "direct",
    }  # fmt: skip
    assert jobs_of.of_methods(["own", "two", "one", "own"]) == ["own", category, "first"]
    assert jobs_of.named("prediscretization") == ["first", "own", "prediscretization"]
    assert jobs_of.internal == ["direct", "first", "own", "prediscretization"]


def test_shipped_rows_have_one_job_for_each_category_and_one_for_each_rule(plan):
    jobs, rows = Jobs(plan.checked.methods), plan.checked.methods.values()
    references = ["true_codes", "true_thresholds"]
    alone = sorted({*CATEGORIES} - {*IN_WORKFLOW})
    assert jobs.internal == sorted([*alone, *references])
    assert all(jobs.named(category) == [category] for category in alone)
    assert jobs.named("reference") == references
    assert jobs.named("external") == sorted({row["rule"] for row in rows if row["category"] == "external"})


def test_values_are_made_of_the_codes_of_their_batch_and_networks_of_its_input():
    for plan in (plan_of(*STUDIES, "field2026", scale=scale) for scale in ("tiny", "published")):
        for names, batch in batches(plan):
            if batch.source == "simulated":
                codes = {(s["network"], s["n"]): s["replicates"] for s in plan.data.samples_of_batch(names)}
                drawn = plan.data.noises_of_batch(names)
                assert [f"{one['network']}-n{one['n']}-{one['noise']}" for one in drawn] == [c.name for c in batch.data]
                for one in [*drawn, *plan.data.tests_of_batch(names)]:
                    (first, last), drawn = one["replicates"], codes[one["network"], one["n"]]
                    assert drawn[0] <= first <= last <= drawn[1]
                assert plan.data.networks_of_batch(names)
            assert bool(plan.data.test_of_batch(names)) == (
                batch.source == "simulated" and bool(plan.data.tests_of_batch(names))
            )


def test_a_job_runs_each_method_where_its_grid_says(plan):
    for names, batch in jobs(plan):
        runs = [(cell, r, m) for cell, *ends, methods in plan.methods.runs_of_job(names) for m in methods for r in ends]
        expected = [
            (part.cell.name, r, method)
            for part in batch.parts
            for method in part.methods
            if plan.methods.jobs.of[method] == names.job
            for r in (part.first, part.last)
        ]
        assert runs == expected
        assert {method for *_, method in runs} == plan.methods.methods_of_job(names).keys()


def test_thresholds_come_from_the_package_or_from_the_file_of_the_user(plan, mine):
    row = {"category": "prediscretization", "learner": "hill_climbing", "score": "bdeu", "discretizer": mine}
    methods = plan.checked.methods | {"mine": {"label": "Mine", **row}}
    batch = plan.checked.batches["fu2005"]["simulated/all"]
    part = replace(batch.parts[0], methods=("eqfreq2", "eqfreq3", "hc_stable", "bach", "mine"))
    checked = replace(plan.checked, methods=methods, batches={"fu2005": {batch.path: replace(batch, parts=(part,))}})
    own = Plan(replace(checked, studies={"fu2005": plan.checked.studies["fu2005"]}))
    where = {"study": "fu2005", "source": "simulated", "batch": "all"}
    folder = "results/fu2005/simulated/all/discretized"
    assert own.methods.discretized_of_job(wildcards(**where, job="prediscretization")) == [f"{folder}/built_in.parquet"]
    assert own.methods.discretized_of_job(wildcards(**where, job="mine")) == [f"{folder}/mine.parquet"]
    assert own.methods.discretized_of_job(wildcards(**where, job="direct")) == []
    built_in, users = (wildcards(**where, discretizer=name) for name in ("built_in", "mine"))
    assert [*own.methods.discretizers_of_job(built_in)] == ["equal_frequency(bins=2)", "equal_frequency(bins=3)"]
    assert [*own.methods.discretizers_of_job(users)] == ["mine.py:cuts()"]
    assert own.methods.discretizations_of_job(users) == [[part.cell.name, part.first, part.last, ["mine.py:cuts()"]]]
    assert own.methods.code_of_discretizers(users).keys() == own.methods.discretizers_of_job(users).keys()
    assert {f"{folder}/built_in.parquet", f"{folder}/mine.parquet"} <= {*own.studies.everything(None)}


@pytest.mark.parametrize("scale", ["tiny", "quick", "published"])
def test_the_report_can_read_what_it_is_told_of_each_study(scale):
    for about in plan_of(*STUDIES, "field2026", scale=scale).studies.about_report():
        read = Study.model_validate(about["study"])
        assert all(grid.methods for grid in read.grids.values()), about["name"]


def test_at_small_scales_few_jobs_run_the_methods(plan):
    """At most 60 jobs of 45 runs, the report and what all studies share left out."""
    for study, batches_of in plan.checked.batches.items():
        runs = sum(batch.runs for batch in batches_of.values())
        methods = sum(len(plan.methods.jobs.of_methods(batch.methods)) for batch in batches_of.values())
        data = 3 * len(batches_of)  # codes, values and thresholds
        assert methods + data + 2 * len(batches_of) <= max(45, runs) * 60 / 45, study


def test_an_option_changes_its_own_row_and_a_label_none(plan):
    other, (names, _) = changed(plan, bach={"width": 0.7}), next(n for n in jobs(plan) if n[0].job == "direct")
    names_of = [*plan.checked.methods]
    assert [name for name in names_of if plan.methods.plain(name) != other.methods.plain(name)] == ["bach"]
    assert plan.methods.methods_of_job(names) != other.methods.methods_of_job(names)
    other = changed(plan, bach={"label": "Bach and Jordan", "note": "new"})
    assert all(plan.methods.plain(name) == other.methods.plain(name) for name in names_of)
    study = wildcards(study="fu2005")
    assert plan.studies.about_study(study) != other.studies.about_study(study)
    assert plan.methods.code_of_job(names) == other.methods.code_of_job(names)


def test_the_code_of_a_job_is_that_of_its_methods(plan):
    codes = {}
    for names, _ in jobs(plan):
        if names.job in plan.methods.jobs.internal:
            assert plan.methods.code_of_job(names).keys() == plan.methods.methods_of_job(names).keys()
            codes.setdefault(names.job, set()).update(plan.methods.code_of_job(names).values())
    assert not codes["integrated"] & codes["direct"]
    assert len(codes["prediscretization"]) < len(plan.checked.methods)


def test_the_code_of_an_external_job_is_that_of_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program, helper = tmp_path / "mine.sh", tmp_path / "mine.py"
    program.write_text("true")
    helper.write_text("def learn(): pass")
    plan = plan_of("fu2005")
    options = {"a": {"command": f"sh {program}"}, "b": {"file": str(helper)}}
    methods = {name: {"functions": {}, "options": some} for name, some in options.items()}
    monkeypatch.setattr(plan.methods, "methods_of_job", lambda names: methods)
    names, code = wildcards(job="mine"), plan.methods.code_of_external("program.py")
    before = code(names)
    assert code(names) == before
    program.write_text("false")
    assert code(names)[0] == before[0]
    assert code(names) != before
    helper.write_text("def learn(): return 1")
    assert code(names)[0] != before[0]


def test_a_killed_job_comes_back_with_more_time():
    plan = plan_of("fu2005", time_limit=600, memory_limit=1000)
    assert [plan.methods.minutes(None, attempt) for attempt in (1, 2, 3)] == [20, 80, 320]
    assert plan_of("fu2005", time_limit=1).methods.minutes(None, 1) == 10
    assert (plan.methods.memory, plan.methods.limits) == (1500, (600, 1000))


def test_a_users_file_of_a_data_set_is_read_where_the_user_stands(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text("")
    plan = Plan(load(SETTINGS | {"study": "fu2005", "files": {"hartemink": "x.csv"}, "mirror": "."}, ROOT, tmp_path))
    assert plan.data.file_of_dataset(wildcards(dataset="hartemink")) == str(tmp_path / "x.csv")
    assert plan.data.file_of_dataset(wildcards(dataset="abalone")) == []
    assert plan.data.mirror == str(tmp_path)


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    folder = tmp_path_factory.mktemp("user")
    rows = [f"{k % 2},{k / 7},{(k * k) % 11 / 3}" for k in range(60)]
    (folder / "my.csv").write_text("\n".join(["asia,tub,smoke", *rows]))
    return folder


@cache
def own(user, **settings):
    lists = {key: list(value) if isinstance(value, tuple) else value for key, value in settings.items()}
    return Plan(load(SETTINGS | {"scale": "tiny", "data": "my.csv"} | lists, ROOT, user))


def test_own_data_have_their_study_and_are_announced(user):
    plan = own(user)
    *columns, last, duration = plan.studies.announcement
    assert columns[0] == "my.csv: 60 rows, 3 columns (2 continuous, 1 discrete)"
    (batch,) = plan.checked.batches["own"].values()
    runs = f"{batch.datasets * len(batch.methods)} runs on {batch.datasets} data sets in 1 batch"
    assert last == f"own, scale tiny: {runs}"
    assert re.fullmatch(r"  about \d+ s of CPU time, and up to 2 min to compile what was not run here before", duration)
    assert (plan.data.data_file, plan.data.truth) == (str(user / "my.csv"), None)
    assert reading_of(plan.settings) == {
        "roles": {"discrete": [], "continuous": [], "drop": [], "missing": "refuse"},
        "form": {"separator": None, "decimal": "point", "thousands": None, "names": [], "marks": [], "encoding": None},
    }


def test_settings_choose_the_methods_and_samples_of_own_data(user):
    usual, jackknife, crossed, extra = (
        own(user),
        own(user, resample="jackknife"),
        own(user, methods=("search",)),
        own(user, extra_methods=("pc_g2",)),
    )

    def resamples(plan):
        return {c.resample for batch in plan.checked.batches["own"].values() for c in batch.data if c.resample}

    assert resamples(usual) - resamples(jackknife) == {"bootstrap"}
    assert resamples(jackknife) - resamples(usual) == {"jackknife"}
    searches = set(crossed.studies.methods_of_study("own"))
    assert searches == {n for n, row in usual.checked.methods.items() if n.startswith("search.")}
    assert extra.studies.methods_of_study("own") == [*usual.studies.methods_of_study("own"), "pc_g2"]


def test_the_command_of_a_study_has_the_settings_that_are_not_the_files():
    plan = plan_of("fu2005", seed=7)
    assert (
        plan.studies.command_of("fu2005")
        == "uv run snakemake --cores all --config study=fu2005 'scale=\"tiny\"' seed=7"
    )
    assert plan_of("fu2005", scale=SETTINGS["scale"]).studies.command_of("fu2005").endswith("--config study=fu2005")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"rule": "chow_lu"}, "rule: no rule 'chow_lu' in workflow/rules/methods; did you mean 'chow_liu'?"),
        ({"rule": "program"}, "command: missing; the rule 'program' needs it"),
        ({"rule": "function"}, "file: missing; the rule 'function' needs it"),
        ({"rule": "program", "command": "sh 'a"}, "command: "),
    ],
)
def test_a_rule_of_an_external_method_is_missing(plan, row, message):
    rules = {"program", "function", *(plan.checked.methods[name]["rule"] for name in plan.methods.external)}
    plan.methods.check_rules(rules)
    plan.methods.check_rules({f"cutpoint_{rule}" for rule in rules})  # of a module
    with pytest.raises(InputError) as raised:
        changed(plan, chow_liu=row).methods.check_rules(rules)
    assert str(raised.value).startswith(f"{ROOT}/config/methods.yaml: chow_liu: {message}")


def test_jobs_take_the_package_of_the_clone_and_one_thread_and_keep_bytecode(plan, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/mine")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    variables = plan.environment
    assert variables["PYTHONPATH"] == f"{ROOT / 'src'}:/mine"
    assert variables["NUMBA_NUM_THREADS"] == "1"
    command = [sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)"]
    assert subprocess.run(command, env=os.environ | variables, capture_output=True, text=True).stdout == "False\n"
