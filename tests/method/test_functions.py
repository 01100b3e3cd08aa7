"""A user's own functions: where they are found, what they may return and do, and how wrong ones are named."""

import json
import shutil
import sys

import numpy as np
import pyarrow as pa
import pytest
import yaml

import cutpoint as cp
from cutpoint import api
from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.runs import supervise
from cutpoint.bench.workflow.fingerprint import closure
from cutpoint.method import checks
from cutpoint.method.functions import protected, resolve
from cutpoint.method.rows import PARTS, check_row, load_methods, parse

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
    missing = r"broken: no/file.py:f: cannot be imported \(no such file, neither {}/no/file.py nor {}/no/file.py"
    with pytest.raises(InputError, match=missing.format(*places)):
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


LEARNER = """
import numpy as np
from cutpoint.discretization.rules import steck
from cutpoint import Learned, Search
from cutpoint.learners.greedy import hill_climbing

def good(values, discrete): return [[np.median(column)] for column in values.T]
def nothing(values, discrete): [np.array([0.5]) for _ in discrete]
def few(values, discrete): return [np.array([0.5])]
def text(values, discrete): return [["a"] for _ in discrete]
def falls(values, discrete): return [np.array([0.5, 0.25]) for _ in discrete]
def equal(values, discrete): return [np.arange(30) // 2 * 1.0 for _ in discrete]

def scales(values, discrete):
    values /= values.max(axis=0)
    return good(values, discrete)

def no_result(values, discrete): pass
def small(values, discrete): return Learned(dag=np.zeros((1, 1), bool))
def circle(values, discrete): return Learned(dag=np.roll(np.eye(3, dtype=bool), 1, axis=1))
def both_ways(values, discrete): return Learned(dag=~np.eye(3, dtype=bool))
def tree(values, discrete): return Learned(dag=np.zeros((3, 3), bool), kind="tree")
def whole(values, discrete): return Learned(dag=[[0, 1, 0], [0, 0, 1], [0, 0, 0]])
def writes(values, discrete): values[0] = 1.0

def no_search(score): hill_climbing(score)
def cyclic(score): return Search(np.roll(np.eye(3, dtype=bool), 1, axis=1), 0.0, 0, 0, 0)
def no_number(score): return Search(np.zeros((3, 3), dtype=bool), np.nan, 0, 0, 0)

def falling(values, discrete, *, initial, search):
    learned = steck(values, discrete, initial=initial, search=search)
    learned.thresholds[0] = np.array([1.0, 0.0])
    return learned
def like_steck(values, discrete, *, initial, search): return steck(values, discrete, initial=initial, search=search)
"""
SEARCH = {"learner": "hill_climbing", "score": "bic"}
DISCRETIZED = {"category": "prediscretization", "discretizer": "equal_width", **SEARCH}
DIRECT = {"category": "direct"}
POLICY = {"category": "integrated", "learner": "hill_climbing", "score": "bdeu"}
THRESHOLDS = [
    ("nothing", "own.py:nothing returned None, not a list of thresholds"),
    ("few", "own.py:few returned 1 threshold lists for 3 variables"),
    ("text", "own.py:text: column b: list is not a list of numbers"),
    ("falls", "own.py:falls: column b: [0.5, 0.25] are not finite, increasing numbers"),
    ("equal", "own.py:equal: column b: [0, 0, 1, 1, 2, 2, ...] are not finite, increasing numbers"),
]
SAID = "a DAG is expected, and the graph has"
RESULTS = [
    (DIRECT | {"learner": "no_result"}, "own.py:no_result returned None, not cutpoint.Learned"),
    (DIRECT | {"learner": "small"}, "own.py:small returned a graph of shape (1, 1) for 3 variables"),
    (DIRECT | {"learner": "circle"}, f"own.py:circle: {SAID} a cycle: b -> Alter -> c -> b"),
    (DIRECT | {"learner": "both_ways"}, f"own.py:both_ways: {SAID} an undirected edge: b -- Alter"),
    (DIRECT | {"learner": "tree"}, "own.py:tree: the kind is dag or pdag, not 'tree'"),
    (DISCRETIZED | {"learner": "no_number"}, "own.py:no_number: the score of its graph is no number"),
    (DISCRETIZED | {"learner": "no_search"}, "own.py:no_search returned None, not cutpoint.Search"),
    (DISCRETIZED | {"learner": "cyclic"}, f"own.py:cyclic: {SAID} a cycle: x0 -> x1"),
    (POLICY | {"policy": "falling"}, "own.py:falling: column b: [1, 0] are not finite, increasing numbers"),
]  # fmt: skip


