"""Every command line of README and docs as printed: the parsers and the plan take it, and one of each kind runs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from snakemake.cli import parse_args, parse_config
from user_tables import table, text
from workflow_tools import ROOT, copy_repository, write_yaml

from cutpoint.base.checking import read_yaml
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.lookups import Plan

FIRST = ("README.md", "CONTRIBUTING.md", "config/README.md")
PAGES = [*map(ROOT.joinpath, FIRST), *sorted(ROOT.glob("docs/**/*.md"))]
COMMAND = re.compile(r"(?:cd \S+ && )?(?:uv run (?:--group \w+ )?)?(?:snakemake|cutpoint) ")
# What a reader puts in, such as FOLDER or the study of docs/add.md.
PLACE = re.compile(r"\b[A-Z_]{3,}\b|\.\.\.|lee2020")
# One line of each kind that is no plain run; .ci/run lints, test_workflow_module.py runs the module.
RUN = [
    "uv run snakemake -n",
    "uv run --group cluster snakemake --profile profiles/slurm -n",
    "snakemake --report report.zip",
    "uv run snakemake --unlock",
    "uv run snakemake report --rulegraph --config study=fu2005 scale=published",
    "uv run snakemake cost --cores 8 --config scale=published",
    "uv run cutpoint new-method thirds",  # last, for it changes what the others show
]
# The command line that comes with the clone, in place of the one that makes an environment first.
UV = """#!/bin/sh
shift
while case "$1" in --*) true;; *) false;; esac; do shift 2; done
exec "$@"
"""


def fenced(page: str) -> list[str]:
    """Return the lines of the shell blocks of a page, without the remarks behind them."""
    blocks = re.findall(r"^```(?:sh|shell|bash|console)?\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [re.split(r"\s+#\s", line)[0].strip() for block in blocks for line in block.splitlines()]


def inline(page: str) -> list[str]:
    """Return the calls of Snakemake in the running text of a page."""
    rest = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    return [code for code in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", rest) if "snakemake " in code]


def documented() -> list[str]:
    """Return the command lines of all pages, each once; of those in running text, what no other one begins with."""
    texts = [page.read_text() for page in PAGES]
    lines = {line.removeprefix("uv run "): line for page in texts for line in fenced(page)}
    for short, line in {line.removeprefix("uv run "): line for page in texts for line in inline(page)}.items():
        if not any(longer.startswith(short) for longer in lines):
            lines[short] = line
    return [line for line in lines.values() if COMMAND.match(line) and not PLACE.search(line)]


def cars() -> str:
    """Return a file of a user's."""
    return text({name: cells for name, cells in table().items() if name not in ("serial", "mpg")})


@pytest.fixture(scope="module")
def clone(workflow, finished, tmp_path_factory):
    """A clone of one small study that has been run."""
    folder = tmp_path_factory.mktemp("documented")
    copy_repository(folder)
    for name in ("docs", "tests", "README.md", "pyproject.toml", ".git"):
        (folder / name).symlink_to(ROOT / name) if name != "docs" else shutil.copytree(ROOT / name, folder / name)
    shutil.copytree(finished[0], folder, dirs_exist_ok=True)
    settings = {"studies": ["fu2005"], "scale": "tiny", "mirror": str(workflow.mirror)}
    write_yaml(folder / "config" / "config.yaml", lambda config: config | settings)
    programs = folder / "bin"
    programs.mkdir()
    (programs / "uv").write_text(UV)
    (programs / "uv").chmod(0o755)
    return folder


def run(clone: Path, line: str) -> subprocess.CompletedProcess:
    """Run a command line in a shell, as a user does in the root of the clone."""
    path = os.pathsep.join([str(clone / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    there = {"PATH": path, "PWD": str(clone), "PYTHONPATH": str(clone / "src")}
    return subprocess.run(
        ["bash", "-c", line], cwd=clone, env=os.environ | there, capture_output=True, text=True, timeout=300
    )


def test_the_pages_have_commands():
    lines = documented()
    assert "uv run snakemake --unlock" in lines
    assert "uv run snakemake --cores all --config scale=quick" in lines
    assert not [line for line in lines if "  " in line or "#" in line]
    assert set(RUN) <= set(lines)


@pytest.fixture(scope="module")
def plan_of(tmp_path_factory):
    """Return the plan of what stands behind --config; many lines have the same."""
    folder, plans = tmp_path_factory.mktemp("here"), {}
    (folder / "my.csv").write_text(cars())
    (folder / "known.yaml").write_text("forbidden: [weight -> doors]\n")

    def plan(words):
        key = repr(words)
        if key not in plans:
            plans[key] = Plan(load(read_yaml(ROOT / "config" / "config.yaml") | parse_config(words), ROOT, folder))
        return plans[key]

    return plan


@pytest.mark.parametrize("line", [line for line in documented() if "snakemake" in line])
def test_a_documented_command_is_understood(line, monkeypatch, plan_of):
    folder, line = line.removeprefix("cd ").split(" && ") if line.startswith("cd ") else (".", line)
    monkeypatch.chdir(ROOT / folder if (ROOT / folder).is_dir() else ROOT)  # a project that is made by the line before
    words = shlex.split(line)
    if "--logger" in words:
        pytest.importorskip(f"snakemake_logger_plugin_{words[words.index('--logger') + 1]}")
    _, arguments = parse_args(words[words.index("snakemake") + 1 :])
    if folder != ".":
        return  # the config of a project of its user's
    assert plan_of(arguments.config).studies.announcement
    assert not set(arguments.targets) - {"warm", "cost", "report"}


@pytest.mark.parametrize("line", RUN)
def test_a_documented_command_runs(clone, line):
    if "--group cluster" in line:
        pytest.importorskip("snakemake_executor_plugin_slurm")
    done = run(clone, line)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    if "--rulegraph" in line:  # the picture in README is of this graph
        picture = (ROOT / "docs" / "images" / "rulegraph.svg").read_text()
        assert sorted(re.findall(r'label = "([^"\\]+)', done.stdout)) == sorted(
            re.findall("<text[^>]*>([^<]+)<", picture)
        )
    if " cost " in line:  # it counts the runs that are announced
        announced = dict(re.findall(r"^(\w+), scale \w+: (\d+) runs", done.stderr, re.MULTILINE))
        counts = dict(re.findall(r"^(\w+) +(\d+) .*[MG]B$", done.stdout, re.MULTILINE))
        assert counts == announced | {"all": str(sum(map(int, announced.values())))}
