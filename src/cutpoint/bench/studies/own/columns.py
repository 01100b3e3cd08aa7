"""What the columns of the data are, and where the methods cut them."""

import textwrap
from collections.abc import Sequence

import numpy as np

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Data, Inputs
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import densities, dots
from cutpoint.bench.studies.own.outcomes import WHOLE, Outcome, continuous, data, lost, outcomes
from cutpoint.data.times import dates_of
from cutpoint.plots.style import Figure

DIRECT, ONE = "-", "one level"
NO_COLUMNS = "no continuous columns"
LONGEST = 60  # characters of the names of states
LINE = 110  # characters of a line of a title
WRITTEN = 12  # digits before the point up to which a number is written without a power of ten
DIGITS = range(4, 18)  # significant digits tried, the last of which give every float64 back


def columns_table(inputs: Inputs) -> Content:
    """Return type, distinct values and range of every column."""
    table = data(inputs)
    why, others = detected(table)
    rows = []
    for i, name in enumerate(table.variables):
        kind, values = "discrete" if table.discrete[i] else "continuous", present(table, i)
        about = _states(table, name, values) if table.discrete[i] else _numbers(values, name in times(table))
        rows.append(Row(name, name, "", (Cell(kind), Cell(why.get(name, "")), *about)))
    return Content(
        "variable",
        ("Type", "Why", "Distinct values", "States", "Minimum", "Median", "Maximum"),
        rows,
        notes=[note if note.endswith(".") else f"{note}." for note in others],
        missing="" if table.status == OK else lost(inputs, WHOLE),
    )


def present(table: Data, i: int) -> np.ndarray:
    """Return the values of a column that are not missing, float64."""
    return table.values[~np.isnan(table.values[:, i]), i]


def detected(table: Data) -> tuple[dict[str, str], list[str]]:
    """Return why each column has its type, by its name, and the other notes on the data."""
    lines, others = {}, []
    for note in table.notes:
        # "name: type (why)", the longest name first: one name may be the start of another
        named = (name for name in sorted(table.variables, key=len, reverse=True) if note.startswith(f"{name}: "))
        if name := next(named, ""):
            lines[name] = note.removeprefix(f"{name}: ").partition(" (")[2].removesuffix(")")
        else:
            others.append(note)
    return lines, others


def _states(table: Data, name: str, codes: np.ndarray) -> tuple[Cell, ...]:
    names = ", ".join(table.levels.get(name, ()))
    names = names if len(names) <= LONGEST else names[: LONGEST - 3].rstrip(", ") + "..."
    return Cell(len(np.unique(codes))), Cell(names), Cell(), Cell(), Cell()


def times(table: Data) -> list[str]:
    """Return the columns of times."""
    return [name for name, why in detected(table)[0].items() if why.startswith("times")]


def _numbers(values: np.ndarray, are_times: bool) -> tuple[Cell, ...]:
    spread = [float(values.min()), float(np.median(values)), float(values.max())]
    written = dates_of(np.array(spread)) if are_times else [f"{number:.6g}" for number in spread]
    return Cell(len(np.unique(values))), Cell(), *map(Cell, written)


def thresholds_table(inputs: Inputs) -> Content:
    """Return the thresholds of every continuous column by method."""
    table, methods = data(inputs), outcomes(inputs)
    names = {i: table.variables[i] for i in continuous(table)}
    rows = [
        Row(name, name, "", tuple(_cuts(each, i, table.values[:, i], name in times(table)) for each in methods))
        for i, name in names.items()
    ]
    missing = lost(inputs, WHOLE) or ("" if rows else NO_COLUMNS)
    return Content("variable", [m.label for m in inputs.methods], rows, missing=missing)


def _cuts(outcome: Outcome, i: int, values: np.ndarray, are_times: bool) -> Cell:
    if outcome.graph is None:
        return Cell(reason=outcome.reason)
    if outcome.thresholds is None:
        return Cell(DIRECT)
    cuts = outcome.thresholds[i]
    written = dates_of(cuts) if are_times else texts(values, cuts)
    return Cell(f"{' | '.join(written)} ({len(cuts) + 1})" if len(cuts) else ONE)


def texts(values: np.ndarray, cuts: Sequence[float] | np.ndarray) -> list[str]:
    """Return thresholds with as few digits, at least four, as give all records the same levels and tell them apart."""
    levels, written = np.searchsorted(cuts, values, side="right"), list[str]()
    for digits in DIGITS:
        written = [f"{float(f'{cut:.{digits}g}'):.{max(digits, WRITTEN)}g}" for cut in cuts]
        typed = np.array(written, float)
        if len(set(written)) == len(written) and np.array_equal(np.searchsorted(typed, values, side="right"), levels):
            break
    return written


def thresholds_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw every continuous column with the thresholds of every method."""
    table, columns = data(inputs), continuous(data(inputs))
    learned = [each for each in outcomes(inputs) if each.thresholds is not None]
    why = lost(inputs, WHOLE) or ("" if columns else NO_COLUMNS)
    if why := why or ("" if learned else "no method with thresholds has succeeded"):
        raise Absent(why)
    left = [each.method.label for each in outcomes(inputs) if each.status != OK]
    failed = "\n" + textwrap.fill(f"failed: {', '.join(left)}", LINE) if left else ""
    variables = [
        densities.Variable(
            table.variables[i], present(table, i), [each.thresholds[i] for each in learned if each.thresholds]
        )
        for i in columns
    ]
    title += f"\na row without ticks: one level; < and >: thresholds out of view{failed}"
    rows = [dots.DotRow(each.method.label, each.method.category) for each in learned]
    return densities.thresholds(rows, variables, title=title, scale=scale)
