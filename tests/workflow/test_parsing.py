"""The Snakefile is parsed without the science: its modules, the check of all rows and studies, and fingerprints."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("numba", "matplotlib", "pandas", "scipy.stats", "scipy.signal")
PARSED = """
import importlib, json, pkgutil, sys
from pathlib import Path

import cutpoint.bench.workflow
from cutpoint.bench.workflow.config import load

for module in pkgutil.iter_modules(cutpoint.bench.workflow.__path__):
    importlib.import_module(f"cutpoint.bench.workflow.{module.name}")
from cutpoint.base.checking import read_yaml
from cutpoint.bench.engine.declaration import study_names
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.method.parsing import parse
from cutpoint.method.rows import method_rows

root, main = Path(sys.argv[1]), sys.argv[2] == "run"
settings = read_yaml(root / "config" / "config.yaml") | {"studies": [name for name in study_names() if name != "own"]}
load(settings, root, root, main=main)
for row in {row["category"]: row for row in method_rows().values()}.values() if main else ():
    fingerprint(root / "scripts" / "learn.py", *parse(row).paths)
print(json.dumps(sorted(sys.modules)))
"""
FUNCTIONS = """
import json, sys
from cutpoint.method.method import resolve
from cutpoint.method.parsing import parse
from cutpoint.method.rows import method_rows

paths = {path for row in method_rows().values() for path in parse(row).paths}
assert len(paths) > 40
for path in paths:
    resolve(path)
print(json.dumps(sorted(sys.modules)))
"""


def modules(program, folder, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("who", ["run", "job"])
def test_the_snakefile_is_parsed_without_the_science(who, tmp_path):
    imported = modules(PARSED, tmp_path, ROOT, who)
    assert "cutpoint.bench.workflow.config" in imported
    assert not [name for name in imported if name in HEAVY]
    assert who == "run" or "scipy" not in imported


def test_every_function_of_a_method_is_imported_without_numba(tmp_path):
    imported = modules(FUNCTIONS, tmp_path)
    assert {"cutpoint.kernels.counting", "cutpoint.kernels.mixture"} <= {*imported}
    assert "numba" not in imported


def test_no_code_is_made_of_text():
    for path in [path for folder in ("src", "workflow", "scripts") for path in (ROOT / folder).rglob("*.py")]:
        names = {node.id for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Name)}
        assert not names & {"exec", "eval"}, path


@pytest.mark.parametrize("script", ["learn", "discretize", "evaluate", "sample", "noise", "experiment"])
def test_a_job_starts_without_what_takes_long_to_import(script, tmp_path):
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); __import__(sys.argv[2]); print(json.dumps([*sys.modules]))"
    )
    imported = modules(program, tmp_path, ROOT / "scripts", script)
    assert script in imported
    assert not {"pandas", "pydantic", "scipy.special"} & {*imported}
