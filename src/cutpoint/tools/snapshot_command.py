"""Keep the numbers of a finished run and make the pages of the documentation from them."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutpoint.tools.snapshot import PAGES, Snapshot, page, take


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="that results/ stands in; without it the pages only"
    )
    parser.add_argument("--data", type=Path, default=Path("data", "results"), help="the CSV files; default %(default)s")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="the pages; default %(default)s")


def run(given: argparse.Namespace) -> None:
    """Write the CSV files and the pages.

    Raises:
        InputError: no results, or a number that a page wants and the run does not have.
    """
    if given.folder is not None:
        print(f"{given.data}: {', '.join(take(given.folder, given.data))}")
    for name in PAGES:
        (given.docs / f"{name}.md").write_text(page(name, Snapshot(given.data)), encoding="utf-8")
        print(given.docs / f"{name}.md")
