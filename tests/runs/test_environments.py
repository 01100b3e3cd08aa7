"""Environments of outside programs: how they are made, and batches in them; scripts stand for uv and Python."""

import json
import sys
import zipfile
from dataclasses import replace
from shutil import which

import numpy as np
import pytest
from fault_tools import processes, until
from script_tools import script

from cutpoint.base.errors import InputError, line_of
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs import environments, functions

SCRIPT = script("function")


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def wheel(folder):
    """Write a wheel of one module, for which no index is needed, and return its path."""
    path, about = folder / "tiny_words-1.0-py3-none-any.whl", "tiny_words-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("tiny_words.py", "ANSWER = 42\n")
        file.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-words\nVersion: 1.0\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def uv(monkeypatch):
    """Let uv take nothing from the network."""
    if not which("uv"):
        pytest.skip("no program uv, which makes environments")
    monkeypatch.setenv("UV_OFFLINE", "1")


@pytest.fixture
def todo(tmp_path):
    parquet.write_data(tmp_path / "data.parquet", ["x", "y"], [(r, np.zeros((2, 2))) for r in range(2)], cell="c")
    return functions.FunctionRuns({"mine": ("no.py", {})}, {}, str(tmp_path / "data.parquet"), [], 60.0, 1000.0)


def test_an_environment_has_its_packages_and_the_pins_of_no_project(uv, tmp_path, monkeypatch):
    (tmp_path / "needs.txt").write_text(f"{wheel(tmp_path)}\n")
    (tmp_path / "pyproject.toml").write_text("[tool.uv]\nconstraint-dependencies = ['tiny-words==2.0']\n")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "needs"
    folder.mkdir()
    (folder / "old").touch()
    assert environments.make("needs.txt", folder) == ""
    assert not (folder / "old").exists()
    assert json.loads((folder / "environment.json").read_text()) == {"status": "ok", "message": ""}
    check = f"import sys, tiny_words; assert sys.prefix == {str(folder)!r} != sys.base_prefix"
    assert environments.call([str(environments.python_of(folder)), "-c", check], 60) == (0, [])
    assert list(folder.rglob("tiny_words*.pyc"))  # so that nodes write nothing


def test_where_uv_is_missing_the_folder_says_so(monkeypatch, tmp_path, todo):
    (tmp_path / "needs.txt").touch()
    monkeypatch.setenv("PATH", str(tmp_path))  # as on a node of a cluster
    monkeypatch.delenv("UV", raising=False)
    reason = environments.make(tmp_path / "needs.txt", tmp_path / "needs")
    assert reason == "no program 'uv' in PATH, which makes it; install it"
    with pytest.raises(InputError) as raised:
        environments.python_of(tmp_path / "needs")
    message = f"{tmp_path / 'needs'}: no environment: {reason}; try again with --forcerun {tmp_path / 'needs'}"
    assert str(raised.value) == message
    runs = SCRIPT.run_apart(todo, str(tmp_path / "needs"), str(tmp_path)).runs
    assert [(run["status"], run["message"]) for run in runs] == [("error", message)] * 2


def test_where_a_package_cannot_be_had_the_folder_says_so_in_one_line(uv, tmp_path):
    (tmp_path / "needs.txt").write_text("no-such-package-of-cutpoint\n")
    reason = environments.make(tmp_path / "needs.txt", tmp_path / "needs")
    assert reason.startswith(f"{tmp_path / 'needs.txt'}: ")
    assert "no-such-package-of-cutpoint was not found" in reason
    assert "\n" not in reason
    assert [path.name for path in (tmp_path / "needs").iterdir()] == ["environment.json"]


@pytest.fixture
def message(tmp_path, monkeypatch):
    """Return a function that makes an environment by a script in place of uv, and returns what is said."""

    def make(script):
        (tmp_path / "needs.txt").touch()
        monkeypatch.setenv("UV", program(tmp_path / "uv", script))
        monkeypatch.setattr(environments, "SECONDS", 2.0)
        return environments.make(tmp_path / "needs.txt", tmp_path / "needs").replace(f"{tmp_path}/", "")

    return make


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("printf 'warning: w\nerror: No answer\n\nhint: go online\n' >&2; exit 2", "needs.txt: No answer go online"),
        ("exit 3", "needs.txt: uv failed with exit code 3"),
        ("sleep 600", "uv was stopped after 2 s of wall time"),
    ],
)
def test_what_uv_says_becomes_one_line(message, script, expected):
    assert message(script) == expected


def test_a_full_disk_is_no_fault_of_the_program(message):
    with pytest.raises(OSError, match="No space left") as raised:
        message("echo 'error: failed to write: No space left on device (os error 28)' >&2; exit 2")
    assert line_of(raised.value).endswith("No space left on device; make room and run the same command again")


