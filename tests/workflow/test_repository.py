"""The house rules: what stands where, and what agrees with what."""

import ast
import json
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path
from types import UnionType
from typing import get_args, get_origin

import pytest
import yaml

from cutpoint.base.checking import read_yaml
from cutpoint.bench.engine.declaration import Declaration, declared, study_names
from cutpoint.bench.simulation.noise import NOISES
from cutpoint.bench.workflow import settings
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.names import NESTED, RANDOM
from cutpoint.data.resampling import RESAMPLES
from cutpoint.method import registry
from cutpoint.method.functions import options_of
from cutpoint.method.rows import MethodRow, check_row

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
STUDIES = study_names()
RULES = sorted((ROOT / "workflow").rglob("*.smk"))
SOURCES = sorted((ROOT / "src").rglob("*.py"))
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))
PAGES = [*ROOT.glob("*.md"), *(page for name in ("config", "docs", "data") for page in (ROOT / name).rglob("*.md"))]


def label(path):
    return path.relative_to(ROOT).as_posix()


def pins(requirements):
    return dict(re.fullmatch(r"([A-Za-z0-9_.-]+?)={1,2}([^=]+)", each).groups() for each in requirements)


def environment(name):
    listed = read_yaml(ROOT / "envs" / f"{name}.yaml")["dependencies"]
    by_pip = next((each["pip"] for each in listed if isinstance(each, dict)), [])
    return pins([each for each in listed if isinstance(each, str) and each != "pip"] + by_pip)


def core_pins():
    """The exact versions of what the package needs, of which it asks for ranges."""
    names = [re.split("[>=]", each)[0] for each in PYPROJECT["project"]["dependencies"]]
    exact = pins(PYPROJECT["tool"]["uv"]["constraint-dependencies"])
    return {name: exact[name] for name in names}


def test_a_library_asks_for_ranges_and_the_workflow_for_exact_versions():
    optional = [each for group in PYPROJECT["project"]["optional-dependencies"].values() for each in group]
    for each in [*PYPROJECT["project"]["dependencies"], *optional]:
        assert re.fullmatch(r"[a-z0-9-]+>=[\d.]+", each), each
    exact = pins(PYPROJECT["tool"]["uv"]["constraint-dependencies"])
    for each in PYPROJECT["project"]["dependencies"]:
        name, least = each.split(">=")
        assert tuple(map(int, least.split("."))) < tuple(map(int, exact[name].split("."))), each


def test_environments_have_the_pins_of_the_project():
    core = core_pins()
    allowed = core | pins(PYPROJECT["dependency-groups"]["workflow"])
    for path in (ROOT / "envs").glob("*.yaml"):
        versions = environment(path.stem)
        assert versions.pop("python") == "3.12"
        r = {name: versions.pop(name) for name in list(versions) if name.startswith("r-")}
        assert not r or path.stem == "bnlearn"
        assert core.items() <= versions.items() <= allowed.items(), path.name
    assert environment("cutpoint").keys() == core.keys() | {"python", "pyagrum"}


def rules():
    """Return the text of every rule by its name; of rules for each study or job, the part before its name."""
    texts = {}
    for path in RULES:
        for text in re.split(r"(?m)^(?= *(?:rule|checkpoint)\b.*:$)", path.read_text())[1:]:
            named = re.match(r" *(?:rule|checkpoint) (\w+):", text) or re.search(
                r'name:\s*f"(\w+?)(?:_\{\w+\})+"', text
            )
            texts[named[1]] = text
    return texts


def test_every_script_has_a_rule_of_its_name():
    scripts = {name: re.findall(r'scripts/(\w+)\.py"', text.split("script:")[1]) for name, text in rules().items()}
    beside = {"begin": ["posterior"], "meet": ["chain"]}  # checkpoints of the posterior and its chains
    assert scripts == {path.stem: [path.stem] for path in SCRIPTS} | beside
    assert not [path.stem for path in SCRIPTS if "snakemake.rule" in path.read_text()]  # a module gives others


