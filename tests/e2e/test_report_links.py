"""Reports of finished runs: every link leads somewhere, and every printed command plans the run that it stands in."""

import html
import re
import shlex
from urllib.parse import unquote

import pytest
from snakemake.cli import parse_args, parse_config

from cutpoint.base.checking import read_yaml
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.lookups import Plan

COMMAND = re.compile(r"<(?:code|pre)>((?:uv run snakemake|cutpoint report) [^<]*)<")


@pytest.fixture(scope="module", params=["tiny", "quick", "own"])
def results(request, tmp_path_factory):
    """The results of a run, its scale, and its studies: of all at the tiny scale, of one, and of own data."""
    if request.param == "tiny":
        folder = request.getfixturevalue("all_studies")
        return folder, "tiny", {path.parent.name for path in folder.glob("*/claims.csv")}
    if request.param == "own":
        return request.getfixturevalue("own_study"), "tiny", {"own"}
    workflow, folder = request.getfixturevalue("workflow"), tmp_path_factory.mktemp("quick")
    done = workflow.run(folder, study="tran2013", scale="quick")
    assert done.code == 0, done.text
    return folder / "results", "quick", {"tran2013"}


def test_every_link_leads_somewhere(results):
    folder, page = results[0], (results[0] / "report.html").read_text()
    links = {html.unescape(link) for link in re.findall(r'<a [^>]*\bhref="([^"]*)"', page)}
    inside = {unquote(link[1:]) for link in links if link.startswith("#")}
    assert inside <= set(re.findall(r'\bid="([^"]*)"', page))
    files = {link for link in links if not link.startswith(("#", "data:"))}
    assert files
    assert [link for link in files if not (folder / unquote(link)).exists()] == []


def words_of(command):
    """Return what stands behind --config in a printed command, and its targets."""
    words = shlex.split(command)
    if words[0] == "cutpoint":
        if "--directory" in words:  # where results stand, which is no setting
            at = words.index("--directory")
            del words[at : at + 2]
        at = words.index("--scale")
        return [f"data={words[2]}", f"scale={words[at + 1]}", *words[at + 2 :]], []
    arguments = parse_args(words[words.index("snakemake") + 1 :])[1]
    return [f"{key}={value}" for key, value in parse_config(arguments.config).items()], list(arguments.targets)


def test_every_printed_command_plans_its_study_at_its_scale(results, workflow, monkeypatch):
    folder, scale, studies = results
    here = folder.parents[1]  # where the user stood
    monkeypatch.chdir(here)
    commands = {html.unescape(text) for text in COMMAND.findall((folder / "report.html").read_text())}
    usual, planned = read_yaml(workflow.clone / "config" / "config.yaml"), set()
    for command in sorted(commands - {text for text in commands if "--scale published" in text}):
        words, targets = words_of(command)
        plan = Plan(load(usual | parse_config(words), workflow.clone, here))
        assert plan.settings.scale == scale, command
        planned.update(plan.studies.studies)
        if targets:
            (study,) = plan.studies.studies
            assert targets in ([f"results/{study}/tables"], [f"results/{study}/figures"]), command
    assert planned == studies
    settings = dict.fromkeys(("study", "scale")) | dict(word.split("=", 1) for word in words)
    done = workflow.run(folder.parent, "-n", *targets, **settings)
    assert done.code == 0, done.text
    assert all(f"{study}, scale {scale}: " in done.text for study in plan.studies.studies)