def test_an_environment_that_is_not_whole_is_named(tmp_path):
    folder = tmp_path / "needs"
    folder.mkdir()
    with pytest.raises(InputError, match="needs: no complete environment; try again with --forcerun"):
        environments.python_of(folder)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(tmp_path / "removed")
    (folder / "environment.json").write_text('{"status": "ok", "message": ""}')
    with pytest.raises(InputError, match=r"needs: its Python .*/removed is not there; try again"):
        environments.python_of(folder)


@pytest.fixture
def messages(todo, tmp_path):
    """Return a function that runs the batch with a text in place of Python, and returns what its runs say."""

    def ran(text):
        (tmp_path / "needs" / "bin").mkdir(parents=True)
        program(tmp_path / "needs" / "bin" / "python", text)
        (tmp_path / "needs" / "environment.json").write_text('{"status": "ok", "message": ""}')
        runs = SCRIPT.run_apart(todo, str(tmp_path / "needs"), str(tmp_path)).runs
        assert [run["status"] for run in runs] == ["error"] * 2
        (message,) = {run["message"] for run in runs}
        return message.removeprefix(f"the process in {tmp_path / 'needs'} ")

    return ran


TRACEBACK = "Traceback (most recent call last):\n  File x.py, line 1\nModuleNotFoundError: No module named y\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'printf "{TRACEBACK}\n" >&2; exit 1', "failed with exit code 1: ModuleNotFoundError: No module named y"),
        ('printf "\nno library\nhint: z\n" >&2; exit 2', "failed with exit code 2: no library"),
        ("exit 3", "failed with exit code 3: it left no results"),
    ],
)
def test_a_process_that_fails_says_why_in_one_line(messages, text, message):
    assert messages(text) == message


def test_a_process_that_does_not_end_is_stopped_with_all_it_started(messages, tmp_path, monkeypatch):
    monkeypatch.setattr(SCRIPT, "_seconds", lambda todo: 2.0)  # in which a busy machine starts a shell
    monkeypatch.setattr(environments, "STOP_SECONDS", 0.1)
    end = "stopped after 2 s of wall time, the limits of all its runs and 600 s for its start"
    assert messages(f"cd {tmp_path / 'needs'}; trap '' TERM; sleep 600 & wait; sleep 600") == f"was {end}"
    until(lambda: not processes(tmp_path / "needs"), "it is left over")


CONSTANT = """
import numpy as np
from cutpoint.learners.learned import Learned

def learn(codes, cardinalities):
    return Learned(dag=np.zeros((2, 2), bool), score=float(cardinalities[0]))
"""


def test_a_batch_goes_to_its_environment_whole_and_keeps_what_it_had(todo, tmp_path):
    row = {"discretizer": "d", "cell": "c", "status": "ok", "message": "", "variable": "x", "position": 0}
    row |= {"threshold": 0.5, "discretize_seconds": 0.1, "wall_seconds": 0.1, "peak_mb": 1.0}
    path, needs = str(tmp_path / "d.parquet"), tmp_path / "needs"
    parquet.write_records(path, [row | {"replicate": r} for r in range(2)], schemas.DISCRETIZED)
    (tmp_path / "mine.py").write_text(CONSTANT)
    (needs / "bin").mkdir(parents=True)
    program(needs / "bin" / "python", f'exec {sys.executable} "$@"')
    (needs / "environment.json").write_text('{"status": "ok", "message": ""}')
    methods = {name: (str(tmp_path / "mine.py"), {}) for name in ("mine", "other")}
    about = {"methods": methods, "discretizers": dict.fromkeys(methods, "d"), "discretized": [path], "mb": 4000.0}
    whole = replace(todo, **about, codes={"mine": "1", "other": "2"}, wanted=[["c", 0, 0, ["mine"]]])

    def ran(**change):
        return SCRIPT.run_apart(replace(whole, **change), str(needs), str(tmp_path))

    first = ran()
    (run,) = first.runs
    assert (run["method"], run["replicate"], run["status"], run["score"]) == ("mine", 0, "ok", 2)
    assert [row["threshold"] for row in first.thresholds] == [0.5]
    more = ran(wanted=[["c", 0, 1, ["mine", "other"]]], earlier=first)
    assert [(run["method"], run["replicate"]) for run in more.runs] == [(m, r) for r in (0, 1) for m in methods]
    assert (more.runs[0], more.keys[0]) == (run, first.keys[0])  # kept: it has the times of the first run
    assert len({*more.keys}) == 2  # the data sets are alike
    program(needs / "bin" / "python", "exit 3")
    lost = ran(wanted=None, earlier=more, codes={"mine": "1", "other": "3"})
    assert [run["status"] for run in lost.runs] == ["ok", "error"] * 2
    assert all(run["message"].endswith("exit code 3: it left no results") for run in lost.runs[1::2])
