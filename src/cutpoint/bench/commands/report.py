"""Compare the methods on a file and write a report: which to take, its graph, and models of all."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.commands.settings import OPTIONS, add_options, one_of, parse

REPORT = Path("results", "report.html")
SCALES = ("quick", "published", "tiny")
NEEDED = "pip install 'bn-cutpoint[workflow]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    add_options(parser)
    method = "run this method instead of those of the study; may be repeated"
    parser.add_argument("--method", dest="methods", metavar="NAME", action="append", help=method)
    parser.add_argument(
        "--truth", metavar="FILE", help="true network: a BIF file, a CSV file of its arcs, or a shipped one"
    )
    scale = "quick (the default), published (more resamples) or tiny"
    parser.add_argument("--scale", default="quick", type=one_of(SCALES), metavar="NAME", help=scale)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="default %(default)s")
    parser.add_argument("--directory", type=Path, help="for all that is written; default FILE without ending + -report")


def run(options: argparse.Namespace) -> int:
    """Start the workflow on the file and say where the report is."""
    parse(options.settings)
    file = Path(options.file)
    if options.cores < 1:
        raise InputError(f"--cores: a whole number from 1 is expected, got {options.cores}")
    if not file.is_file():
        raise InputError(f"{file}: no such file")
    if find_spec("snakemake") is None:
        raise InputError(f"report needs Snakemake: {NEEDED}")
    folder = options.directory or Path(f"{file.name.partition('.')[0]}-report")
    folder.mkdir(parents=True, exist_ok=True)
    code = subprocess.run(command(options, folder), check=False).returncode
    if code == 0:
        print(f"report: {folder / REPORT}")
    return code


def command(options: argparse.Namespace, folder: Path) -> list[str]:
    """Return the call of Snakemake, which a user may type as well."""
    snakemake = [sys.executable, "-m", "snakemake", "--snakefile", str(user_code.ROOT / "Snakefile")]
    where = ["--directory", str(folder), "--cores", str(options.cores)]
    chosen = {key: getattr(options, key) for key in (*OPTIONS, "methods", "truth")}
    words = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in chosen.items() if value is not None]
    settings = [f"data={Path(options.file).resolve()}", f"scale={options.scale}", *options.settings, *words]
    return [*snakemake, *where, "--config", *settings]
