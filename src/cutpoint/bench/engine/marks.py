"""Which numbers of a table are in bold: the best of a column and those that are not significantly worse."""

from __future__ import annotations

import numpy as np

from cutpoint.bench.engine.declaration import Measure
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import Columns, grouped, inputs_of, number
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.bench.statistics.winners import winners

COSTS = ("seconds", "peak_mb", "score_calls", "discretization_calls")  # which differ by factors
COMPLETE = 0.75  # share of its runs of which a method needs a value, as for ranks
FACTOR = 2.0  # between numbers in bold


@once
def unbeaten(inputs: Inputs, name: str, column: object, among: tuple[str, ...]) -> list[str]:
    """Return the methods that no other one beats significantly in a column of a measure.

    There is none below three replicates, from which nothing is concluded, and none where neither more nor less is
    better.

    Args:
        inputs: of the study.
        name: of the measure.
        column: of the measure.
        among: the methods to compare.
    """
    numbers, row = number(inputs, name, column), inputs.study.measures[name]
    if row.better == "neither" or numbers.replicates < FEWEST:
        return []
    runs, expected = numbers.coverage["runs"], numbers.coverage["expected"]
    enough = numbers.coverage.index[(runs > 0) & (runs >= COMPLETE * expected)]
    methods = [method for method in among if method in enough]
    judged = _judged(inputs, row).get(column, numbers)
    values = judged[methods]
    best = winners(values.map(np.log) if judged.log else values, lower_is_better=row.better == "lower")
    return [method for method, good in zip(methods, best, strict=True) if good]


def _judged(inputs: Inputs, row: Measure) -> Columns:
    """Return the numbers by which costs are compared, means of logarithms over cells; none for what is no cost.

    Of plain means the largest networks alone would decide, and a method that takes 100 times as long be tied.
    """
    if row.make or row.metric not in COSTS:
        return {}
    return grouped(inputs_of(inputs, row.of), row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over, True)


def marked(inputs: Inputs, name: str, column: object, among: tuple[str, ...]) -> list[str] | None:
    """Return the methods that are in bold in a column of a measure.

    There is none where one of these is worse than the best by more than a factor of two, since then too little is
    known, and None where there are replicates and numbers enough, but none whose cells are all there.
    """
    best, numbers = unbeaten(inputs, name, column, among), number(inputs, name, column)
    if not best:
        several = numbers.sample.reindex([*among]).count() > 1
        judged = inputs.study.measures[name].better != "neither"
        return None if several and numbers.replicates >= FEWEST and judged else []
    bold = numbers.sample[best]
    return [] if 0 < FACTOR * bold.min() < bold.max() else best
