"""What rules look up: how methods share jobs, what a change of the config changes in them, and the user's own files.

That files of rules fit together is held by runs of the workflow, and by the golden numbers of one.
"""

import re
from functools import cache
from types import SimpleNamespace

import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.load import load
from cutpoint.bench.workflow.lookups import Jobs, Plan
from cutpoint.bench.workflow.settings import Study

SETTINGS = read_yaml(ROOT / "config" / "config.yaml")
STUDIES = SETTINGS["studies"]


@cache
def plan_of(*studies, **settings):
    """Return the plan of a run at the tiny scale from the root of the clone."""
    return Plan(load(SETTINGS | {"scale": "tiny", "studies": list(studies)} | settings, ROOT, ROOT))


@pytest.fixture(scope="module")
def plan():
    return plan_of(*STUDIES)


@pytest.fixture(scope="module")
def apart():
    """A plan in which kinds of methods have jobs of their own."""
    return plan_of("fu2005", scale="published")


def changed(plan, **rows):
    """Return the plan with other rows of some methods."""
    methods = {name: {**row, **rows.get(name, {})} for name, row in plan.checked.methods.items()}
    return Plan(type(plan.checked)(**{**vars(plan.checked), "methods": methods}))


def wildcards(**names):
    return SimpleNamespace(**names)


def batches(plan):
    """Yield the wildcards of each batch, with the batch."""
    for study, found in plan.batches.items():
        for name, batch in found.items():
            yield wildcards(study=study, batch=name), batch


def jobs(plan):
    """Yield the wildcards of each job of methods, with its batch."""
    for names, batch in batches(plan):
        for job in plan.jobs[names.study].of_methods(batch.methods):
            yield wildcards(**vars(names), job=job), batch


# Jobs of methods


def test_methods_share_the_job_that_their_rows_name():
    base = {"category": "prediscretization", "discretizer": "equal_width", "learner": "hill_climbing"}
    rows = {
        "peer": {"category": "external", "rule": "peer", "discretizer": "equal_width", "bins": 3},
        "one": base | {"job": "first", "bins": 3, "score": "bdeu"},
        "two": base | {"job": "second", "bins": 3, "score": "bic"},
        "four": base | {"bins": 4, "score": "bic"},
        "bach": {"category": "direct", "learner": "hill_climbing", "score": "kgv"},
    }
    found = Jobs(rows)
    assert found.of == {"peer": "peer", "one": "first", "two": "second", "four": "four", "bach": "bach"}
    assert found.internal == ["bach", "first", "four", "second"]
    found = Jobs(rows, together=True)
    assert found.of == {"peer": "peer"} | dict.fromkeys(("one", "two", "four", "bach"), "built_in")
    assert found.internal == ["built_in"]


def test_every_data_file_of_a_batch_is_made_by_one_job(plan):
    for study in STUDIES:
        jobs = [*plan.samples_of(study), *plan.noises_of(study), *plan.resamples_of(study)]
        made = [path for job in jobs for path in job.paths]
        assert len(made) == len(set(made))
        for names in (wildcards(study=study, batch=name) for name in plan.batches[study]):
            assert set(plan.data_of_batch(names)) <= set(made)
            if plan.shares_of_batch(names):
                assert {*plan.codes_of_batch(names), *plan.tests_of_batch(names)} <= set(made)
            assert not plan.held_out_of_batch(names)
        assert all(len(job.paths) == len(job.about) == len(job.sources) for job in jobs)
        assert {source for job in plan.noises_of(study) for source in job.sources} <= set(made)


def test_records_held_out_are_of_the_networks_and_noises_of_a_batch_and_of_no_cell():
    field = plan_of("field2026")
    made = {path for job in field.noises_of("field2026") for path in job.paths}
    for names, batch in batches(field):
        held_out, learned = field.held_out_of_batch(names), field.data_of_batch(names)
        assert len(held_out) == len({(cell.network, cell.noise) for cell in batch.cells})
        assert {*held_out} <= made - {*learned}
        assert all("/n1000/" in path for path in held_out)


@pytest.mark.parametrize("scale", ["tiny", "quick", "published"])
def test_the_report_can_read_what_it_is_told_of_each_study(scale):
    for about in plan_of(*STUDIES, "field2026", scale=scale).about_report():
        read = Study.model_validate(about["study"])
        assert all(grid.methods for grid in read.grids.values()), about["name"]


def test_at_small_scales_few_jobs_run_the_methods(plan):
    """At most 60 jobs of 45 runs, the report and what all studies share left out."""
    for study, batches in plan.batches.items():
        runs = sum(batch.datasets * len(batch.methods) for batch in batches.values())
        methods = sum(len(plan.jobs[study].of_methods(batch.methods)) for batch in batches.values())
        data = len([*plan.samples_of(study), *plan.noises_of(study), *plan.resamples_of(study)])
        assert methods + data + 2 * len(batches) <= max(45, runs) * 60 / 45, study


def test_an_option_changes_its_own_row_and_a_label_none(apart):
    other, (names, _) = changed(apart, bach={"width": 0.7}), next(n for n in jobs(apart) if n[0].job == "direct")
    assert [name for name in apart.methods if apart.methods[name] != other.methods[name]] == ["bach"]
    assert apart.methods_of_job(names) != other.methods_of_job(names)
    other = changed(apart, bach={"label": "Bach and Jordan", "note": "new"})
    assert apart.methods == other.methods
    study = wildcards(study="fu2005")
    assert apart.about_study(study) != other.about_study(study)
    assert apart.code_of_job(names) == other.code_of_job(names)


