"""The command `cutpoint`: subcommands that are imported when they are called, and one line for an error."""

import sys
from collections.abc import Sequence
from contextvars import copy_context
from importlib import import_module
from io import TextIOWrapper
from types import SimpleNamespace

import click

from cutpoint import __version__
from cutpoint.base.errors import InputError, line_of
from cutpoint.base.text import printable

COMMANDS = {  # a module with `PARAMETERS` and `run`, and what it does
    "learn": ("cutpoint.commands.learn", "Learn a graph and thresholds from a file, fit the network."),
    "report": ("cutpoint.bench.commands.report", "Compare the methods on a file in a report for the browser."),
    "methods": ("cutpoint.commands.methods", "List the methods that people choose, or all; explain one."),
    "networks": ("cutpoint.commands.networks", "List networks to simulate from, or fetch larger ones."),
    "new-method": ("cutpoint.bench.commands.new_method", "Write a working method for you to change, and its row."),
}
CODES = "Exit codes: 0 done, 1 bad input, 2 wrong command line."
START = """\
cutpoint learns Bayesian networks from continuous data. Three things to do first:

  cutpoint learn my.csv     graph, thresholds and a fitted network, by the default method
  cutpoint report my.csv    compare the methods on your file: a report for the browser
  cutpoint methods          what else can learn

`cutpoint --help` lists all commands, `cutpoint learn --help` the options of one."""


class Subcommand(click.Command):
    """A command whose module is imported when its words are read, completed or run."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters that the module declares, and `--help`."""
        self.params = [*import_module(COMMANDS[ctx.info_name or ""][0]).PARAMETERS]
        return super().get_params(ctx)

    def invoke(self, ctx: click.Context) -> int | None:
        """Run the module on the values of the parameters, by their names, and return its exit code, if any."""
        return import_module(COMMANDS[ctx.info_name or ""][0]).run(SimpleNamespace(**ctx.params))


@click.group(
    commands={name: Subcommand(name, help=about, epilog=CODES) for name, (_, about) in COMMANDS.items()},
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=CODES,
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def start(context: click.Context) -> None:
    """Learn Bayesian networks from continuous data."""
    if context.invoked_subcommand is None:
        print(START)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code: 0, 1 for bad input or a failed file, 2 for a wrong command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # of names that the terminal cannot show
    try:
        return copy_context().run(start.main, arguments, "cutpoint", standalone_mode=False) or 0
    except click.UsageError as problem:
        path = problem.ctx.command_path if problem.ctx else "cutpoint"
        print(f"{path}: {printable(problem.format_message())}", file=sys.stderr)
        return problem.exit_code
    except click.Abort:
        return 130  # as shells have it for an interrupt
    except (InputError, OSError) as problem:
        line = line_of(problem)
        if line is None and isinstance(problem, OSError) and problem.filename:
            line = f"{problem.filename}: {problem.strerror}"
        if line is None:
            raise
        print(f"cutpoint: {printable(line)}", file=sys.stderr)
        return 1
