"""List the methods that learn and report take, each with one line on what it is."""

import argparse

from cutpoint.base.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("words", metavar="WORD", nargs="*", help="only methods whose line has all of these; none: all")


def run(options: argparse.Namespace) -> None:
    """Print a line for each method that has all of the words."""
    import cutpoint as cp  # loads packages that other subcommands do not need

    words = [word.casefold() for word in options.words]
    lines = [line for line in str(cp.methods()).splitlines() if all(word in line.casefold() for word in words)]
    if not lines:
        raise InputError(f"no method has {' and '.join(options.words)} in its name or line; cutpoint methods lists all")
    print("\n".join(lines))
