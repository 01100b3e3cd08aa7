"""Fingerprints: what a job computes, and nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.source import Source, is_main
from cutpoint.bench.workflow.fingerprint import Code, closure, fingerprint
from cutpoint.method import registry
from cutpoint.method.parsing import parse

ROOT = Path(__file__).parents[2]
A = '''"""What it is for."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from toy import b
from toy.b import LIMIT as TOP
from toy.b import helper

if TYPE_CHECKING:
    from toy.c import Kind

log = logging.getLogger("toy")
SIZE = 3
RULES = {"one": helper, "far": "toy.b:far"}


@dataclass(frozen=True)
class Box:
    """A box."""

    width: int = SIZE

    def area(self) -> float:
        return b.square(self.width)


def plain(function):
    return function


@plain
def f(x: int, *, n: int = SIZE) -> float:
    """Return something."""
    if x < 0:
        raise ValueError(f"{b.worded(x)} is negative")
    log.info("at %s", x)
    square = [each for each in range(n)]
    return partial(RULES["one"], Box())(x) + len(square) + np.sqrt(TOP)  # why


def unused():
    return far()


def far():
    return 1


def late():
    from toy.c import deep

    return deep()


def passed():
    return getattr(b, "any")


def dynamic():
    return HANDLERS["x"]


HANDLERS = {}
HANDLERS["x"] = far
'''
B = '''"""Helpers."""

LIMIT = 5


def helper(box, x):
    return box.area() + _inner(x)


def _inner(x):
    return x


def square(x):
    return x * x


def worded(x):
    return str(x)


def far():
    return 2