@pytest.fixture
def frame(tmp_path, monkeypatch):
    (tmp_path / "own.py").write_text(LEARNER)
    monkeypatch.chdir(tmp_path)
    values = np.random.default_rng(4).standard_normal((60, 3)).cumsum(axis=1)
    return pa.table(dict(zip(["c", "Alter", "b"], values.T, strict=True)))


def own(row):
    """Return a row whose functions of LEARNER stand in own.py."""
    return {k: f"own.py:{v}" if k in PARTS and f"def {v}(" in LEARNER else v for k, v in row.items()}


def rows_of(monkeypatch, **rows):
    monkeypatch.setattr(api, "method_of", lambda method, options: parse(rows[method] | options))


@pytest.mark.parametrize(("name", "text"), THRESHOLDS)
def test_wrong_thresholds_are_named_by_function_column_and_value(frame, monkeypatch, name, text):
    rows_of(monkeypatch, mine=own(DISCRETIZED | {"discretizer": name}))
    for call in (lambda: cp.discretize(frame, f"own.py:{name}"), lambda: cp.learn(frame, "mine")):
        with pytest.raises(cp.InputError) as raised:
            call()
        assert str(raised.value) == text
    with pytest.raises(cp.InputError) as raised:
        parse(own(DISCRETIZED | {"discretizer": name})).warm()
    assert str(raised.value) == text.replace("column b", "column x0").replace("3 var", "5 var")


@pytest.mark.parametrize(("row", "text"), RESULTS)
def test_wrong_results_are_named(frame, monkeypatch, row, text):
    rows_of(monkeypatch, mine=own(row))
    with pytest.raises(cp.InputError) as raised:
        cp.learn(frame, "mine")
    assert str(raised.value).startswith(text)
    assert "\n" not in str(raised.value)


def test_lists_arrays_and_whole_numbers_do(frame, monkeypatch):
    rows_of(monkeypatch, mine=own(DIRECT | {"learner": "whole"}))
    learned = cp.learn(frame, "mine")
    assert learned.dag.dtype == learned.cpdag.dtype == bool
    assert learned.edges() == [("c", "Alter", False), ("Alter", "b", False)]
    thresholds = cp.discretize(frame, "own.py:good")
    assert [cuts.tolist() for cuts in thresholds] == [[np.median(frame[name])] for name in frame.column_names]
    same = checks.thresholds(np.array([[1.0, 2.0], [3.0, 4.0]]), ["a", "b"], "f")
    assert [cuts.tolist() for cuts in same] == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (DISCRETIZED | {"discretizer": "scales"}, "scales"),
        (DIRECT | {"learner": "writes"}, "writes"),
        (DIRECT | {"learner": "hill_climbing", "score": "writes"}, "writes"),
    ],
)
def test_a_function_that_writes_to_its_data_fails_with_its_line(frame, monkeypatch, row, name):
    values = np.asfortranarray(np.column_stack([frame[c] for c in frame.column_names]))
    before = values.copy()
    line = next(n for n, text in enumerate(LEARNER.splitlines(), 1) if text.startswith(f"def {name}("))
    line += not LEARNER.splitlines()[line - 1].endswith("1.0")
    run = supervise.call(parse(own(row)).learn, values, np.zeros(3, bool), seconds=60, mb=1000)
    assert run.status == "error"
    assert "read-only" in run.message
    assert run.message.endswith(f"(own.py, line {line})")
    rows_of(monkeypatch, mine=own(row))
    with pytest.raises(ValueError, match="read-only"):
        cp.learn(values, "mine")
    assert np.array_equal(values, before)
    assert values.flags.writeable


def test_shipped_functions_get_the_arrays_themselves_and_take_read_only_ones_too(frame, monkeypatch):
    values, discrete = np.ones((2, 2)), np.zeros(2, bool)
    assert protected("cutpoint.discretization.binning:equal_width", values, discrete) == (values, discrete)
    rows_of(monkeypatch, mine=own(POLICY | {"policy": "like_steck"}), steck=POLICY | {"policy": "steck"})
    mine, shipped = cp.learn(frame, "mine"), cp.learn(frame, "steck")
    assert np.array_equal(mine.dag, shipped.dag)
    for one, other in zip(mine.thresholds, shipped.thresholds, strict=True):
        assert np.array_equal(one, other)
