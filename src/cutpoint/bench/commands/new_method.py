"""Write a working method for a user to change, and its row beside it in methods/."""

import keyword
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined

from cutpoint.base.errors import InputError
from cutpoint.base.text import typed
from cutpoint.method.rows import load_methods, method_files

METHODS = Path("methods")
SHIPPED = Path("config", "methods.yaml")
RULES = Path("workflow", "rules", "methods")
PROGRAMS = Path("scripts", "methods")
# The end of a program's name and the words before it, by its language.
LANGUAGES = {"python": ("py", '"python"'), "r": ("R", '"Rscript", "--vanilla"'), "shell": ("sh", '"sh"')}
_SEARCH = {"learner": "hill_climbing", "score": "bdeu"}
_THIRDS = {"equal_frequency": 3}
_CODES = {"discretizer": "equal_frequency", "bins": 3}
# The row of each kind; OWN stands for where the function is, or for the name of the rule.
OWN = object()
ROWS: dict[str, dict[str, Any]] = {
    "discretizer": {"discretizer": OWN, "bins": 3, **_SEARCH},
    "score": {**_CODES, "learner": "hill_climbing", "score": OWN, "penalty": 1.0},
    "learner": {**_CODES, "learner": OWN, "score": "bdeu", "max_parents": 3},
    "integrated": {"policy": OWN, "initial": _THIRDS, **_SEARCH, "max_bins": 4},
    "direct": {"learner": OWN, "least": 0.1},
    "external": {"rule": OWN, "least": 0.5},
}
FOLDER = click.Path(file_okay=False, path_type=Path)
PARAMETERS = [
    click.Argument(["name"], metavar="NAME", help="of the row, the file and the function: a word like my_method"),
    click.Option(["--kind"], type=click.Choice([*ROWS]), default="discretizer", show_default=True),
    click.Option(["--language"], type=click.Choice([*LANGUAGES]), default="python", help="of an external method"),
    click.Option(["--folder"], type=FOLDER, help=f"of the file; default methods, of an external one {PROGRAMS}"),
]


def run(options: SimpleNamespace) -> None:
    """Write the files, check the rows, and say what to type next; on an InputError nothing is written."""
    if options.kind != "external" and options.language != "python":
        raise InputError(
            f"--language {options.language}: a {options.kind} is Python; any program is of --kind external"
        )
    if options.kind == "external" and options.folder is not None:
        raise InputError(f"--folder: the program of an external method is in {PROGRAMS}; leave it out")
    check_name(options.name)
    files, row = skeleton(options.name, options.kind, options.language, options.folder)
    flow = yaml.safe_dump(row, default_flow_style=True, sort_keys=False, width=float("inf")).strip()
    files[METHODS / f"{options.name}.yaml"] = f"{options.name}: {flow}\n"
    write(files)
    for path in files:
        print(f"wrote {path}")
    print("next, see it beside the other methods:")
    print(f"  {typed('snakemake', '--cores', 'all', '--config', 'study=fu2005', 'scale=tiny')}")


def check_name(name: str) -> None:
    """Raise InputError for a name that cannot be one of a file, a function and a row, or that is taken."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise InputError(f"{name!r} is not a valid method name: use lower-case letters, digits and _, like my_method")
    if not SHIPPED.is_file():
        raise InputError(f"no {SHIPPED} in {Path.cwd()}: run this in the root of a clone of cutpoint")
    for path in sorted(Path("workflow").rglob("*.smk")):
        if re.search(rf"(?m)^\s*(use )?rule (\w+ as )?{name}\b", path.read_text()):
            raise InputError(f"{path}: there is a rule {name!r}; choose another name")


def skeleton(name: str, kind: str, language: str, folder: Path | None) -> tuple[dict[Path, str], dict[str, Any]]:
    """Return the text of the files of a new method by their paths, and its row."""
    external = kind == "external"
    label = name.replace("_", " ").capitalize()
    end, start = LANGUAGES[language]
    path = (folder or (PROGRAMS if external else METHODS)) / f"{name}.{end}"
    own = name if external else f"{path.as_posix()}:{name}"
    row = {"label": label} | {key: own if value is OWN else value for key, value in ROWS[kind].items()}
    names = {"name": name, "label": label, "start": start, "script": path.as_posix()}
    files = {path: render(f"{kind}.{end}", **names)}
    if external:
        files[RULES / f"{name}.smk"] = render("external.smk", **names)
    return files, row


def render(template: str, **names: str) -> str:
    """Return the text of a template."""
    loader = PackageLoader("cutpoint.bench", "templates/methods")
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.get_template(f"{template}.j2").render(**names)


def write(files: Mapping[Path, str]) -> None:
    """Write the files and check all rows of methods; on any failure leave everything as it was."""
    created: list[Path] = []
    try:
        for path, text in files.items():
            folders = [folder for folder in path.parents if not folder.exists()]
            path.parent.mkdir(parents=True, exist_ok=True)
            created += reversed(folders)
            with path.open("x") as file:
                created.append(path)
                file.write(text)
        load_methods(*method_files(Path.cwd()))
    except BaseException as problem:
        for path in reversed(created):  # a folder that this call has created holds nothing else
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if isinstance(problem, FileExistsError):
            raise InputError(f"{problem.filename}: already exists; choose another name or --folder") from None
        if isinstance(problem, OSError):
            raise InputError(f"{problem.filename}: {problem.strerror}") from None
        raise
