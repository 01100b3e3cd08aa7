"""Learn from a file by one method, and write the fitted network to a file."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.commands.settings import HELP, parsed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, Feather or Arrow")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help=HELP)
    parser.add_argument("--method", default="steck3", help="a row of methods.yaml; default %(default)s")
    parser.add_argument(
        "-o", "--output", metavar="MODEL", help="file to write, in the format that its ending names: .bif, .json..."
    )


def run(options: argparse.Namespace) -> None:
    """Learn, fit, write the model and print it.

    Raises:
        InputError: wrong data, an unknown method, or a file that cannot be written.
    """
    import cutpoint as cp  # loads packages that other subcommands do not need

    settings = parsed(options.settings)
    known = {*inspect.signature(cp.read_data).parameters, "knowledge"}
    if unknown := sorted(set(settings) - known):
        raise InputError(f"{unknown[0]}: no setting of learn; these are {', '.join(sorted(known - {'path'}))}")
    knowledge, missing = settings.pop("knowledge", None), settings.get("missing", "refuse")
    table = cp.read_data(options.file, **settings)
    print(
        f"{Path(options.file).name}: {table.num_rows} rows, {table.num_columns} columns; {options.method}", flush=True
    )
    model: Any = cp.fit(table, options.method, knowledge=knowledge, missing=missing)
    print(model)
    if options.output:
        model.write(options.output)
        print(f"wrote {options.output}")
