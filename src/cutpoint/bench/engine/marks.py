"""Which numbers of a table are in bold: the best of a column and those that are not significantly worse."""

from __future__ import annotations

import numpy as np

from cutpoint.bench.engine.declaration import Measure, declared
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import Columns, grouped, inputs_of, measure
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.bench.statistics.winners import winners

COSTS = ("seconds", "peak_mb", "score_calls", "discretization_calls")  # which differ by factors
COMPLETE = 0.75  # share of its runs of which a method needs a value, as for ranks
FACTOR = 2.0  # between numbers in bold


@once
def unbeaten(inputs: Inputs, name: str, column: object, among: tuple[int, ...]) -> tuple[int, ...]:
    """Return the methods that no other one beats significantly in a column of a measure.

    There is none below three replicates, from which nothing is concluded, and none where neither more nor less is
    better.

    Args:
        inputs: of the study.
        name: of the measure.
        column: of the measure.
        among: the methods to compare.
    """
    columns, row = measure(inputs, name), declared(inputs.study).measures[name]
    if row.better == "neither" or column not in columns.names:
        return ()
    k = columns.names.index(column)
    if columns.units[k] < FEWEST:
        return ()
    enough = (columns.runs[:, k] > 0) & (columns.runs[:, k] >= COMPLETE * columns.expected[:, k])
    rows = [i for i in np.flatnonzero(enough).tolist() if i in among]
    judged = _judged(inputs, row, columns)
    values = judged.strict[rows, judged.names.index(column)]
    best = winners(values.map(np.log) if judged.log else values, lower_is_better=row.better == "lower")
    return tuple(i for i, good in zip(rows, best, strict=True) if good)


def _judged(inputs: Inputs, row: Measure, columns: Columns) -> Columns:
    """Return the numbers by which methods are compared: of costs means of logarithms over cells.

    Of plain means the largest networks alone would decide, and a method that takes 100 times as long be tied.
    """
    if row.make or row.geometric or row.metric not in COSTS:
        return columns
    return grouped(inputs_of(inputs, row.of), row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over, True)


def marked(inputs: Inputs, name: str, column: object, among: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the rows that are in bold in a column of a measure.

    There is none where one of these is worse than the best by more than a factor of two, since then too little is
    known, and None where there are replicates and numbers enough, but none whose cells are all there.
    """
    best, source = unbeaten(inputs, name, column, among), measure(inputs, name)
    if column not in source.names:
        return ()
    k, better = source.names.index(column), declared(inputs.study).measures[name].better
    if not best:
        several = np.isfinite(source.sample[list(among), k]).sum() > 1
        return None if several and source.units[k] >= FEWEST and better != "neither" else ()
    numbers = source.sample[list(best), k]
    return () if 0 < FACTOR * numbers.min() < numbers.max() else best
