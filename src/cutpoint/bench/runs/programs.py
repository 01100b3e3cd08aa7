"""Learners that are programs: a folder with a data set as CSV files, a command, and the CSV files that it leaves.

The command runs in the folder, which holds ``data.csv`` (a header of variable names, then records: codes 0..r-1 in
discrete columns, and in all columns after a discretization) and ``columns.csv`` (variable, discrete, levels). Options
follow the command as ``--key value``. It writes ``edges.csv`` (source, target, directed) and, if it can,
``thresholds.csv`` (variable, threshold) and ``costs.csv`` (name, value).
"""

import csv
import json
import math
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from threading import Thread
from typing import IO, Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.data import params, schemas
from cutpoint.bench.evaluation.rows import graph_of_rows, thresholds_of_rows
from cutpoint.bench.runs.runner import COSTS, About
from cutpoint.bench.runs.supervise import CHUNK, Killed, Output, die_with_parent
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import check_acyclic
from cutpoint.learners.learned import Learned

TRUTH = {"true": True, "1": True, "false": False, "0": False}


def learn(
    values: np.ndarray,
    discrete: np.ndarray,
    thresholds: Sequence[np.ndarray] | None,
    *,
    about: About,
    command: str | Sequence[str],
    options: Mapping[str, Any],
    folder: str,
) -> Learned:
    """Return what a program learns from one data set; for a child process.

    With thresholds the program gets codes. The folder is emptied first, and the working directory of the program. No
    shell reads the command.

    Raises:
        InputError: naming the exit code and the last line of an error, or the file, line and column that is wrong.
        Killed: by something else than a limit.
    """
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    table = values if thresholds is None else encode(values, thresholds)
    levels = [about.levels.get(name) for name in about.columns]
    if thresholds is not None:
        levels = [len(cuts) + 1 for cuts in thresholds]
    coded = discrete if thresholds is None else np.ones(len(discrete), bool)
    _write(folder, about.columns, table, coded, levels)
    _run([*params.words(command), *arguments(options)], folder)
    learned = _read(folder, about.columns)
    if thresholds is not None:
        if learned.thresholds is not None:
            raise InputError("thresholds.csv: the program was given codes; leave the file or the row's discretizer out")
        learned.thresholds = list(thresholds)
    return learned


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Return options as words ``--key value``: true and false for booleans, JSON for lists; null is left out."""
    return [
        word
        for key, value in options.items()
        if value is not None
        for word in (f"--{key}", value if isinstance(value, str) else json.dumps(value))
    ]


def _run(command: list[str], folder: str) -> None:
    """Run a command to its end; what it prints goes where this process prints."""
    try:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=die_with_parent
        )
    except FileNotFoundError:
        raise InputError(f"no program {command[0]!r} in PATH; install it, or leave the row out") from None
    except OSError as problem:
        raise InputError(f"{command[0]}: cannot be started ({problem.strerror})") from None
    errors = Output()
    reader = Thread(target=_copy, args=(process.stderr, errors), daemon=True)
    reader.start()
    code = process.wait()
    reader.join(1.0)  # not for ever: what it left in the background may hold it open
    if code == -signal.SIGKILL:
        raise Killed("the program was killed, most likely by the system for lack of memory")
    if code:
        how = f"ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        raise InputError(": ".join([f"the program {how}", *(line.strip() for line in errors.lines()[-1:])]))


def _copy(stream: IO[bytes], errors: Output) -> None:
    while printed := os.read(stream.fileno(), CHUNK):
        errors.take(printed)
        os.write(2, printed)


def _write(
    folder: str, variables: Sequence[str], table: np.ndarray, discrete: np.ndarray, levels: Sequence[int | None]
) -> None:
    """Write ``data.csv``, values or codes [N, n], and ``columns.csv``, with numbers of states where they are known."""
    columns = [c.astype(int).tolist() if d else c.tolist() for c, d in zip(table.T, discrete, strict=True)]
    with open(os.path.join(folder, "data.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(variables)
        writer.writerows(zip(*columns, strict=True))
    with open(os.path.join(folder, "columns.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("variable", "discrete", "levels"))
        for name, column, codes, n_levels in zip(variables, columns, discrete, levels, strict=True):
            writer.writerow((name, "true", n_levels or max(column) + 1) if codes else (name, "false", ""))


def _read(folder: str, variables: Sequence[str]) -> Learned:
    """Return what a program left; an InputError names the file, the line and the column that is wrong."""
    edges = _edges(_lines(folder, "edges.csv", ("source", "target", "directed")))
    graph = graph_of_rows(edges, variables, _where)
    costs = _costs(_lines(folder, "costs.csv", ("name", "value"), needed=False))
    kind = costs.pop("kind", "pdag" if (graph & graph.T).any() else "dag")
    if kind == "dag":
        check_acyclic(graph, "edges.csv", variables)
    thresholds = None
    if os.path.exists(os.path.join(folder, "thresholds.csv")):
        cuts = _thresholds(_lines(folder, "thresholds.csv", ("variable", "threshold")))
        thresholds = thresholds_of_rows(cuts, variables, _where)
    learned = Learned(kind=kind, thresholds=thresholds, **costs)
    if kind == "dag":
        learned.dag = graph
    else:
        learned.cpdag = graph
    return learned


def _lines(folder: str, name: str, columns: Sequence[str], needed: bool = True) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where a line stands and its cells by column."""
    try:
        with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except FileNotFoundError:
        if needed:
            raise InputError(f"the program left no {name}") from None
        return
    except (OSError, ValueError, csv.Error) as problem:
        raise InputError(f"{name}: not a CSV file in UTF-8 ({problem})") from None
    header = [cell.strip() for cell in rows[0]] if rows else []
    for column in columns:
        if column not in header:
            raise InputError(f"{name}, line 1: no column {column}; the header is {','.join(columns)}")
    for number, cells in enumerate(rows[1:], 2):
        if cells:
            if len(cells) != len(header):
                raise InputError(f"{name}, line {number}: {len(cells)} cells where the header has {len(header)}")
            yield f"{name}, line {number}", dict(zip(header, map(str.strip, cells), strict=True))