def test_every_rule_has_a_log_and_the_fingerprint_of_its_code():
    for name, text in rules().items():
        for key in ("log:", "code="):
            assert key in text, (name, key)


def test_the_cluster_profile_names_no_study():
    text = (ROOT / "profiles" / "slurm" / "config.yaml").read_text()
    assert [study for study in STUDIES if f"_{study}" in text] == []
    names = [*rules(), *re.findall(r"use rule \w+ as (\w+)", "".join(path.read_text() for path in RULES))]
    profile = yaml.safe_load(text)
    named = {*(entry.split("=")[0] for entry in profile["groups"]), *profile["set-resources"]}
    assert {name for name in named if name not in names and not re.match("(learn|discretize)_", name)} == set()
    components = {entry.split("=")[0] for entry in profile["group-components"]}
    groups = re.findall(r'group:\s*"(\w+)"', "".join(path.read_text() for path in RULES))
    assert {entry.split("=")[1] for entry in profile["groups"]} | {*groups} == components


@pytest.mark.parametrize("path", SCRIPTS, ids=label)
def test_only_the_last_lines_of_a_script_know_snakemake(path):
    *body, last = ast.parse(path.read_text()).body
    assert isinstance(last, ast.If)
    assert ast.unparse(last.test) == "__name__ == '__main__'"
    assert not [n for part in body for n in ast.walk(part) if isinstance(n, ast.Name) and n.id == "snakemake"]


def imports(tree, anywhere=False):
    """Return the packages that a module imports when it is imported, or anywhere in it."""
    names = set()
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            lazy = isinstance(node, ast.FunctionDef) or (
                isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            )
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").split(".")[0])
            elif anywhere or not lazy:
                waiting.append(node)
    return names


def test_the_package_imports_what_its_place_allows():
    """What the contracts of import-linter do not say: packages that are optional, and imports within functions."""
    for path in SOURCES:
        tree = ast.parse(path.read_text())
        anywhere, first = imports(tree, anywhere=True), imports(tree)
        assert "snakemake" not in anywhere, path
        assert "pandas" not in first or "bench" in path.parts, path
        assert "sklearn" not in anywhere or label(path) == "src/cutpoint/estimators.py", path
        assert not {"polars", "causallearn", "pyagrum", "pgmpy"} & first, path
        if "kernels" in path.parts and path.stem not in ("compiled", "compiling"):
            assert anywhere <= {"numpy", "numba", "math", "typing", "cutpoint", "__future__"}, path


def test_scripts_import_the_package_before_others():
    """It lets Ctrl-C end them without a traceback while they import what takes long."""
    for path in (ROOT / "scripts").glob("*.py"):
        nodes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = [getattr(node, "module", None) or node.names[0].name for node in nodes]
        others = [name for name in (each.split(".")[0] for each in names) if name not in sys.stdlib_module_names]
        assert others[0] == "cutpoint", path
        assert "__future__" not in names, path  # which must come first, and Snakemake writes above it


TABLES = [name for name, one in vars(registry).items() if isinstance(one, dict) and name.isupper()]


@pytest.mark.parametrize("table", TABLES)
def test_every_registered_name_is_documented(table):
    text = (ROOT / "docs" / "methods.md").read_text()
    assert [name for name in getattr(registry, table) if f"`{name}`" not in text] == []


MODELS = ("Study", "Grid", "Scale")


def test_every_key_of_the_config_is_documented():
    text = (ROOT / "config" / "README.md").read_text()
    assert [key for key in settings.Settings.model_fields if f"| `{key}` |" not in text] == []
    for model in (MethodRow, *(getattr(settings, name) for name in MODELS)):
        keys = set(model.model_fields) - {"title", "citation", *Declaration.model_fields}
        assert [key for key in sorted(keys) if f"`{key}`" not in text and f"{key}:" not in text] == []
    functions = {*chain(*NOISES.values(), *NESTED.values()), *RESAMPLES.values(), RANDOM}
    options = {key for function in functions for key in options_of(function)}
    assert [key for key in sorted({*NOISES, *options}) if f"`{key}`" not in text and f"{key}:" not in text] == []


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_links_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#]+)", path.read_text())
    assert [link for link in links if "://" not in link and not (path.parent / link).exists()] == []


