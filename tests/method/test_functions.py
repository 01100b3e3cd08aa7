"""A user's own functions: where they are found, how wrong ones are named, which line of them failed."""

import json
import shutil
import sys

import pytest
import yaml

import cutpoint as cp
from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.runs import supervise
from cutpoint.bench.workflow.fingerprint import closure
from cutpoint.method.functions import resolve
from cutpoint.method.parsing import check_row, parse
from cutpoint.method.rows import load_methods

ROW = {"label": "Mine", "category": "prediscretization", "learner": "hill_climbing", "score": "bdeu"}
FILE = """
LIST = [1]


def inner(values):
    raise ValueError("no\\nidea")


def cut(values, discrete, *, share: float = 0.5):
    return inner(values)


def wrong(values, discrete, *, share: "Flaot" = 0.5):
    return cut(values, discrete)


def data_learner(values, discrete):
    return "a graph"


def policy(values, discrete, *, initial, search):
    return None
"""


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A working directory and the root of a clone, with a method in the clone."""
    here, clone = tmp_path / "here", tmp_path / "clone"
    for folder in (here, clone / "my", clone / "config"):
        folder.mkdir(parents=True)
    (clone / "my" / "method.py").write_text(FILE)
    monkeypatch.chdir(here)
    monkeypatch.setattr(user_code, "ROOT", clone)
    return here, clone


def test_a_file_is_looked_up_here_and_then_in_the_clone(places):
    here, clone = places
    assert user_code.find("my/method.py") == clone / "my" / "method.py"
    assert resolve("my/method.py:cut").__name__ == "cut"
    assert clone / "my" / "method.py" in closure(["my/method.py:cut"])
    shutil.copytree(clone / "my", here / "my")
    assert user_code.find("my/method.py") == here / "my" / "method.py"


def test_a_file_that_is_nowhere_is_named_with_both_places(places):
    here, clone = places
    with pytest.raises(InputError) as raised:
        resolve("my/methd.py:cut")
    assert str(raised.value).startswith("my/methd.py:cut: cannot be imported (no such file, neither ")
    assert f"{here}/my/methd.py nor {clone}/my/methd.py" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("my/method.py:LIST", "my/method.py:LIST: cannot be imported (LIST is not a function)"),
        ("my/method.py:cutt", "has no attribute 'cutt'"),
        ("my/method.py:wrong", "wrong: its options cannot be read (NameError: name 'Flaot'"),
    ],
)
def test_something_that_is_no_function_is_named(places, name, text):
    with pytest.raises(InputError) as raised:
        check_row(ROW | {"discretizer": name, "share": 0.5}, "mine")
    assert text in str(raised.value)
    assert "\n" not in str(raised.value)


def test_only_the_row_that_is_used_is_checked(places):
    mine = {"sound": ROW | {"discretizer": "equal_width"}, "broken": ROW | {"discretizer": "no/file.py:f"}}
    (places[1] / "config" / "methods.yaml").write_text(yaml.safe_dump(mine))
    assert set(cp.methods()) == {"sound", "broken"}
    values = [[0.1, 2.0], [0.7, 1.0], [0.9, 3.0], [0.3, 0.5]]
    assert cp.learn(values, "sound").dag.shape == (2, 2)
    with pytest.raises(InputError, match=r"broken: no/file.py:f: cannot be imported \(no such file"):
        cp.learn(values, "broken")
    with pytest.raises(InputError, match=r"methods.yaml: broken: no/file.py:f"):
        load_methods(places[1] / "config" / "methods.yaml")


@pytest.mark.parametrize(("name", "place"), [("my/method.py:cut", "my/method.py"), ("method:cut", "method")])
def test_an_error_names_the_last_line_of_the_own_file_or_module(places, monkeypatch, name, place):
    monkeypatch.syspath_prepend(places[1] / "my")
    run = supervise.call(parse(ROW | {"discretizer": name}).warm, seconds=60, mb=1000)
    assert (run.status, run.message) == ("error", f"ValueError: no idea ({place}, line 6)")


def test_an_error_of_the_package_that_an_own_function_caused_names_the_line(places):
    (places[0] / "bins.py").write_text(
        "import cutpoint as cp\n\n\ndef cut(values, discrete):\n    return cp.discretize(values, 'equal_widht')\n"
    )
    run = supervise.call(parse(ROW | {"discretizer": "bins.py:cut"}).warm, seconds=60, mb=1000)
    assert run.message.startswith("unknown discretizer 'equal_widht'; did you mean 'equal_width'?")
    assert run.message.endswith("(bins.py, line 5)")
    assert supervise.one_line(ValueError("x")) == "ValueError: x"


LIKE_OTHER_FILES = """
from __future__ import annotations
import multiprocessing
from dataclasses import dataclass
import helper

@dataclass
class Setting:
    share: float = helper.SHARE

def half(x):
    return x * Setting().share

def halves(values):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.map(half, values)
"""


def test_a_file_is_imported_as_other_files_are(places):
    for share, folder in enumerate(places, 1):
        (folder / "json.py").write_text(LIKE_OTHER_FILES)
        (folder / "helper.py").write_text(f"SHARE = {share}")
    before = [*sys.path]
    for share, folder in [*enumerate(places, 1)] * 2:  # of two files of one name, each has its own
        assert resolve(f"{folder}/json.py:halves")([1, 2]) == [share, 2 * share]
        assert share == sys.modules["helper"].SHARE
    assert (sys.path, sys.modules["json"]) == (before, json)