def test_the_code_of_a_job_is_that_of_its_methods_and_discretizations(apart):
    codes = {}
    for names, _ in jobs(apart):
        assert apart.code_of_job(names).keys() == apart.methods_of_job(names).keys()
        codes.setdefault(names.job, set()).update(apart.code_of_job(names).values())
    assert not codes["integrated"] & codes["direct"]


def test_the_code_of_an_external_job_is_that_of_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program, helper = tmp_path / "mine.sh", tmp_path / "mine.py"
    program.write_text("true")
    helper.write_text("def learn(): pass")
    plan = plan_of("fu2005")
    options = {"a": {"command": f"sh {program}"}, "b": {"file": str(helper)}}
    methods = {name: {"functions": {}, "options": some} for name, some in options.items()}
    monkeypatch.setattr(plan, "methods_of_job", lambda names: methods)
    names, code = wildcards(job="mine"), plan.code_of_external("program.py")
    before = code(names)
    assert code(names) == before
    program.write_text("false")
    assert code(names)[0] == before[0]
    assert code(names) != before
    helper.write_text("def learn(): return 1")
    assert code(names)[0] != before[0]


def test_a_killed_job_comes_back_with_more_time():
    plan = plan_of("fu2005", time_limit=600, memory_limit=1000)
    assert [plan.minutes(None, attempt) for attempt in (1, 2, 3)] == [20, 80, 320]
    assert plan_of("fu2005", time_limit=1).minutes(None, 1) == 10
    assert (plan.memory, plan.limits) == (1500, (600, 1000))


def test_a_users_file_of_a_data_set_is_read_where_the_user_stands(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text("")
    plan = Plan(load(SETTINGS | {"study": "fu2005", "files": {"hartemink": "x.csv"}, "mirror": "."}, ROOT, tmp_path))
    assert plan.file_of_dataset(wildcards(dataset="hartemink")) == str(tmp_path / "x.csv")
    assert plan.file_of_dataset(wildcards(dataset="abalone")) == []
    assert plan.mirror == str(tmp_path)


# The user's own data


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
    *columns, last, duration = plan.announcement
    assert columns[0] == "my.csv: 60 rows, 3 columns (2 continuous, 1 discrete)"
    sets = {
        (b.grid, c.name, r) for b in plan.batches["own"].values() for c in b.cells for r in range(b.first, b.last + 1)
    }
    (methods,) = {batch.methods for batch in plan.batches["own"].values()}
    runs = f"{len(sets) * len(methods)} runs on {len(sets)} data sets in {len(plan.batches['own'])} batches"
    assert last == f"own, scale tiny: {runs}"
    assert re.fullmatch(r"  about \d+ s of CPU time, and up to 2 min to compile what was not run here before", duration)
    assert (plan.data_file, plan.truth) == (str(user / "my.csv"), None)
    assert plan.reading == {
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
        return {c.resample for batch in plan.batches["own"].values() for c in batch.cells if c.resample}

    assert resamples(usual) - resamples(jackknife) == {"bootstrap"}
    assert resamples(jackknife) - resamples(usual) == {"jackknife"}
    assert set(crossed.methods_of_study("own")) == {n for n, row in usual.methods.items() if n.startswith("search.")}
    assert extra.methods_of_study("own") == [*usual.methods_of_study("own"), "pc_g2"]


def test_the_command_of_a_study_has_the_settings_that_are_not_the_files():
    plan = plan_of("fu2005", batch=7)
    assert plan.command_of("fu2005") == "uv run snakemake --cores all --config study=fu2005 'scale=\"tiny\"' batch=7"
    assert plan_of("fu2005", scale=SETTINGS["scale"]).command_of("fu2005").endswith("--config study=fu2005")


# Rules


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"rule": "chow_lu"}, "rule: no rule 'chow_lu' in workflow/rules/methods; did you mean 'chow_liu'?"),
        ({"rule": "program"}, "command: missing; the rule 'program' needs it"),
        ({"rule": "function"}, "file: missing; the rule 'function' needs it"),
        ({"rule": "program", "command": "sh 'a"}, "command: "),
    ],
)
def test_a_rule_of_an_external_method_is_missing(plan, row, said):
    rules = {"program", "function", *(plan.checked.methods[name]["rule"] for name in plan.external)}
    plan.check_rules(rules)
    plan.check_rules({f"cutpoint_{rule}" for rule in rules})  # of a module
    with pytest.raises(InputError) as raised:
        changed(plan, chow_liu=row).check_rules(rules)
    assert str(raised.value).startswith(f"methods.yaml: chow_liu: {said}")


def test_rules_of_this_workflow_get_what_they_do_not_say(plan):
    here, there = str(ROOT / "workflow" / "rules" / "learn.smk"), "/home/me/Snakefile"
    silent = SimpleNamespace(snakefile=here, conda_env=None, resources={})
    said = SimpleNamespace(snakefile=here, conda_env="mine.yaml", resources={"mem_mb": 7})
    other = SimpleNamespace(snakefile=there, conda_env=None, resources={})
    plan.complete([silent, said, other])
    assert (silent.conda_env, silent.resources) == (
        str(ROOT / "envs" / "cutpoint.yaml"),
        {"mem_mb": 2000, "runtime": 10},
    )
    assert (said.conda_env, said.resources) == ("mine.yaml", {"mem_mb": 7, "runtime": 10})
    assert (other.conda_env, other.resources) == (None, {})


def test_jobs_take_the_package_of_the_clone_and_one_thread(plan, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/mine")
    found = plan.environment
    assert found["PYTHONPATH"] == f"{ROOT / 'src'}:/mine"
    assert found["NUMBA_NUM_THREADS"] == "1"