def test_the_notebook_of_the_readme_runs():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    (block,) = [block for block in blocks if "import cutpoint" in block]
    names = {}
    exec(block, names)
    assert names["learned"].dag.shape == (37, 37)


def test_the_schema_for_editors_is_that_of_the_settings():
    # made by: json.dumps(Settings.model_json_schema(), indent=2)
    assert json.loads((ROOT / "config" / "config.schema.json").read_text()) == settings.Settings.model_json_schema()


def test_the_readme_counts_what_each_study_makes():
    """The list of studies says how many tables, figures and claims each of them has."""
    text = (ROOT / "README.md").read_text()
    listed = {name: line for line in text.splitlines() for name in re.findall(r"^\| `(\w+)` \(", line)}
    assert {*listed} == {*study_names()} - {"own"}
    for name, line in listed.items():
        about = declared(name)
        for word, artefacts in (("table", about.tables), ("figure", about.figures), ("claim", about.claims)):
            match = re.search(rf"\b(\d+) {word}s?\b", line.strip(" |").rpartition(" | ")[2])
            assert (int(match[1]) if match else 0) == len(artefacts), f"{name}: {word}s"
        kept = re.findall(rf"^{name},(\w+),", (ROOT / "data/results/claims.csv").read_text(), re.MULTILINE)
        assert {*kept} == {*about.claims}, name


def test_the_readme_counts_the_methods_of_each_study():
    """The list of studies says how many methods run at the published scale, or describes them."""
    config = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "published"}
    for name, count in re.findall(r"^\| `(\w+)` \(.*\| (\d+) \| [^|]*\|$", (ROOT / "README.md").read_text(), re.M):
        study = load(config | {"study": name}, ROOT, ROOT).studies[name]
        methods = {method for grid in study.grids.values() for method in grid.methods}
        assert int(count) == len(methods) or not methods, name


def test_slow_tests_are_tests():
    for line in (ROOT / "tests" / "slow.txt").read_text().split():
        path, _, name = line.partition("::")
        assert not name or f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(), line
        assert (ROOT / path).is_file(), line


def test_the_package_names_no_paper():
    """Papers stand in workflow/studies; only conventions of SHD and of rates are called after those that print them."""
    papers = {path.parent.name for path in (ROOT / "workflow" / "studies").glob("*/study.yaml")} - {"missing"}  # a word
    named = {
        (path.relative_to(ROOT / "src" / "cutpoint").as_posix(), node.value)
        for path in (ROOT / "src" / "cutpoint").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in papers or any(f"studies.{paper}" in node.value for paper in papers)
    }
    assert named == {("graphs/metrics.py", "fu2005"), ("graphs/metrics.py", "mabrouk2015")}
    imports = re.compile(rf"(from|import) cutpoint\.bench\.studies\.({'|'.join(papers)})")
    assert not [path for path in (ROOT / "src").rglob("*.py") if imports.search(path.read_text())]


METHODS = read_yaml(Path(__file__).parents[2] / "config" / "methods.yaml")


EXACT = METHODS["eqwidth3"] | {"learner": "exact"}


def test_whole_numbers_and_none_stand_where_they_may():
    check_row(METHODS["eqwidth3"] | {"ess": 2}, "mine")
    check_row(EXACT | {"max_parents": None, "memory_mb": 100}, "mine")
    check_row(METHODS["hartemink"] | {"initial": None}, "mine")


@pytest.mark.parametrize("table", TABLES)
def test_every_option_that_is_a_number_or_a_name_has_bounds(table):
    for path in getattr(registry, table).values():
        for key, option in options_of(path).items():
            several = get_args(option.annotation) if get_origin(option.annotation) is UnionType else ()
            assert not {int, float, str} & {option.annotation, *several}, f"{path}: {key}"
