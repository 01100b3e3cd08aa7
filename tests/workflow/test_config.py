"""Config files and methods of users that are right, and a Snakefile that is parsed without the science."""

import ast
import json
import subprocess
import sys

import pytest
import yaml
from user_tables import table, text
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.engine.declaration import Declaration, study_file, study_names
from cutpoint.bench.workflow import config
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.settings import Settings
from cutpoint.method.rows import load_methods, method_files, read_rows

METHODS = read_yaml(ROOT / "config" / "methods.yaml")
SETTINGS = read_yaml(ROOT / "config" / "config.yaml")
STUDY = {key: part for key, part in read_yaml(study_file("fu2005")).items() if key not in Declaration.model_fields}
DATASETS = read_yaml(ROOT / "config" / "datasets.yaml")


def write(folder, name, content):
    path = folder / name
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def test_the_shipped_files_are_right():
    assert config.check(Settings, SETTINGS, "config").selected == SETTINGS["studies"]
    rows = load_methods(ROOT / "config" / "methods.yaml")
    assert list(rows)[:14] == STUDY["grids"]["simulated"]["methods"]
    studies = {name: study_file(name) for name in study_names()}
    assert sorted(studies) == sorted([*SETTINGS["studies"], "own", "field2026"])  # with data=FILE, study=field2026
    for path in studies.values():
        config.load_study(path, rows, DATASETS)


def test_a_folder_stands_for_the_files_in_it(tmp_path):
    (tmp_path / "many").mkdir()
    for name in ("b.bif", "a.bif", "c.txt"):
        (tmp_path / "many" / name).write_text("")
    grid = STUDY["grids"]["simulated"] | {"networks": ["asia", "many/"]}
    study = write(tmp_path, "mine.yaml", STUDY | {"grids": {"g": grid}, "scales": {"s": {"replicates": 1}}})
    rows = load_methods(ROOT / "config" / "methods.yaml")
    loaded = config.load_study(study, rows, DATASETS, tmp_path)
    assert loaded.grids["g"].networks == ["asia", "many/a.bif", "many/b.bif"]
    with pytest.raises(InputError, match=r"mine.yaml: grids.g.networks: no BIF files in the folder many/"):
        config.load_study(study, rows, DATASETS, tmp_path / "many")


def test_a_crossed_row_stands_for_all_combinations(tmp_path):
    row = {k: v for k, v in METHODS["eqwidth3"].items() if k not in ("score", "bins")}
    row |= {"label": "{score}, {bins}", "cross": {"score": ["bic", "bdeu"], "bins": [2, 3]}}
    rows = load_methods(write(tmp_path, "methods.yaml", {"bach": METHODS["bach"], "all": row}))
    assert list(rows) == ["bach", "all.bic.2", "all.bic.3", "all.bdeu.2", "all.bdeu.3"]
    assert (rows["all.bic.2"]["score"], rows["all.bic.2"]["bins"], rows["all.bic.2"]["label"]) == ("bic", 2, "bic, 2")
    changed = {"grids": {"g": STUDY["grids"]["simulated"] | {"methods": ["all"]}}, "scales": {"s": {"replicates": 1}}}
    study = write(tmp_path, "mine.yaml", STUDY | changed)
    assert config.load_study(study, rows, DATASETS).grids["g"].methods == list(rows)[1:]


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
from cutpoint.method.rows import parse
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
from cutpoint.method.rows import parse
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


OWN_SETTINGS = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "tiny"}
MINE = {"label": "Mine", "learner": "hill_climbing", "score": "kgv"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of a run, with a table of the user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cars.csv").write_text(text(table()))
    return tmp_path


def add(folder, name, **keys):
    (folder / "methods").mkdir(exist_ok=True)
    path = folder / "methods" / f"{name}.yaml"
    path.write_text(yaml.safe_dump({name: MINE | keys}))
    return path


def joined(here, name, **settings):
    """Return the studies that a method runs in."""
    batches = load(OWN_SETTINGS | settings, ROOT, here).batches
    return {study for study, each in batches.items() if any(name in batch.methods for batch in each.values())}


def test_a_file_of_the_user_joins_every_study_but_those_that_say_so_and_own(here):
    add(here, "mine")
    add(here, "elsewhere", studies=["fu2005"])
    add(here, "old", category="direct", studies=[])
    studies = ["fu2005", "mabrouk2015", "field2026"]
    assert joined(here, "mine", studies=studies) == {"fu2005", "mabrouk2015"}
    assert joined(here, "elsewhere", studies=studies) == {"fu2005"}
    assert joined(here, "old", studies=studies) == set()
    assert joined(here, "old", studies=studies, extra_methods=["old"]) == set(studies)
    assert joined(here, "mine", studies=studies, methods=["mine", "bach"]) == set(studies)
    assert joined(here, "bach", studies=studies, methods=["mine", "bach"]) == set(studies)
    assert joined(here, "bach", studies=studies, methods=["mine"]) == set()
    own = {"data": "cars.csv", "drop": "serial", "missing": "drop"}
    assert joined(here, "mine", **own) == set()
    for settings in ({"methods": ["mine"]}, {"methods": ["bach", "mine"]}, {"extra_methods": ["mine"]}):
        assert joined(here, "mine", **own, **settings) == {"own"}
    add(here, "broken", learner="no/file.py:f")  # which own data have no need of
    assert joined(here, "bach", **own, methods=["bach"]) == {"own"}
    with pytest.raises(InputError, match=r"methods/broken.yaml: broken: no/file.py:f: cannot be imported"):
        joined(here, "mine")


def test_files_are_looked_up_as_paths_of_functions_are(here, tmp_path_factory):
    clone = tmp_path_factory.mktemp("clone")
    (clone / "config").mkdir()
    (clone / "config" / "methods.yaml").write_text(yaml.safe_dump({"shipped": MINE}))
    add(here, "one", label="Here")
    add(clone, "one", label="There")
    add(clone, "two")
    rows = load_methods(*method_files(clone))
    assert {name: (row["label"], row["category"], row.get("studies")) for name, row in rows.items()} == {
        "shipped": ("Mine", "direct", []), "one": ("Here", "direct", None), "two": ("Mine", "direct", None),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bach", "search"])  # a row, and one that is crossed
def test_a_name_in_two_files_is_one_line_that_names_both(here, name):
    path, shipped = add(here, name), ROOT / "config" / "methods.yaml"
    with pytest.raises(InputError) as raised:
        read_rows(*method_files(ROOT))
    assert str(raised.value) == f"{path}: {name}: {shipped} has a method of this name; choose another"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"category": "integrated"}, "category: a row with no rule, truth, policy, discretizer is direct, not integr"),
        ({"category": "direct", "policy": "steck"}, "category: a row with policy is integrated, not direct"),
    ],
)
def test_a_wrong_row_is_named_with_its_file(here, keys, message):
    path = add(here, "mine", **keys)
    with pytest.raises(InputError) as raised:
        joined(here, "mine")
    assert str(raised.value).startswith(f"{path}: mine: {message}")
