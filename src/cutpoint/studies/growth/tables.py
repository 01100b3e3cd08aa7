"""The tables of the study: exponents, and the seconds that they are fitted to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import interval
from cutpoint.studies.growth import evidence
from cutpoint.studies.growth.evidence import RECORDS, VARIABLES, Axis
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.tables import Column, of_methods

NOISE = f"Sizes at which a run takes less than {1000 * evidence.FLOOR:.0f} ms are noise and start-up, and in no fit."


def table_exponents(inputs: Inputs) -> Table:
    """Return the exponents of every method, what a run takes at the size of reference, and how well the laws fit."""
    rows = [
        Row(m.name, m.label, m.category, (*_law(inputs, RECORDS, i), *_law(inputs, VARIABLES, i)))
        for i, m in enumerate(inputs.methods)
    ]
    heads = [f"{kind}, {axis.text}" for axis in (RECORDS, VARIABLES) for kind in KINDS]
    return Table(
        name="table_exponents",
        title="Exponents of the cost",
        caption="A run takes about seconds x (size / reference)^exponent: the exponent with its 95 % interval over "
        "replicates, CPU seconds of the law at 1000 records or 20 variables, the largest deviation of a size "
        "from the law in percent, and at how many sizes a run takes long enough to count.",
        key="method",
        columns=tuple(heads),
        rows=tuple(rows),
        scale=inputs.scale,
        panels=(
            ("By number of records, one network", range(len(KINDS))),
            ("By number of variables, random networks", range(len(KINDS), 2 * len(KINDS))),
        ),
        notes=(
            f"{NOISE} CPU seconds are medians over replicates. The law of the exact search, whose time doubles with "
            "each variable, is only a summary of the sizes that it can do. The rows of exact thresholds "
            "look at no more than 1000 candidates of a variable, and so grow more slowly above 1000 records.",
        ),
        missing=" and ".join(filter(None, (inputs.missing(axis.grid) for axis in (RECORDS, VARIABLES)))),
    )


KINDS = ("Exponent", "Seconds", "Deviation, %", "Sizes")


def _law(inputs: Inputs, axis: Axis, i: int) -> tuple[Cell, ...]:
    law, source = evidence.fitted(inputs, axis), evidence.seconds(inputs, axis)
    sizes = int(evidence.used(inputs, axis)[i].sum())
    why = _reason(inputs, axis, i)
    several = evidence.units(inputs, axis) > 1
    low, high = interval(law.exponent[1:, i]) if several else (np.nan, np.nan)
    deviation = float(law.deviation[0, i]) if sizes > 2 else np.nan
    return (
        Cell(float(law.exponent[0, i]), low=float(low), high=float(high), reason=why),
        Cell(float(law.scale[0, i]), reason=why, digits=3),
        Cell(100 * deviation, reason=why or "two sizes fit any law", digits=0),
        Cell(sizes, runs=int(source.runs[i].sum()), expected=int(source.expected[i].sum())),
    )


def _reason(inputs: Inputs, axis: Axis, i: int) -> str:
    """Return why a method has no exponent, or ""."""
    source = evidence.seconds(inputs, axis)
    if evidence.used(inputs, axis)[i].sum() > 1:
        return ""
    if np.isfinite(source.values[0, i]).any():
        return f"fewer than two sizes of {1000 * evidence.FLOOR:.0f} ms and more"
    return next(filter(None, source.reasons[i]), "") or inputs.missing(axis.grid)


def table_records(inputs: Inputs) -> Table:
    """Return CPU seconds by number of records."""
    return _seconds(inputs, RECORDS, "table_records", "N = {:g}", "Cost by number of records")


def table_variables(inputs: Inputs) -> Table:
    """Return CPU seconds by number of variables."""
    return _seconds(inputs, VARIABLES, "table_variables", "{:g} variables", "Cost by number of variables")


def _seconds(inputs: Inputs, axis: Axis, name: str, heading: str, title: str) -> Table:
    source = evidence.seconds(inputs, axis)
    columns = [Column(heading.format(size), source, size, digits=4) for size in source.names]
    return of_methods(
        inputs,
        [("", columns)],
        name=name,
        title=f"{title} in CPU seconds",
        caption="CPU seconds of a run, discretization and learning: the median over replicates with its 95 % bootstrap "
        "interval.",
        scale=inputs.scale_of(axis.grid),
        notes=(f"{NOISE} They are shown as measured.",),
        missing=inputs.missing(axis.grid),
    )


TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_exponents": table_exponents,
    "table_records": table_records,
    "table_variables": table_variables,
}
