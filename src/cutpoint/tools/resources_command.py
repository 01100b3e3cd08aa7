"""Derive the memory and run times that a cluster profile asks for from finished runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.method.rows_file import job_of
from cutpoint.tools import resources


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    known = resources.Policy()
    methods = Path("config", "methods.yaml")
    parser.add_argument(
        "--methods", type=Path, default=methods, help="says which methods have a rule of their own; default %(default)s"
    )
    parser.add_argument("folders", metavar="FOLDER", nargs="+", type=Path, help="that results/ and logs/ stand in")
    parser.add_argument(
        "--write", metavar="PROFILE", type=Path, help="replace the block of this config.yaml; default: print it"
    )
    for name, about in (
        ("quantile", "of the jobs of a rule that the first try must suffice for"),
        ("memory_margin", "what the memory of that quantile is multiplied by"),
        ("time_margin", "what its wall time is multiplied by"),
        ("snakemake_mb", "megabytes of Snakemake's own processes in a job"),
        ("memory_limit", "megabytes, as in config.yaml"),
    ):
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, type=float, default=getattr(known, name), help=f"{about}; default %(default)s")


def run(given: argparse.Namespace) -> None:
    """Print the block, or write it into a profile.

    Raises:
        InputError: a folder without benchmarks, a bad number, or no such profile.
    """
    if not 0 <= given.quantile <= 1:
        raise InputError(f"--quantile: must be from 0 to 1, got {given.quantile:g}")
    for name in ("memory_margin", "time_margin", "snakemake_mb", "memory_limit"):
        if not getattr(given, name) > 0:
            raise InputError(f"--{name.replace('_', '-')}: must be above 0, got {getattr(given, name):g}")
    policy = resources.Policy(
        given.quantile, given.memory_margin, given.time_margin, given.snakemake_mb, given.memory_limit
    )
    block = resources.block(resources.measure(given.folders, external_jobs(given.methods)), policy)
    if given.write is None:
        print(block, end="")
    elif given.write.is_file():
        given.write.write_text(resources.replace_block(given.write.read_text(), block))
    else:
        raise InputError(f"--write: no such file: {given.write}")


def external_jobs(methods: Path) -> set[str]:
    """Return the jobs of the external methods in a file of rows, which are their rules.

    Raises:
        InputError: no such file.
    """
    if not methods.is_file():
        raise InputError(f"--methods: no such file: {methods}; run this in the clone")
    rows = read_yaml(methods)
    return {job_of(name, row) for name, row in rows.items() if row.get("category") == "external"}
