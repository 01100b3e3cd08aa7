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
from cutpoint.bench.data import params
from cutpoint.bench.workflow.config import load, reading_of
from cutpoint.bench.workflow.environments import Environments
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.bench.workflow.lookups_runs import Jobs
from cutpoint.bench.workflow.settings import Study
from cutpoint.method.method import CATEGORIES, IN_WORKFLOW, External

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
    methods = {name: row | rows.get(name, {}) for name, row in plan.checked.methods.items()}
    return Plan(replace(plan.checked, methods=methods))


def batches(plan):
    """Return each batch behind its study."""
    return [(study, batch) for study, batches_of in plan.checked.batches.items() for batch in batches_of.values()]


def jobs(plan):
    """Return the study, the batch and the name of each job of methods."""
    return [(*where, job) for where in batches(plan) for job in plan.methods.jobs.of_methods(where[1].methods)]


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
    assert jobs_of.pattern(category) == "first|own|prediscretization"
    assert jobs_of.internal == ["direct", "first", "own", "prediscretization"]


def test_shipped_rows_have_one_job_for_each_category_and_one_for_each_rule(plan):
    jobs, rows = Jobs(plan.checked.methods), plan.checked.methods.values()
    references = ["true_codes", "true_thresholds"]
    alone = sorted({*CATEGORIES} - {*IN_WORKFLOW})
    assert jobs.internal == sorted([*alone, *references])
    assert all(jobs.pattern(category) == category for category in alone)
    assert jobs.pattern("reference") == "|".join(references)
    assert jobs.pattern("external") == "|".join(sorted({row["rule"] for row in rows if row["category"] == "external"}))


def test_values_are_made_of_the_codes_of_their_batch_and_networks_of_its_input():
    for plan in (plan_of(*STUDIES, "field2026", scale=scale) for scale in ("tiny", "published")):
        for where in batches(plan):
            if simulated := where[1].source == "simulated":
                codes = {(sample.network, sample.n): sample for sample in plan.data.samples(*where)}
                noises = plan.data.noises(*where)
                assert [f"{s.network}-n{s.n}-{name}" for s, name, *_ in noises] == [cell.name for cell in where[1].data]
                for sample, *_ in [*noises, *plan.data.tests(*where)]:
                    assert {*sample.replicates} <= {*codes[sample.network, sample.n].replicates}
                    assert sample._replace(replicates=None) == codes[sample.network, sample.n]._replace(replicates=None)
                assert plan.data.networks(*where)
            assert bool(plan.data.test(*where)) == (simulated and bool(plan.data.tests(*where)))


def test_snakemake_compares_what_scripts_are_handed():
    """It records the text of tuples, and leaves out objects that it does not know."""
    types = [one for one in vars(params).values() if isinstance(one, type)]
    assert {issubclass(one, tuple) for one in types if one.__module__.endswith("params")} == {True}


def test_a_job_runs_each_method_where_its_grid_says(plan):
    for study, batch, job in jobs(plan):
        todo = plan.methods.learn(study, batch, job)
        runs = [(cell, r, m) for cell, *ends, methods in todo.runs for m in methods for r in ends]
        expected = [
            (part.cell.name, r, method)
            for part in batch.parts
            for method in part.methods
            if plan.methods.jobs.of[method] == job
            for r in (part.first, part.last)
        ]
        assert runs == expected
        assert {method for *_, method in runs} == todo.methods.keys()


def test_thresholds_come_from_the_package_or_from_the_file_of_the_user(plan, mine):
    row = {"category": "prediscretization", "learner": "hill_climbing", "score": "bdeu", "discretizer": mine}
    methods = plan.checked.methods | {"mine": {"label": "Mine", **row}}
    batch = plan.checked.batches["fu2005"]["simulated/all"]
    part = replace(batch.parts[0], methods=("eqfreq2", "eqfreq3", "hc_stable", "bach", "mine"))
    checked = replace(plan.checked, methods=methods, batches={"fu2005": {batch.path: replace(batch, parts=(part,))}})
    own = Plan(replace(checked, studies={"fu2005": plan.checked.studies["fu2005"]}))
    where = "fu2005", own.checked.batches["fu2005"][batch.path]
    folder = "results/fu2005/simulated/all/discretized"
    assert own.methods.discretized(*where, "prediscretization") == [f"{folder}/built_in.parquet"]
    assert own.methods.discretized(*where, "mine") == [f"{folder}/mine.parquet"]
    assert own.methods.discretized(*where, "direct") == []
    built_in, users = (own.methods.discretize(*where, name) for name in ("built_in", "mine"))
    assert [*built_in.discretizers] == ["equal_frequency(bins=2)", "equal_frequency(bins=3)"]
    assert users.runs == [(part.cell.name, part.first, part.last, ["mine.py:cuts()"])]
    assert own.methods.code_of_discretize(*where, "mine").keys() == users.discretizers.keys()
    assert {f"{folder}/built_in.parquet", f"{folder}/mine.parquet"} <= {*own.studies.everything(None)}