'''
C = """class Kind:
    size = 2


class Deeper(Kind):
    def __call__(self):
        return self.size


deep = Deeper()
"""


@pytest.fixture
def toy(tmp_path):
    package = tmp_path / "src" / "toy"
    package.mkdir(parents=True)
    for name, text in {"__init__": "", "a": A, "b": B, "c": C}.items():
        (package / f"{name}.py").write_text(text)
    return package


COMPUTES = [
    ("a", "SIZE = 3", "SIZE = 4"),
    ("a", "x < 0", "x <= 0"),
    ("a", "raise ValueError", "raise TypeError"),
    ("a", "return function", "return partial(function)"),
    ("a", "return b.square(self.width)", "return self.width"),
    ("a", "import helper", "import square as helper"),
    ("a", "import numpy as np", "import math as np"),
    ("a", '"one": helper', '"two": b.far, "one": helper'),
    ("b", "LIMIT = 5", "LIMIT = 6"),
    ("b", "return x\n", "return -x\n"),
    ("b", "x * x", "x**2"),
]
DOES_NOT = [
    ("a", "What it is for.", "Something else."),
    ("a", "Return something.", "Return anything."),
    ("a", "A box.", "The box."),
    ("a", "  # why", ""),
    ("a", "x: int, *", "x: float, *"),
    ("a", "width: int", "width: float"),
    ("a", "-> float:\n    ", "-> int:\n    "),
    ("a", "is negative", "is below 0"),
    ("a", "at %s", "now at %s"),
    ("a", "def unused():", "def added():\n    return 3\n\n\ndef unused():"),
    ("a", '"far": "toy.b:far"', '"far": "toy.b:far", "new": "toy.c:deep"'),
    ("a", "if x < 0:", "if (\n        x < 0\n    ):"),
    ("b", "return str(x)", "return repr(x)"),
    ("b", "return 2", "return 3"),
    ("c", "size = 2", "size = 3"),
]


@pytest.mark.parametrize(
    ("module", "old", "new", "reruns"),
    [(*edit, True) for edit in COMPUTES] + [(*edit, False) for edit in DOES_NOT],
)
def test_an_edit_counts_where_it_changes_what_is_computed(toy, module, old, new, reruns):
    before = Code(toy).fingerprint("toy.a:f")
    path = toy / f"{module}.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert (Code(toy).fingerprint("toy.a:f") != before) is reruns


@pytest.mark.parametrize(
    ("function", "needs", "spares"),
    [
        ("a:late", {"deep", "Deeper", "Kind"}, {"helper"}),
        ("a:passed", {""}, {"deep"}),  # the whole module, when it is handed on
        ("a:dynamic", {"HANDLERS", "far"}, {"unused"}),
        ("b:helper", {"_inner"}, {"square"}),
        ("b", {""}, set()),
    ],
)
def test_what_a_function_uses_is_followed(toy, function, needs, spares):
    names = {definition.name for definition in Code(toy).closure([f"toy.{function}"])}
    assert needs <= names
    assert not spares & names


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("X = 1\nX += helper", {"helper"}),
        ("X = []\nX.append(helper)", {"helper"}),
        ("from toy import b\nX = b", {""}),
        ("import toy.b\nX = toy.b.helper", {"helper"}),
        (
            "X = {}\n\n\ndef add(n):\n    return X.get\n\n\n@add('a')\ndef g():\n    return helper",
            {"*", "add", "helper"},
        ),
        ("X = set()\n\n\n@X.add\ndef g():\n    return helper", {"helper"}),
        ("try:\n    X = helper\nexcept ImportError:\n    X = None", {"helper"}),
        ("X = 1\nprint(helper)", {"*", "helper"}),  # what happens on import belongs to all
        ("class X:\n    helper = 1\n\n    def g(self):\n        return helper", {"helper"}),
        ("def X():\n    global helper\n    helper = 1", {"helper"}),
        ("def X(helper):\n    return helper", set()),
        ("def X(y):\n    match y:\n        case [helper]:\n            return helper", set()),
        ("def X(y):\n    return lambda helper: helper + y", set()),
        ("def X(y):\n    return [helper for helper in helper]", {"helper"}),
        ("class X(helper):\n    pass", {"helper"}),
        ("def X(y=helper):\n    return y", {"helper"}),
        ("class X:\n    kind: helper", {"helper"}),  # pydantic reads it
    ],
)
def test_names_are_those_that_python_would_look_up(toy, text, needs):
    (toy / "d.py").write_text(f"from toy.b import helper\n\n{text}\n")
    names = {definition.name for definition in Code(toy).closure(["toy.d:X"])} - {"X", "_inner"}
    if needs == {""}:
        assert "" in names
    else:
        assert names == needs


def test_a_front_door_leads_to_the_rooms(toy):
    (toy / "__init__.py").write_text(
        "HOMES = {'toy.b': ('helper',), 'toy.c': ('deep',)}\n\n\ndef __getattr__(name):\n    return HOMES[name]\n"
    )
    (toy / "d.py").write_text("import toy as t\n\n\ndef g():\n    return t.helper\n")
    names = {definition.name for definition in Code(toy).closure(["toy.d:g"])}
    assert {"helper", "__getattr__"} <= names
    assert not {"", "deep"} & names


def test_an_unknown_module_is_named():
    with pytest.raises(InputError, match=r"cutpoint\.nothing:f: no such module"):
        fingerprint("cutpoint.nothing:f")


def test_every_registered_function_is_followed():
    tables = (registry.DISCRETIZERS, registry.SCORES, registry.LEARNERS, registry.INTEGRATED)
    for path in (path for table in tables for path in table.values()):
        assert path.split(":")[1] in {definition.name for definition in closure([path])}


def test_a_users_file_counts_as_it_stands_with_what_it_imports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside.py").write_text("x = 1\n")
    mine = tmp_path / "mine.py"
    mine.write_text("import beside\nfrom cutpoint.learners.scores import bdeu\nimport cutpoint as cp\nf = cp.shd\n")
    found = closure(["mine.py:f"])
    assert {"bdeu", "shd"} <= {definition.name for definition in found}
    assert "bic" not in {definition.name for definition in found}
    prints = [fingerprint("mine.py:f")]
    for path in (mine, tmp_path / "beside.py"):
        path.write_text(path.read_text() + "# a remark\n")
        prints.append(fingerprint("mine.py:f"))
    mine.write_text("print 'of another Python'\n")
    prints.append(fingerprint("mine.py:f"))
    assert len(set(prints)) == 4


def test_a_users_module_is_found(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("import cutpoint.learners.scores as s\nf = s.bdeu\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert {"", "bdeu"} <= {definition.name for definition in closure(["mine:f"])}


def test_no_module_does_anything_when_it_is_imported():
    """What a module does on import would reach jobs that use none of its names."""
    for path in sorted((ROOT / "src" / "cutpoint").rglob("*.py")):
        effects = [node for node in Source(path).effects if not is_main(node)]
        assert not effects or path.name == "__main__.py", path


SPOKEN = {"cpu_seconds"}  # what a line of a log says


@pytest.mark.slow
def test_whatever_a_job_executes_is_in_its_fingerprint(tmp_path):
    """Scripts run under a profiler, kernels as plain Python; nothing that they call may be missing."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "tests" / "executed.py"), str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = read_yaml(ROOT / "config" / "methods.yaml")
    for job, executed in json.loads(done.stdout).items():
        script, _, name = job.partition(" ")
        parts = parse(rows[name]).functions if name in rows else {}
        functions = [one.path for key, one in parts.items() if (key == "discretizer") == (script == "discretize")]
        covered = closure([ROOT / "scripts" / f"{script}.py", *functions])
        whole = {file for file, name in covered if not name}
        assert len(executed) > 10
        for file, name in executed:
            assert file in whole or (file, name) in covered or name in SPOKEN, f"{job}: {file}: {name}"
