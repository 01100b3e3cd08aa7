"""Compare the methods on a file and write a report: which to take, its graph, and models of all."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.commands.settings import FILE, METHOD, OPTIONS, READING, settings_of

REPORT = Path("results", "report.html")
POSTERIOR = REPORT.with_name("posterior.html")
SCALES = ("quick", "published", "tiny")
NEEDED = "pip install 'bn-cutpoint[workflow]'"
METHODS = "run this method instead of those of the study; may be repeated"
TRUTH = "true network: a BIF file, a CSV file of its arcs, or a shipped one"
PROBABLE = f"how probable each edge and threshold is, in {POSTERIOR}"
DIRECTORY = "for all that is written; default FILE without ending + -report"
PARAMETERS = [
    *FILE,
    click.Option(["--method", "methods"], multiple=True, help=METHODS, **METHOD),
    click.Option(["--truth"], metavar="FILE", type=click.Path(), help=TRUTH),
    click.Option(["--posterior"], is_flag=True, help=PROBABLE),
    click.Option(["--scale"], type=click.Choice(SCALES), default="quick", show_default=True),
    click.Option(["--cores"], type=int, default=os.cpu_count() or 1, show_default=True),
    click.Option(["--directory"], type=click.Path(file_okay=False, path_type=Path), help=DIRECTORY),
    *READING,
]


def run(options: SimpleNamespace) -> int:
    """Start the workflow on the file, if it can be read, and say where the report is."""
    import cutpoint as cp  # loads packages that a help text does not need

    settings = settings_of(options, "methods", "truth", "posterior")
    file = Path(options.file)
    if options.cores < 1:
        raise InputError(f"--cores: a whole number from 1 is expected, got {options.cores}")
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    if find_spec("snakemake") is None:
        raise InputError(f"report needs Snakemake: {NEEDED}")
    cp.read_data(file, **{key: settings[key] for key in OPTIONS if key in settings and key != "knowledge"})
    folder = options.directory or Path(f"{file.name.partition('.')[0]}-report")
    folder.mkdir(parents=True, exist_ok=True)
    code = subprocess.run(command(options, settings, folder), check=False).returncode
    if code == 0:
        print(f"report: {folder / REPORT}")
        if settings.get("posterior"):
            print(f"posterior: {folder / POSTERIOR}")
    return code


def command(options: SimpleNamespace, settings: Mapping[str, Any], folder: Path) -> list[str]:
    """Return the call of Snakemake, which a user may type as well."""
    snakemake = [sys.executable, "-m", "snakemake", "--snakefile", str(user_code.ROOT / "Snakefile")]
    where = ["--directory", str(folder), "--cores", str(options.cores)]
    words = [f"{key}={json.dumps(value, ensure_ascii=False, default=str)}" for key, value in settings.items()]
    return [*snakemake, *where, "--config", f"data={Path(options.file).resolve()}", f"scale={options.scale}", *words]
