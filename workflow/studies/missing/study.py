"""What is special in missing cells: paired differences between what is done with them, and their figure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, Numbers, frame, measure, statistic
from cutpoint.bench.engine.tables import Absent, lines_of
from cutpoint.bench.plots import lines
from cutpoint.plots.style import Figure

COMPLETE = "complete"  # the noise without missing cells
MECHANISMS = {"mcar": "completely at random", "mar": "at random"}
SHARES = (5, 15, 30)  # percent of the cells of a column that has missing ones
TREATMENTS = {"drop": "dropped", "impute": "imputed"}


def noise(mechanism: str, share: int, treatment: str) -> str:
    """Return the name of the noise of some missing cells and what is done with them."""
    return f"{mechanism}{share}_{treatment}"


def _kinds() -> Iterator[tuple[str, str, int]]:
    """Yield a name for each kind of missing cells, its mechanism and its share."""
    yield from ((f"{mechanism}{share}", mechanism, share) for mechanism in MECHANISMS for share in SHARES)


def change(inputs: Inputs, *, grid: str) -> Columns:
    """Return the SHD with missing cells imputed less that with their records dropped, a column for each kind."""
    pairs = {name: (f"{name}_impute", f"{name}_drop") for name, *_ in _kinds()}
    return _differences(measure(inputs, grid), pairs)


def loss(inputs: Inputs, *, grid: str) -> Columns:
    """Return the SHD with missing cells less that of complete data, a column for each kind and treatment."""
    names = [noise(mechanism, share, done) for _, mechanism, share in _kinds() for done in TREATMENTS]
    return _differences(measure(inputs, grid), {name: (name, COMPLETE) for name in names})


def _differences(source: Columns, pairs: dict[str, tuple[str, str]]) -> Columns:
    """Return differences of two columns each, paired by network; those whose columns were both run."""
    ran = {name: (source[one], source[other]) for name, (one, other) in pairs.items() if {one, other} <= {*source}}
    return {name: _difference(*pair) for name, pair in ran.items()}


def _difference(one: Numbers, other: Numbers) -> Numbers:
    coverage = other.coverage.where(one.coverage["runs"] > 0, one.coverage)  # why a difference is missing
    coverage[["runs", "expected"]] = np.minimum(
        one.coverage[["runs", "expected"]], other.coverage[["runs", "expected"]]
    )
    coverage["whole"] = one.coverage["whole"] & other.coverage["whole"]
    rows = frame(statistic(one.rows) - statistic(other.rows), one.rows.index)
    return Numbers(rows, coverage, min(one.replicates, other.replicates))


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw what missing cells cost, a panel for each method and a line for each mechanism and treatment."""
    source, lines_by = measure(inputs, "loss"), dict[str, list[lines.Line]]()
    for mechanism in MECHANISMS:
        for done, word in TREATMENTS.items():
            places = [(float(share), noise(mechanism, share, done)) for share in SHARES]
            ran = [(x, name) for x, name in places if name in source]
            for line in lines_of(inputs, source, ran) if ran else ():
                from_0 = (np.append(0.0, numbers) for numbers in (line.x, line.y, line.low, line.high))
                lines_by.setdefault(line.label, []).append(lines.Line(f"{mechanism.upper()}, {word}", *from_0))
    if not lines_by:
        raise Absent("no runs with missing cells")
    panels = [lines.LinePanel(m.label, lines_by[m.label], "% missing", category=m.category) for m in inputs.methods]
    return lines.rows_of_lines(
        panels, ylabel="SHD above that of complete data", title=title, columns=2, height=1.3, spread=0.6, scale=scale
    )