@pytest.mark.parametrize("scale", ["tiny", "quick", "published"])
def test_the_report_can_read_what_it_is_told_of_each_study(scale):
    for about in plan_of(*STUDIES, "field2026", scale=scale).studies.studies_of_report():
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
    other, where = changed(plan, bach={"width": 0.7}), next(where for where in jobs(plan) if where[2] == "direct")
    parsed = {name: plan.methods.parsed(name) for name in plan.checked.methods}
    assert [name for name, method in parsed.items() if method != other.methods.parsed(name)] == ["bach"]
    assert repr(plan.methods.learn(*where)) != repr(other.methods.learn(*where))
    other = changed(plan, bach={"label": "Bach and Jordan", "note": "new"})
    assert parsed == {name: other.methods.parsed(name) for name in parsed}
    study = SimpleNamespace(study="fu2005")
    assert plan.studies.settings_of_study(study) != other.studies.settings_of_study(study)
    assert plan.methods.code_of_learn(*where) == other.methods.code_of_learn(*where)
    assert repr(plan.methods.learn(*where)) == repr(other.methods.learn(*where))


def test_the_code_of_a_job_is_that_of_its_methods(plan):
    codes = {}
    for where in jobs(plan):
        if where[2] in plan.methods.jobs.internal:
            code = plan.methods.code_of_learn(*where)
            assert code.keys() == plan.methods.learn(*where).methods.keys()
            codes.setdefault(where[2], set()).update(code.values())
    assert not codes["integrated"] & codes["direct"]
    assert len(codes["prediscretization"]) < len(plan.checked.methods)


def test_the_code_of_an_external_job_is_that_of_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program, helper = tmp_path / "mine.sh", tmp_path / "mine.py"
    program.write_text("true")
    helper.write_text("def learn(): pass")
    plan = plan_of("fu2005")
    options = {"a": {"command": f"sh {program}"}, "b": {"file": str(helper)}}
    monkeypatch.setattr(plan.methods, "parsed", lambda name: External({}, options[name]))
    monkeypatch.setattr(plan.methods.jobs, "methods", lambda methods, job: [*options])
    names = SimpleNamespace(study="fu2005", source="simulated", batch="all", job="mine")
    code = plan.methods.code_of_external("program.py")
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
    plan = Plan(load(SETTINGS | {"study": "fu2005", "files": {"hartemink": "x.csv"}}, ROOT, tmp_path))
    assert plan.data.file_of_dataset(SimpleNamespace(dataset="hartemink")) == str(tmp_path / "x.csv")
    assert plan.data.file_of_dataset(SimpleNamespace(dataset="abalone")) == []


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


def test_a_column_that_results_have_themselves_is_refused(user, tmp_path):
    (tmp_path / "my.csv").write_text((user / "my.csv").read_text().replace("tub", "replicate"))
    with pytest.raises(InputError, match=r"^my.csv: column replicate: .*; rename it, or set 'drop=\[replicate\]'$"):
        own(tmp_path)


def test_own_data_have_their_study_and_are_announced(user):
    plan = own(user)
    *columns, change, last, duration = plan.studies.announcement
    assert change.startswith("  to change this, add 'discrete=[NAME]'")
    assert columns[0] == "my.csv: 60 rows, 3 columns (2 continuous, 1 discrete)"
    (batch,) = plan.checked.batches["own"].values()
    runs = f"{batch.datasets * len(batch.methods)} runs on {batch.datasets} data sets in 1 batch"
    assert last == f"own, scale tiny: {runs}"
    assert re.fullmatch(r"  about \d+ s of CPU time, and up to 2 min to compile what was not run here before", duration)
    assert plan.data.truth is None
    assert reading_of(plan.settings) == {
        "roles": {"discrete": [], "ordered": [], "continuous": [], "drop": [], "missing": "refuse", "weights": None},
        "form": {"separator": None, "decimal": None, "thousands": None, "names": [], "marks": [], "encoding": None},
    }


