"""Budgets of lines, blank ones and comments included: what is added beyond them takes something else away."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = (".py", ".yaml")
BUDGETS = {  # lines, folder, a folder in it that does not count, endings that count (none: all but Python)
    "library": (23_000, "src/cutpoint/", "src/cutpoint/bench/", CODE),
    "bench": (13_500, "src/cutpoint/bench/", None, CODE),
    "studies": (7_000, "workflow/studies/", None, CODE),
    "tests": (30_000, "tests/", None, (".py",)),
    "golden text": (19_500, "tests/golden/", None, None),
    "tools": (1_500, "tools/", None, (".py",)),
}


@pytest.fixture(scope="module")
def lines():
    """The number of lines of each tracked text file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [path for path in listed.stdout.split("\0") if path and (ROOT / path).is_file()]
    return {path: (ROOT / path).read_bytes().count(b"\n") for path in paths}


@pytest.mark.parametrize("name", BUDGETS)
def test_what_is_added_takes_something_away(name, lines):
    most, folder, without, endings = BUDGETS[name]
    counted = {
        path: count
        for path, count in lines.items()
        if path.startswith(folder)
        and not (without and path.startswith(without))
        and (path.endswith(endings) if endings else not path.endswith(".py"))
    }
    assert counted
    assert sum(counted.values()) <= most
