"""The Snakefile is parsed without the science: its modules, the check of all rows and studies, and fingerprints."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ("numba", "scipy", "matplotlib", "cutpoint.kernels")
PARSED = """
import importlib, json, pkgutil, sys
from pathlib import Path

import cutpoint.bench.workflow
from cutpoint.base.checking import read_yaml
from cutpoint.data.registry import load_registry
from cutpoint.method.parsing import parse
from cutpoint.method.rows import load_methods

for module in pkgutil.iter_modules(cutpoint.bench.workflow.__path__):
    importlib.import_module(f"cutpoint.bench.workflow.{module.name}")
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.workflow.config import check_experiments, experiments_of, load_study
from cutpoint.bench.workflow.fingerprint import fingerprint

root = Path(sys.argv[1])
rows = load_methods(root / "config" / "methods.yaml")
load_registry(root / "config" / "datasets.yaml")
entries = read_yaml(root / "config" / "datasets.yaml")
for path in map(study_file, study_names()):
    study = load_study(path, rows, entries)
    if study.experiments:
        name = path.parent.name if path.stem == "study" else path.stem
        check_experiments(study, experiments_of(name), rows, entries, path.name)
for row in {row["category"]: row for row in rows.values()}.values():
    fingerprint(root / "scripts" / "learn.py", *parse(row).paths)
print(json.dumps(sorted(sys.modules)))
"""


def test_the_snakefile_is_parsed_without_the_science():
    command = [sys.executable, "-c", PARSED, str(ROOT)]
    modules = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert "cutpoint.bench.workflow.config" in modules
    assert not [name for name in modules if name in HEAVY]