def test_settings_choose_the_methods_and_samples_of_own_data(user):
    usual, jackknife = own(user), own(user, resample="jackknife")
    crossed, extra = own(user, methods=("search",)), own(user, extra_methods=("pc_g2",))

    def resamples(plan):
        return {c.resample for batch in plan.checked.batches["own"].values() for c in batch.data if c.resample}

    assert resamples(usual) - resamples(jackknife) == {"bootstrap"}
    assert resamples(jackknife) - resamples(usual) == {"jackknife"}
    searches = set(crossed.studies.rows("own"))
    assert searches == {n for n, row in usual.checked.methods.items() if n.startswith("search.")}
    assert [*extra.studies.rows("own")] == [*usual.studies.rows("own"), "pc_g2"]


def test_the_command_of_a_study_has_the_settings_that_are_not_the_files():
    command = "uv run snakemake --cores all --config study=fu2005 'scale=\"tiny\"' seed=7"
    assert plan_of("fu2005", seed=7).studies.command_of("fu2005") == command
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


OF_PROGRAMS = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "tiny", "studies": ["fu2005"]}
MINE = {"label": "Mine", "category": "external", "rule": "function", "file": "mine.py"}


def rule(job, **params):
    return SimpleNamespace(wildcard_constraints={"job": job}, params=params)


RULES = [
    rule("flop", file="f.py", requirements=str(ROOT / "envs" / "flop.txt")),
    rule("tetrad", file="t.py", requirements=str(ROOT / "envs" / "tetrad.py")),
    rule("function", file=None, requirements=None),
    rule("program", command=None),
    SimpleNamespace(wildcard_constraints={}, params={"code": "x"}),
]


@pytest.fixture
def environments_of(tmp_path, monkeypatch):
    """Return a function that makes the environments of rules and further rows, of which some run."""
    monkeypatch.chdir(tmp_path)

    def make(rows=(), selected=("flop",)):
        checked = load(OF_PROGRAMS | {"extra_methods": ["flop"]}, ROOT, ROOT)
        methods = checked.methods | {name: MINE | row for name, row in dict(rows).items()}
        where = {name: f"methods.yaml: {name}" for name in methods}
        plan = Plan(replace(checked, methods=methods, where=where))
        monkeypatch.setattr(plan.studies, "rows", lambda study: ["bach", *selected])
        monkeypatch.setattr(plan.methods.jobs, "methods", lambda methods, job: methods)
        environments = Environments(plan)
        environments.read(RULES)
        return environments

    return make


def of(environments, *methods):
    return environments.of_job("fu2005", SimpleNamespace(methods=methods), "any")


def test_shipped_programs_have_environments_of_the_names_of_their_files(environments_of):
    environments = environments_of()
    assert of(environments, "flop") == ["results/environments/flop"]
    assert of(environments, "tetrad_boss_dg", "tetrad_fges_dg") == ["results/environments/tetrad"]
    assert of(environments, "bach", "chow_liu") == []
    assert environments.selected(None) == ["results/environments/flop"]
    assert environments.file_of(SimpleNamespace(program="tetrad")) == str(ROOT / "envs" / "tetrad.py")


def test_rows_of_users_name_their_own(environments_of, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "needs.txt").touch()
    rows = {"a": {"requirements": "mine/needs.txt"}, "b": {"requirements": "./mine/needs.txt"}, "c": {}}
    rows["p"] = {"rule": "program", "command": "sh p.sh", "requirements": "an option of a program"}
    environments = environments_of(rows, selected=["a", "flop"])
    assert of(environments, *"abcp") == ["results/environments/needs"]
    assert environments.file_of(SimpleNamespace(program="needs")) == str(tmp_path / "mine" / "needs.txt")
    assert environments.selected(None) == ["results/environments/flop", "results/environments/needs"]


def test_an_unknown_environment_is_named(environments_of):
    with pytest.raises(InputError, match="results/environments/flo: no such environment; did you mean 'flop'"):
        environments_of().file_of(SimpleNamespace(program="flo"))


def test_two_files_do_not_share_a_name(environments_of, tmp_path):
    (tmp_path / "flop.txt").touch()
    with pytest.raises(InputError) as raised:
        environments_of({"mine": {"requirements": "flop.txt"}}, selected=["mine"])
    files = f"{tmp_path / 'flop.txt'} and {ROOT / 'envs' / 'flop.txt'}"
    message = f"methods.yaml: mine: requirements: {files} would share the environment 'flop'; rename one of them"
    assert str(raised.value) == message


def test_a_missing_file_is_named_where_its_method_runs(environments_of):
    environments_of({"mine": {"requirements": "gone.txt"}})
    with pytest.raises(InputError, match=r"^methods.yaml: mine: requirements: gone.txt: no such file, neither /"):
        environments_of({"mine": {"requirements": "gone.txt"}}, selected=["mine"])
