"""The CSV files between us and a program that learns; see `cutpoint.runs.programs`."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.data import schemas
from cutpoint.graphs import records
from cutpoint.graphs.dags import check_acyclic
from cutpoint.learners.learned import Learned
from cutpoint.runs.runner import COSTS

TRUTH = {"true": True, "1": True, "false": False, "0": False}


def write(
    folder: str, variables: Sequence[str], table: np.ndarray, discrete: np.ndarray, levels: Sequence[int | None]
) -> None:
    """Write ``data.csv`` and ``columns.csv``.

    Args:
        folder: where.
        variables: n names.
        table: [N, n] values or codes.
        discrete: bool [n], the columns that hold codes.
        levels: numbers of states, where they are known.
    """
    columns = [c.astype(int).tolist() if d else c.tolist() for c, d in zip(table.T, discrete, strict=True)]
    with open(os.path.join(folder, "data.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(variables)
        writer.writerows(zip(*columns, strict=True))
    with open(os.path.join(folder, "columns.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("variable", "discrete", "levels"))
        for name, column, codes, known in zip(variables, columns, discrete, levels, strict=True):
            writer.writerow((name, "true", known or max(column) + 1) if codes else (name, "false", ""))


def read(folder: str, variables: Sequence[str]) -> Learned:
    """Return what a program left.

    Raises:
        InputError: naming the file, the line and the column that is wrong.
    """
    graph = _graph(_lines(folder, "edges.csv", ("source", "target", "directed")), variables)
    costs = _costs(_lines(folder, "costs.csv", ("name", "value"), needed=False))
    kind = costs.pop("kind", "pdag" if (graph & graph.T).any() else "dag")
    if kind == "dag":
        check_acyclic(graph, "edges.csv", variables)
    thresholds = None
    if os.path.exists(os.path.join(folder, "thresholds.csv")):
        thresholds = _thresholds(_lines(folder, "thresholds.csv", ("variable", "threshold")), variables)
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
        raise InputError(f"{name}: no CSV file in UTF-8 ({problem})") from None
    header = [cell.strip() for cell in rows[0]] if rows else []
    for column in columns:
        if column not in header:
            raise InputError(f"{name}, line 1: no column {column}; the header is {','.join(columns)}")
    for number, cells in enumerate(rows[1:], 2):
        if cells:
            if len(cells) != len(header):
                raise InputError(f"{name}, line {number}: {len(cells)} cells where the header has {len(header)}")
            yield f"{name}, line {number}", dict(zip(header, map(str.strip, cells), strict=True))


def _known(place: str, column: str, name: str, variables: Sequence[str]) -> str:
    if name not in variables:
        raise InputError(f"{place}, column {column}: unknown variable {name!r}")
    return name


def _graph(lines: Iterator[tuple[str, dict[str, str]]], variables: Sequence[str]) -> np.ndarray:
    rows: list[dict[str, Any]] = []
    pairs: set[frozenset[str]] = set()
    for place, cells in lines:
        source, target = (_known(place, end, cells[end], variables) for end in ("source", "target"))
        if source == target:
            raise InputError(f"{place}, column target: an edge from {source!r} to itself")
        pair = frozenset((source, target))
        if pair in pairs:
            raise InputError(f"{place}: the edge between {source!r} and {target!r} stands twice")
        pairs.add(pair)
        if cells["directed"].lower() not in TRUTH:
            raise InputError(f"{place}, column directed: true or false is expected, got {cells['directed']!r}")
        rows.append({"source": source, "target": target, "directed": TRUTH[cells["directed"].lower()]})
    return records.graph_of(rows, variables, "edges.csv")


def _thresholds(lines: Iterator[tuple[str, dict[str, str]]], variables: Sequence[str]) -> list[np.ndarray]:
    found: dict[str, list[float]] = {name: [] for name in variables}
    for place, cells in lines:
        cuts = found[_known(place, "variable", cells["variable"], variables)]
        cuts.append(_number(place, "threshold", cells["threshold"]))
        if len(cuts) > 1 and cuts[-1] <= cuts[-2]:
            raise InputError(f"{place}, column threshold: {cells['threshold']} is not above the one before it")
    return [np.array(found[name], float) for name in variables]


def _costs(lines: Iterator[tuple[str, dict[str, str]]]) -> dict[str, Any]:
    costs: dict[str, Any] = {}
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
