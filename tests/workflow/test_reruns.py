"""What reruns after an edit: the kinds of jobs whose fingerprint changes, for the edits that are made most."""

import ast
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.bench.workflow.fingerprint import Code
from cutpoint.method import registry
from cutpoint.method.parsing import parse
from cutpoint.method.rows import read_methods

ROOT = Path(__file__).parents[2]
STUDIES = read_yaml(ROOT / "config" / "config.yaml")["studies"]
METHODS = {
    name: parse(row)
    for name, row in read_methods(ROOT / "config" / "methods.yaml").items()
    if row["category"] != "external"
}
PLAIN = (
    *("random_networks", "sample", "noise", "own_data", "dataset", "resample", "program", "function", "models"),
    "environment",
    *("evaluate", "edges", "predict", "held_out", "collect", "report"),
)
SHOW = ("show",) if (ROOT / "scripts" / "show.py").exists() else ("tables", "figures", "claims")


def kinds(root):
    """Return what each kind of job is made of: its scripts, and the functions and files that it is told to run."""
    scripts = root / "scripts"
    jobs = {name: [scripts / f"{name}.py"] for name in PLAIN}
    for name, method in METHODS.items():
        jobs[f"learn {name}"] = [scripts / "learn.py", *learning(method)]
        if method.discretizer:
            path = method.discretizer.path
            jobs[f"discretize {path.rpartition(':')[2]}"] = [scripts / "discretize.py", path]
    for study in STUDIES:
        folder = root / "workflow" / "studies" / study
        jobs[f"show {study}"] = [
            *(scripts / f"{name}.py" for name in SHOW),
            *(path for path in sorted(folder.glob("*.py")) if path.stem != "experiments"),
        ]
        if (folder / "experiments.py").exists():
            jobs[f"experiment {study}"] = [
                scripts / "experiment.py",
                f"cutpoint.bench.studies.{study}.experiments:EXPERIMENTS",
            ]
    return jobs


def learning(method):
    """Return the functions of a method but the one whose thresholds come from a file."""
    return [function.path for key, function in method.functions.items() if key != "discretizer"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the source, the definitions that each kind of job uses, and what they are."""
    root = tmp_path_factory.mktemp("clone")
    for folder in ("src", "scripts", "workflow/studies"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    code = Code(root / "src" / "cutpoint")
    used = {name: code.closure(entries) for name, entries in kinds(root).items()}
    parts = {definition: code.part(definition) for closure in used.values() for definition in closure}
    return root, used, parts


@contextmanager
def edited(root, name, change):
    """Let a file be another one for a while."""
    path = root / name if name.startswith("workflow/") else root / "src" / "cutpoint" / name
    source = path.read_text()
    path.write_text(change(source))
    assert path.read_text() != source
    try:
        yield path
    finally:
        path.write_text(source)


def appended(text):
    return lambda source: f"{source}\n\n{text}\n"


def replaced(old, new):
    return lambda source: source.replace(old, new, 1)


def changed(name):
    """Return an edit that lets a function do something else."""

    def edit(source):
        functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
        last = next(node for node in functions if node.name == name).body[-1]
        lines = source.splitlines(keepends=True)
        lines.insert(last.lineno - 1, f"{' ' * last.col_offset}added = 1\n")
        return "".join(lines)

    return edit


def with_part(*ends):
    """Return the kinds of jobs whose methods have a function whose path ends so."""
    return [f"learn {name}" for name, m in METHODS.items() if any(path.endswith(ends) for path in learning(m))]


SCORES = tuple(path.partition(".")[2] for path in registry.SCORES.values())
FUNCTION = "def added(values, discrete, *, bins: int = 3):\n    return [added for _ in range(bins)]"
SHOWS = [f"show {study}" for study in STUDIES]
SIMULATING = ["experiment calibration", "experiment fu2005", "experiment mabrouk2015"]
PARSING = [*SIMULATING, *(f"experiment {study}" for study in ("growth", "steck2007"))]  # they parse rows
EDITS = {
    "a line of the registry": ("method/registry.py", replaced('"bic":', '"new": "cutpoint.new:f",\n    "bic":'), []),
    "a new score": ("learners/scores.py", appended(FUNCTION), []),
    "a new discretizer": ("discretization/binning.py", appended(FUNCTION), []),
    "a new learner": ("learners/greedy.py", appended(FUNCTION), []),
    "an error message": ("discretization/binning.py", replaced("give a number", "write a number"), []),
    "a new message": ("base/errors.py", appended('ADDED = "it may not be"'), []),
    "the wording of suggestions": ("base/text.py", changed("suggest"), []),
    "a docstring": ("learners/greedy.py", replaced('"""Return', '"""Give'), []),
    "how options are read": ("method/signatures.py", changed("shipped_parameters"), PARSING),
    "how the config is checked": ("bench/workflow/config.py", changed("load_study"), []),
    "a score": ("learners/scores.py", changed("bic"), [*with_part(":bic"), "experiment tran2013"]),
    "a discretizer": ("discretization/hartemink.py", changed("hartemink"), ["discretize hartemink"]),
    "a learner": ("learners/order.py", changed("order_search"), with_part(":order_search")),
    "an integrated method": ("discretization/rules.py", changed("steck"), with_part(":steck")),
    "a kernel": ("kernels/counting.py", changed("_score"), [*with_part(*SCORES), "experiment tran2013"]),
    "an SHD convention": (
        "graphs/metrics.py",
        replaced('"standard": _shd_standard', '"standard": _shd_standard, "new": _shd_fu2005'),
        ["evaluate", "experiment fu2005", "experiment mabrouk2015"],
    ),
    "how records are drawn": (
        "networks/network.py",
        changed("sample"),
        ["sample", "noise", "models", "experiment tran2013", *SIMULATING],
    ),
    "how noise is added": (
        "bench/simulation/noise.py",
        changed("gaussian"),
        ["noise", "experiment fu2005"],
    ),
    "a plot": ("bench/plots/dots.py", changed("rows_of_dots"), SHOWS),
    "a table": (
        "workflow/studies/fu2005/study.py",
        replaced("    return ", "    added = 1\n    return "),
        ["show fu2005"],
    ),
    "the report": ("bench/report/page.py", changed("render"), ["report"]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_reruns_what_it_changes(clone, edit):
    (root, used, parts), (name, change, expected) = clone, EDITS[edit]
    with edited(root, name, change) as path:
        code = Code(root / "src" / "cutpoint")
        other = {d for d, part in parts.items() if d.file == str(path) and code.part(d) != part}
    assert {kind for kind, closure in used.items() if closure & other} == set(expected)


def test_fingerprints_change_with_the_definitions_that_are_used(clone):
    root, *_ = clone
    name, change, expected = EDITS["an integrated method"]
    some = ["evaluate", *expected, "learn bach", "learn eqwidth3"]  # all take seconds
    before = fingerprints(root, some)
    with edited(root, name, change):
        after = fingerprints(root, some)
    assert {kind for kind in some if after[kind] != before[kind]} == set(expected)


def fingerprints(root, some):
    code, entries = Code(root / "src" / "cutpoint"), kinds(root)
    return {name: code.fingerprint(*entries[name]) for name in some}


def test_every_script_is_a_kind_of_job():
    scripts = {path.stem for path in (ROOT / "scripts").glob("*.py")} - {"cost", "warm", "tetrad_pc"}
    assert scripts == {*PLAIN, *SHOW, "discretize", "learn", "experiment"}
