"""Write the tables of ARCHITECTURE.md from the code: `uv run tools/map.py`. With `--check` outdated ones are an error.

The reading path of a cell of Table V-4 begins where rules look things up and at the scripts of `CHAIN`, and follows
imports within the benchmark. It leaves out the rooms of `SCIENCE`, and the files of `ASIDE`, which change no number:
they decide whether a job runs again, log it, stop a run at its limits, refuse a config that names what is not there,
or serve other cells and artefacts. `BUDGET` bounds it; `--size` prints its size.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from difflib import unified_diff
from itertools import zip_longest
from operator import gt
from pathlib import Path
from textwrap import dedent

from tables import MARKED, ROOT, filled, markdown

from cutpoint.bench.workflow.fingerprint import CODE
from cutpoint.method import DEFAULT
from cutpoint.method.functions import resolve
from cutpoint.method.rows import method_of

PAGE, PACKAGE = ROOT / "ARCHITECTURE.md", ROOT / "src" / "cutpoint"
BENCH = PACKAGE / "bench"
RULES = ("data", "discretize", "learn", "evaluate", "experiments", "show")  # files of them, as data flow
CHAIN = ("sample", "noise", "discretize", "learn", "evaluate", "collect", "show")  # the rules behind a cell
SCIENCE = ("simulation", "evaluation", "statistics", "plots")
ASIDE = (
    *("fingerprint", "finished", "forecast", "samples", "datasets", "runs"),
    *("contests", "inequalities", "claims", "page", "latex", "html", "drawings"),
    *("jobs", "supervise", "names", "own_metrics"),
)
BUDGET = (24, 4_200, 65)  # files, lines, classes
BEFORE = (
    *("cutpoint.cli:main", "cutpoint.commands.learn:run"),
    *("cutpoint.data.user_table:read_data", "cutpoint.api:learn"),
)
AFTER = ("cutpoint.models.model:Model",)  # what `cutpoint learn` calls before and after the functions of its method


def parsed(file: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(file.read_text())


def first_line(node: ast.Module | ast.ClassDef) -> str:
    """Return the first line of a docstring."""
    return (ast.get_docstring(node) or "").partition("\n")[0]


def link(file: Path) -> str:
    """Return a link to a file, under its path in the package or the repository."""
    path = file.relative_to(ROOT).as_posix()
    return f"[{path.removeprefix('src/cutpoint/')}]({path})"


def layers(_: str) -> str:
    """Return the layers that import-linter checks, the highest first, and the names of its other contracts."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    bench, library = ([*each["containers"], *each["layers"]] for each in contracts[1::-1])
    lines = [f"{left:34}{right}".rstrip() for left, right in zip_longest(bench, library, fillvalue="")]
    return "\n".join(["```text", *lines, "```", "", *(f"- {each['name']}" for each in contracts[2:])])


def rooms(_: str) -> str:
    """Return each package, what it is for, and its lines in hundreds."""
    rows = []
    for file in sorted(PACKAGE.rglob("__init__.py")):
        lines = round(sum(len(each.read_text().splitlines()) for each in file.parent.glob("*.py")), -2)
        name = file.parent.relative_to(PACKAGE.parent).as_posix()
        rows.append((f"`{name}`", first_line(parsed(file)), f"{lines:,}" if lines else "< 100"))
    return markdown(("Room", "What it is for", "Lines"), rows)