def _where(row: Mapping[str, Any], column: str) -> str:
    """Return the file and line of a row, and the column if one is meant."""
    return f"{row['place']}, column {column}" if column else row["place"]


def _edges(lines: Iterator[tuple[str, dict[str, str]]]) -> Iterator[schemas.Row]:
    for place, cells in lines:
        if cells["directed"].lower() not in TRUTH:
            raise InputError(f"{place}, column directed: true or false is expected, got {cells['directed']!r}")
        yield {**cells, "place": place, "directed": TRUTH[cells["directed"].lower()]}


def _thresholds(lines: Iterator[tuple[str, dict[str, str]]]) -> Iterator[schemas.Row]:
    for position, (place, cells) in enumerate(lines):
        threshold = _number(place, "threshold", cells["threshold"])
        yield {**cells, "place": place, "position": position, "threshold": threshold}


def _costs(lines: Iterator[tuple[str, dict[str, str]]]) -> schemas.Row:
    costs: schemas.Row = {}
    for place, cells in lines:
        name, text = cells["name"], cells["value"]
        if name == "kind":
            if text not in ("dag", "pdag"):
                raise InputError(f"{place}, column value: the kind is dag or pdag, not {text!r}")
            costs[name] = text
        elif name not in COSTS:
            raise InputError(f"{place}, column name: unknown {name!r} (known: kind, {', '.join(COSTS)})")
        elif text:  # an empty one is not reported
            costs[name] = _number(place, "value", text)
            if pa.types.is_integer(schemas.RUNS.field(name).type):
                if not costs[name].is_integer():
                    raise InputError(f"{place}, column value: {name} is a whole number, not {text!r}")
                costs[name] = int(costs[name])
    return costs


def _number(place: str, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{place}, column {column}: {text!r} is not a finite number")
    return value
