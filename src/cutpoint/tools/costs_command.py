"""Fit the costs of methods and jobs to finished runs, for `snakemake cost`."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutpoint.method import rows_file
from cutpoint.tools import costs, measured_costs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument(
        "folders", metavar="FOLDER", nargs="+", type=Path, help="that results/ and logs/ stand in, one with growth"
    )
    parser.add_argument("--methods", type=Path, default=Path("config", "methods.yaml"), help="default %(default)s")
    parser.add_argument(
        "--write", type=Path, default=Path("data", "costs.csv"), metavar="FILE", help="default %(default)s"
    )


def run(given: argparse.Namespace) -> None:
    """Write the file.

    Raises:
        InputError: no run of the study growth, a folder without benchmarks, or no such methods.
    """
    laws = measured_costs.measure(given.folders, rows_file.load_methods(given.methods))
    costs.write(given.write, laws)
    print(f"{given.write}: {len(laws)} laws")
