"""Print which method to use on a file, and the command that compares it with others on these data."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cutpoint.base.text import printable
from cutpoint.commands.settings import HELP, reading

if TYPE_CHECKING:
    from cutpoint.advice import Advice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, Feather or Arrow")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help=HELP)
    parser.add_argument("--kind", help="data type, where you know it: codes, latent, skewed, linear...")


def run(options: argparse.Namespace) -> None:
    """Print the advice and the command that compares its method with others on the file."""
    import cutpoint as cp  # loads packages that other subcommands do not need

    table = cp.read_data(options.file, **reading(options.settings, "advise"))
    advice = cp.advise(table, kind=options.kind)
    print(f"{printable(Path(options.file).name)}: {len(table)} records, {len(table.variables)} variables")
    print(advice)
    print(f"\nNext: {report(options, advice)}")


def report(options: argparse.Namespace, advice: "Advice") -> str:
    """Return the command that compares the methods of the advice with others on the file."""
    words = [options.file, *options.settings, "--scale", "published"]
    if advice.choices:
        words.append(f"extra_methods=[{', '.join(dict.fromkeys(choice.method for choice in advice.choices))}]")
    return f"cutpoint report {shlex.join(words)}"
