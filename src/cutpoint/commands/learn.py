"""Learn from a file by the default or another method, and write the fitted network or the graph to a file."""

import argparse
import warnings
from pathlib import Path
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, printable
from cutpoint.commands.settings import HELP, reading
from cutpoint.method.registry import DEFAULT

DOT = "dot"  # the ending of a file that has the graph alone


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the subcommand."""
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, Feather or Arrow")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help=HELP)
    parser.add_argument("--method", default=DEFAULT, help="one of those that `methods` lists; default %(default)s")
    parser.add_argument(
        *("-o", "--output"),
        metavar="MODEL",
        help="file to write, in the format that its ending names: .bif, .json...; .dot has the graph alone",
    )


def run(options: argparse.Namespace) -> None:
    """Learn, fit, print the model, or the graph of a method without thresholds, and write it."""
    import cutpoint as cp  # loads packages that other subcommands do not need

    settings = reading(options.settings, "learn", "knowledge")
    _check(options)
    knowledge, missing = settings.pop("knowledge", None), settings.get("missing", "refuse")
    table = cp.read_data(options.file, **settings)
    size = f"{len(table)} rows, {len(table.variables)} columns"
    print(f"{printable(Path(options.file).name)}: {size}; {options.method}", flush=True)
    learned: Any = cp.learn(table, options.method, knowledge=knowledge, missing=missing)
    model = None if learned.thresholds is None else learned.fit(table, missing=missing)
    if learned.note:
        print(learned.note)
    print(printable("\n".join(_graph(learned)) if model is None else model))
    if options.output:
        _write(options, learned, model)
        print(f"wrote {printable(options.output)}")


def _check(options: argparse.Namespace) -> None:
    """Refuse a method or a file before anything is learned."""
    from cutpoint.method.rows import method_of, method_rows
    from cutpoint.models.formats import ending_of

    method_of(options.method, {})
    ending = options.output and ending_of(options.output, DOT)
    if ending and not (folder := Path(options.output).parent).is_dir():
        raise InputError(f"{options.output}: there is no folder {folder}")
    if ending and Path(options.output).resolve() == Path(options.file).resolve():
        raise InputError(f"{options.output}: is the file of the data; write to another one")
    if ending and ending != DOT and method_rows()[options.method]["category"] == "direct":
        raise _no_levels(options)


def _no_levels(options: argparse.Namespace) -> InputError:
    hint = "`cutpoint methods integrated` and `cutpoint methods prediscretization` list methods that have them"
    return InputError(
        f"{options.output}: {options.method} has no thresholds, and a fitted network needs levels; {hint}, and "
        f"{Path(options.output).with_suffix('.' + DOT)} would have the graph alone"
    )


def _graph(learned: Any) -> list[str]:
    """Return a graph without tables in lines: its score and its edges, of its equivalence class."""
    edges = learned.edges()
    apart = [name for name in learned.variables if not any(name in edge[:2] for edge in edges)]
    lines = [f"{learned}, no thresholds: the graph alone, as a fitted network needs levels"]
    lines += [f"  {edge.source} {'->' if edge.directed else '--'} {edge.target}" for edge in edges]
    return [*lines, *([f"  without edges: {listed(apart)}"] if apart else [])]


def _write(options: argparse.Namespace, learned: Any, model: Any) -> None:
    if Path(options.output).suffix.lower() == f".{DOT}":
        Path(options.output).write_text(learned.to_dot(), encoding="utf-8")
    elif model is None:
        raise _no_levels(options)
    else:
        with warnings.catch_warnings(record=True) as problems:
            warnings.simplefilter("always")
            model.write(options.output)
        print(*(printable(problem.message) for problem in problems), sep="\n", end="\n" * bool(problems))
