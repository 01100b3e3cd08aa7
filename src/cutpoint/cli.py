"""The command `cutpoint`: a table of subcommands, and one line for an error."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import NoReturn

from cutpoint.base.errors import InputError, line_of
from cutpoint.base.text import printable, suggest

COMMANDS = {  # a module with `add_arguments` and `run`, imported when it is called, and what it does
    "learn": ("cutpoint.commands.learn", "learn a graph and thresholds from a file by one method, and fit the network"),
    "report": ("cutpoint.bench.commands.report", "compare the methods on a file: which to take, its graph, all models"),
    "methods": ("cutpoint.commands.methods", "list the methods by category, or explain one"),
    "networks": ("cutpoint.commands.networks", "list the networks to simulate from, or fetch larger ones as BIF files"),
    "new-method": ("cutpoint.bench.commands.new_method", "write a working method for you to change, and its row"),
}
CODES = "exit codes: 0 done, 1 bad input, 2 wrong command line"
START = """\
cutpoint learns Bayesian networks from continuous data. Three things to do first:

  cutpoint learn my.csv     graph, thresholds and a fitted network, by the default method
  cutpoint report my.csv    compare the methods on your file: a report for the browser
  cutpoint methods          what else can learn

`cutpoint --help` lists all commands, `cutpoint learn --help` the options of one."""


class Parser(argparse.ArgumentParser):
    """A parser of one subcommand, which says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        """End with the exit code 2."""
        self.exit(2, f"{self.prog}: {printable(message)}\n")

    def parsed(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the options of a command line, in which settings, KEY=VALUE, stand anywhere."""
        options, unknown = self.parse_known_intermixed_args(words)
        for word in sorted(unknown, key=lambda word: not word.startswith("-"))[:1]:
            name = word.partition("=")[0]
            options_here = [option for option in self._option_string_actions if option.startswith("--")]
            hint = suggest(name, options_here, lister=f"{self.prog} --help lists all")
            self.error(f"unknown option {name!r}{hint}" if name.startswith("-") else f"{word!r} is one word too many")
        return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code.

    It is 1 for bad input and for a file that cannot be read or written; a wrong command line ends the process with 2.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # of names that the terminal cannot show
    words = sys.argv[1:] if arguments is None else [*arguments]
    if not words:
        print(START)
        return 0
    options = parse(words)
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


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a subcommand, and as `run` the function that takes them."""
    name, *rest = words
    if name not in COMMANDS:
        return _other(name)
    path, about = COMMANDS[name]
    module = import_module(path)
    parser = Parser(f"cutpoint {name}", description=f"{about[0].upper()}{about[1:]}.", epilog=CODES, allow_abbrev=False)
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    return parser.parsed(rest)


def _other(word: str) -> argparse.Namespace:
    """Return what prints the help or the version; end with the exit code 2 where a word is no command."""
    if word in ("-h", "--help"):
        listed = [f"  {name:<12}{about}" for name, (_, about) in COMMANDS.items()]
        ends = "`cutpoint COMMAND --help` lists the options of a command, `cutpoint --version` prints the version."
        text = "\n".join(["usage: cutpoint COMMAND ...", "", "commands:", *listed, "", ends, CODES])
    elif word == "--version":
        from cutpoint.base.distribution import package_version

        text = f"cutpoint {package_version()}"
    else:
        kind, names = ("option", ["--help", "--version"]) if word.startswith("-") else ("command", COMMANDS)
        Parser("cutpoint").error(f"unknown {kind} {word!r}{suggest(word, names)}")
    return argparse.Namespace(run=lambda options: print(text))
