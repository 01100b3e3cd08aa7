"""Show how far a run is: jobs done, running and left, the time left, and failures with their logs."""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

from cutpoint.tools import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, default=Path(), help="in which snakemake runs; default here"
    )


def run(given: argparse.Namespace) -> None:
    """Print one screen.

    Raises:
        InputError: nothing runs or ran there.
    """
    with open(progress.latest(given.folder), encoding="utf-8", errors="replace") as log:
        print(progress.page(progress.read(log), given.folder, datetime.now()))