def rule_texts() -> dict[str, str]:
    """Return the text of each rule by its name."""
    text = "\n".join((ROOT / "workflow" / "rules" / f"{name}.smk").read_text() for name in RULES)
    found = re.findall(r"^ *rule (\w+):\n(.*?)(?=^\S|^ *(?:use )?rule |\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: dedent(block) for name, block in found}


def script_of(rule: str) -> Path:
    """Return the script of the text of a rule."""
    return ROOT / "scripts" / re.findall(r'scripts/(\w+\.py)"', rule)[0]


def rules(_: str) -> str:
    """Return each rule with its script, what it reads and what it writes, without the folder of the study or batch."""

    def files(rule: str, key: str) -> str:
        block = re.findall(rf"^{key}:\n((?: +.*\n)+)", rule, re.MULTILINE)
        found = re.findall(r'"results/(?:[^"]*(?:study|batch)}/)?([^"]+)"|plan\.\w+\.((?!label)\w+)', "".join(block))
        return ", ".join(f"`{path}`" if path else name.removesuffix("_of").replace("_", " ") for path, name in found)

    rows = [(f"`{n}`", link(script_of(t)), files(t, "input"), files(t, "output")) for n, t in rule_texts().items()]
    return markdown(("Rule", "Script", "Reads", "Writes"), rows)


def path_of_a_cell() -> list[Path]:
    """Return the files of the benchmark behind a cell of Table V-4, in the order in which one meets them."""
    names = {name for file in BENCH.rglob("*.py") for name in (file.stem, file.parent.name)}
    if gone := {*ASIDE, *SCIENCE} - names:
        sys.exit(f"{__file__}: ASIDE or SCIENCE names {min(gone)!r}, which is gone")
    reached: list[Path] = []

    def enter(file: Path) -> None:
        if file not in reached and file.parent.name not in SCIENCE and file.stem not in (*ASIDE, "__init__"):
            reached.append(file)
            for each in CODE.part(file)[1]:
                if BENCH in each.parents:
                    enter(each)

    for file in (BENCH / "workflow" / "lookups.py", *(script_of(rule_texts()[name]) for name in CHAIN)):
        enter(file)
    return reached


def cell(_: str) -> str:
    """Return the files on the path of a cell."""
    return markdown(("File", "What it is for"), [(link(file), first_line(parsed(file))) for file in path_of_a_cell()])


def learn(_: str) -> str:
    """Return the functions that `cutpoint learn my.csv` calls, those of its default method among them."""
    functions = {name: resolve(name) for name in (*BEFORE, *method_of(DEFAULT, {}).paths, *AFTER)}
    files = {name: Path(inspect.getfile(inspect.unwrap(function))) for name, function in functions.items()}
    about = {name: (inspect.getdoc(function) or "").partition("\n")[0] for name, function in functions.items()}
    rows = [(link(file), f"`{name.partition(':')[2]}`", about[name]) for name, file in files.items()]
    return markdown(("File", "Function", "What it does"), rows)


def classes(files: Sequence[Path]) -> list[tuple[Path, ast.ClassDef]]:
    """Return the classes of some files, each with its file."""
    return [(file, n) for file in files for n in ast.walk(parsed(file)) if isinstance(n, ast.ClassDef)]


def words(_: str) -> str:
    """Return the classes that three or more files on the path of a cell name, with what they are."""
    path = path_of_a_cell()
    known = Counter(word for file in path for word in {*re.findall(r"\w+", file.read_text())})
    rows = [(f"`{c.name}`", first_line(c), link(file)) for file, c in classes(path) if known[c.name] > 2]
    return markdown(("Class", "What it is", "File"), sorted(rows))


TABLES = {each.__name__: each for each in (layers, rooms, rules, cell, learn, words)}


def page() -> str:
    """Return the page with its tables made anew; an error names what its prose says and the code does not have."""
    code = [*PACKAGE.rglob("*.py"), ROOT / "workflow" / "Snakefile", *(ROOT / "tools").glob("*.py")]
    known, text = "\n".join(f"{file.relative_to(ROOT)} {file.read_text()}" for file in code), PAGE.read_text()
    if gone := [word for word in re.findall(r"`([^`\n]+)`", MARKED.sub("", text)) if word not in known]:
        sys.exit(f"ARCHITECTURE.md: the code has no {gone[0]!r}")
    return filled(text, TABLES)


def main(arguments: Sequence[str]) -> None:
    """Write the page, check it, or print how large the path of a cell is, which a check bounds."""
    files = path_of_a_cell()
    size = len(files), sum(file.read_text().count("\n") for file in files), len(classes(files))
    if "--size" in arguments or ("--check" in arguments and any(map(gt, size, BUDGET))):
        sys.exit(f"files, lines and classes on the path of a cell: {size}, at most {BUDGET}")
    if "--check" not in arguments:
        PAGE.write_text(page())
    elif lines := [*unified_diff(PAGE.read_text().splitlines(), page().splitlines(), n=0, lineterm="")]:
        sys.exit("\n".join([*lines, "ARCHITECTURE.md is out of date: uv run tools/map.py"]))


if __name__ == "__main__":
    main(sys.argv[1:])
