"""Which methods need an environment of their own, and which files these are made from."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.environments import Environments
from cutpoint.bench.workflow.lookups import Plan

SETTINGS = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "tiny", "studies": ["fu2005"]}
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
        checked = load(SETTINGS | {"extra_methods": ["flop"]}, ROOT, ROOT)
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
