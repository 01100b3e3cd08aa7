"""Say which method to take for a file, by the kind of its data, and how to compare it on these data."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from cutpoint.commands.settings import HELP, reading

BESIDE = ("miic", "bach_stable", "pc_fisherz")  # without levels of a variable: worth a look whatever the advice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, Feather or Arrow")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help=HELP)
    parser.add_argument("--kind", help="kind of the data, where you know it: codes, latent, skewed, linear...")


def run(options: argparse.Namespace) -> None:
    """Print the advice and the command that compares its row with others on the file.

    Raises:
        InputError: wrong data, or an unknown kind.
    """
    import cutpoint as cp  # loads packages that other subcommands do not need

    table = cp.read_data(options.file, **reading(options.settings, "advise"))
    advice = cp.advise(table, kind=options.kind)
    print(f"{Path(options.file).name}: {table.num_rows} rows, {table.num_columns} columns")
    print(advice)
    print(f"\nNext: {report(options, advice.row)}")


def report(options: argparse.Namespace, row: str | None) -> str:
    """Return the command that compares a row, and others, on the file."""
    rows = ", ".join(dict.fromkeys(name for name in (row, *BESIDE) if name))
    words = [options.file, *options.settings, "--scale", "published", f"extra_methods=[{rows}]"]
    return f"cutpoint report {shlex.join(words)}"
