"""Fingerprints: what a job computes changes them, what it says does not."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.fingerprint import Code, closure, fingerprint
from cutpoint.method.rows import parse, read_rows

ROOT = Path(__file__).parents[2]
A = '''"""What it is for."""

from typing import TYPE_CHECKING

from toy import b

if TYPE_CHECKING:
    from toy.d import Kind

SIZE = 3


class Box:
    """A box."""


def f(x: int) -> int:
    """Return something."""
    from toy.c import deep

    return b.helper(x) + deep()  # why
'''
FILES = {
    "__init__": "HOMES = {'toy.b': ('helper',), 'toy.d': ('Kind',)}\n",
    "a": A,
    "b": "def helper(x):\n    return x\n\n\ndef unused():\n    return 1\n",
    "c": "import toy.e as other\n\n\ndef deep():\n    return other.LIMIT\n",
    "d": "class Kind:\n    size = 2\n",
    "e": "LIMIT = 5\n",
}


@pytest.fixture
def toy(tmp_path):
    package = tmp_path / "src" / "toy"
    package.mkdir(parents=True)
    for name, text in FILES.items():
        (package / f"{name}.py").write_text(text)
    return package


COUNTS = [
    ("a", "SIZE = 3", "SIZE = 4"),
    ("a", "+ deep()", "- deep()"),
    ("b", "return x", "return -x"),
    ("b", "return 1", "return 2"),  # what nobody calls may be called by what nobody sees
    ("c", "other.LIMIT", "other.LIMIT + 1"),  # imported late
    ("e", "LIMIT = 5", "LIMIT = 6"),
]
DOES_NOT = [
    ("a", "What it is for.", "Something else."),
    ("a", "Return something.", "Return anything."),
    ("a", "A box.", "The box."),
    ("a", "  # why", ""),
    ("a", "SIZE = 3", "SIZE = (\n    3\n)"),
    ("d", "size = 2", "size = 3"),  # imported for types alone
]


@pytest.mark.parametrize(
    ("module", "old", "new", "reruns"), [(*e, True) for e in COUNTS] + [(*e, False) for e in DOES_NOT]
)
def test_an_edit_counts_in_any_module_that_is_imported(toy, module, old, new, reruns):
    before = Code(toy).fingerprint("toy.a:f")
    path = toy / f"{module}.py"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert (Code(toy).fingerprint("toy.a:f") != before) is reruns


def test_a_file_is_parsed_once_unless_what_was_kept_is_damaged_or_cannot_be_written(toy, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    before = Code(toy).fingerprint("toy.a:f")
    kept = list((tmp_path / "home" / "cutpoint" / "code").iterdir())
    assert len(kept) == len(Code(toy).closure(["toy.a:f"]))
    with monkeypatch.context() as patched:
        patched.setattr("ast.parse", None)
        assert Code(toy).fingerprint("toy.a:f") == before
    for path, damage in zip(kept, ("", "[", '["ab"]', '["xy", []]'), strict=True):
        path.write_text(damage)
    assert Code(toy).fingerprint("toy.a:f") == before
    assert all(len(json.loads(path.read_bytes())) == 2 for path in kept)
    monkeypatch.setenv("XDG_CACHE_HOME", str(toy / "a.py"))  # no folder
    assert Code(toy).fingerprint("toy.a:f") == before


def test_the_table_beside_a_module_counts(toy):
    prints = [Code(toy).fingerprint("toy.a:f")]
    for text in ("x\n1\n", "x\n2\n"):
        (toy / "b.csv").write_text(text)
        prints.append(Code(toy).fingerprint("toy.a:f"))
    assert len(set(prints)) == 3


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("from toy import Kind", {"d"}),
        ("import toy as t", {"b", "d"}),
        ("from toy.b import helper", {"b"}),
        ("try:\n    from toy import e\nexcept ImportError:\n    e = None", {"e"}),
    ],
)
def test_imports_lead_to_the_modules_of_their_names(toy, text, modules):
    (toy / "x.py").write_text(f"{text}\n")
    assert {path.stem for path in Code(toy).closure(["toy.x"])} == {"x", *modules}


def test_an_unknown_module_is_named():
    with pytest.raises(InputError, match=r"cutpoint\.nothing:f: no such module"):
        fingerprint("cutpoint.nothing:f")


def test_a_users_file_counts_as_it_stands_with_what_it_imports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside.py").write_text("x = 1\n")
    mine = tmp_path / "mine.py"
    mine.write_text("import beside\nfrom cutpoint.learners.scores import bdeu\nfrom cutpoint import shd\n")
    modules = {path.stem for path in closure(["mine.py:f"])}
    assert {"mine", "beside", "scores", "metrics", "counting"} <= modules
    assert not {"registry", "greedy"} & modules
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
    assert {"mine", "scores"} <= {path.stem for path in closure(["mine:f"])}


METHODS = {
    name: [function.path for key, function in parse(row).functions.items() if key != "discretizer"]
    for name, row in read_rows(ROOT / "config" / "methods.yaml")[0].items()
    if row["category"] != "external" and "group" not in row
}
EDITS = {  # a module of the package, scripts whose jobs change, and methods
    "method/registry.py": ({"report"}, lambda paths: False),
    "method/rows.py": (set(), lambda paths: False),
    "bench/workflow/config.py": (set(), lambda paths: False),
    "discretization/rules.py": (set(), lambda paths: any("discretization.rules:" in path for path in paths)),
    "learners/order.py": (set(), lambda paths: any("learners.order:" in path for path in paths)),
    "bench/simulation/noise.py": ({"noise"}, lambda paths: False),
    "bench/evaluation/held_out.py": ({"held_out"}, lambda paths: False),
    "bench/report/page.py": ({"report"}, lambda paths: False),
    "method/method.py": ({"learn", "discretize"}, lambda paths: True),
}
SCRIPTS = ("sample", "noise", "resample", "discretize", "learn", "evaluate", "held_out", "collect", "show", "report")


def test_an_edit_reruns_the_jobs_that_import_its_module(tmp_path):
    for folder in ("src", "scripts", "workflow/studies"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    code = Code(tmp_path / "src" / "cutpoint")
    jobs = {name: code.closure([tmp_path / "scripts" / f"{name}.py"]) for name in SCRIPTS}
    methods = {name: code.closure([tmp_path / "scripts" / "learn.py", *paths]) for name, paths in METHODS.items()}
    for module, (scripts, concerned) in EDITS.items():
        file = tmp_path / "src" / "cutpoint" / module
        assert scripts <= {name for name, files in jobs.items() if file in files}, module
        assert scripts or not any(file in files for files in jobs.values()), module
        for name, files in methods.items():
            assert file in files or not concerned(METHODS[name]), (module, name)
        assert file not in methods["eqwidth3"] or concerned(METHODS["eqwidth3"]), module


def test_every_job_of_the_package_knows_the_code_of_its_study():
    for name in ("steck2007", "calibration"):
        folder = ROOT / "workflow" / "studies" / name
        assert {folder / "experiments.py"} <= closure([f"cutpoint.bench.studies.{name}.experiments:EXPERIMENTS"])


def test_whatever_a_job_executes_is_in_its_fingerprint(tmp_path):
    """Scripts run under a profiler, kernels as plain Python; no file that they run may be missing."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "tests" / "executed.py"), str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = read_yaml(ROOT / "config" / "methods.yaml")
    for job, executed in json.loads(done.stdout).items():
        script, _, name = job.partition(" ")
        parts = parse(rows[name]).functions if name in rows else {}
        functions = [one.path for key, one in parts.items() if (key == "discretizer") == (script == "discretize")]
        covered = {str(path) for path in closure([ROOT / "scripts" / f"{script}.py", *functions])}
        assert len(executed) > 10
        assert {file for file, _ in executed} <= covered, job
