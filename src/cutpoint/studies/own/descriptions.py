"""What the columns of the data are, and where the methods cut them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.inputs import Data, Inputs
from cutpoint.studies.own.outcomes import WHOLE, Outcome, basis, continuous, data, lost, outcomes

DIRECT, ONE = "-", "one level"
LONGEST = 60  # characters of the names of states
WRITTEN = 12  # digits before the point up to which a number is written without a power of ten
DIGITS = range(4, 18)  # significant digits tried, the last of which tell all float64 apart


def detected(found: Data) -> tuple[Mapping[str, str], list[str]]:
    """Return why each column has its type, by its name, and the other notes on the data."""
    lines, others = {}, []
    for note in found.notes:
        # "name: type (why)", the longest name first: one name may be the start of another
        named = (name for name in sorted(found.variables, key=len, reverse=True) if note.startswith(f"{name}: "))
        if name := next(named, ""):
            lines[name] = note.removeprefix(f"{name}: ").partition(" (")[2].removesuffix(")")
        else:
            others.append(note)
    return lines, others


def table_columns(inputs: Inputs) -> Table:
    """Return type, distinct values and range of every column."""
    found = data(inputs)
    why, others = detected(found)
    rows = []
    for i, name in enumerate(found.variables):
        about = _states(found, name, found.values[:, i]) if found.discrete[i] else _numbers(found.values[:, i])
        cells = (Cell("discrete" if found.discrete[i] else "continuous"), Cell(why.get(name, "")), *about)
        rows.append(Row(name, name, "", cells))
    return Table(
        name="table_columns",
        title="Columns of the data",
        caption="What each column was taken for. Look for numbers that are codes of states, and for states that are "
        "numbers: name them under `discrete` or `continuous` if they were taken wrongly.",
        key="column",
        columns=("Type", "Why", "Distinct values", "States", "Minimum", "Median", "Maximum"),
        rows=tuple(rows),
        scale=basis(inputs, WHOLE),
        notes=tuple(note if note.endswith(".") else f"{note}." for note in others),
        missing="" if found.status == "ok" else lost(inputs, WHOLE),
    )


def _states(found: Data, name: str, codes: np.ndarray) -> tuple[Cell, ...]:
    shown = ", ".join(found.levels.get(name, ()))
    shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 3].rstrip(", ") + "..."
    return Cell(len(np.unique(codes))), Cell(shown), Cell(), Cell(), Cell()


def _numbers(values: np.ndarray) -> tuple[Cell, ...]:
    spread = (float(values.min()), float(np.median(values)), float(values.max()))
    return Cell(len(np.unique(values))), Cell(), *(Cell(f"{number:.6g}") for number in spread)


def texts(cuts: Sequence[float] | np.ndarray) -> list[str]:
    """Return thresholds with as few digits as tell them apart, at least four."""
    shown: list[str] = []
    for digits in DIGITS:
        shown = [f"{float(f'{cut:.{digits}g}'):.{max(digits, WRITTEN)}g}" for cut in cuts]
        if len(set(shown)) == len(cuts):
            break
    return shown


def table_thresholds(inputs: Inputs) -> Table:
    """Return the thresholds of every continuous column by method."""
    found, methods = data(inputs), outcomes(inputs)
    rows = [
        Row(found.variables[i], found.variables[i], "", tuple(_cuts(each, i) for each in methods))
        for i in continuous(found)
    ]
    return Table(
        name="table_thresholds",
        title="Thresholds",
        caption="Where each method cuts a column, and in brackets into how many levels, learned from the whole data. "
        f'"{ONE}": the method found no cut worth making; "{DIRECT}": it works on the numbers as they are.',
        key="column",
        columns=tuple(m.label for m in inputs.methods),
        rows=tuple(rows),
        scale=basis(inputs, WHOLE),
        notes=("A record on a threshold belongs to the level above it. Discrete columns are left out.",),
        missing=lost(inputs, WHOLE) or ("" if rows else "no continuous columns"),
    )


def _cuts(found: Outcome, i: int) -> Cell:
    if found.graph is None:
        return Cell(reason=found.reason)
    if found.thresholds is None:
        return Cell(DIRECT)
    cuts = found.thresholds[i]
    return Cell(f"{' | '.join(texts(cuts))} ({len(cuts) + 1})" if len(cuts) else ONE)
