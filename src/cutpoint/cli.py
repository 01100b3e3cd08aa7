"""The command `cutpoint`: a table of subcommands, and one line for an error."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from cutpoint.base.errors import InputError, line_of
from cutpoint.base.text import printable

COMMANDS = {
    "learn": "cutpoint.commands.learn",
    "methods": "cutpoint.commands.methods",
    "networks": "cutpoint.commands.networks",
    "report": "cutpoint.bench.commands.report",
    "new-method": "cutpoint.bench.commands.new_method",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code.

    It is 1 for bad input and for a file that cannot be read or written; argparse ends with 2 for a wrong command line.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # of names that the terminal cannot show
    options = parse(arguments)
    try:
        return options.run(options) or 0
    except (InputError, OSError) as problem:
        line = line_of(problem)
        if line is None and isinstance(problem, OSError) and problem.filename:
            line = f"{problem.filename}: {problem.strerror}"
        if line is None:
            raise
        print(f"cutpoint: {printable(line)}", file=sys.stderr)
        return 1


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; settings, KEY=VALUE, may stand before and after them."""
    whole = parser()
    options, rest = whole.parse_known_args(arguments)
    if rest and ("settings" not in options or any(word.startswith("-") for word in rest)):
        whole.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.settings += rest
    return options


def parser() -> argparse.ArgumentParser:
    """Return the parser of all subcommands."""
    whole = argparse.ArgumentParser(
        prog="cutpoint", description="Discretization and structure of Bayesian networks, from a file."
    )
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    for name, path in COMMANDS.items():
        module = import_module(path)
        about = (module.__doc__ or "").partition("\n")[0]
        one = commands.add_parser(name, help=about, description=about)
        module.add_arguments(one)
        one.set_defaults(run=module.run)
    return whole
