"""What is special in missing cells: paired differences between what is done with them, and their figure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cutpoint.bench.engine.declaration import Measure
from cutpoint.bench.engine.figures import Absent, lines_of
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, measure
from cutpoint.bench.plots import lines
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic, combine

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


def change(inputs: Inputs, row: Measure) -> Columns:
    """Return the SHD with missing cells imputed less that with their records dropped, a column for each kind."""
    names = [name for name, *_ in _kinds()]
    pairs = [(f"{name}_impute", f"{name}_drop") for name in names]
    return _differences(measure(inputs, row.grid), names, pairs)


def loss(inputs: Inputs, row: Measure) -> Columns:
    """Return the SHD with missing cells less that of complete data, a column for each kind and treatment."""
    names = [noise(mechanism, share, done) for _, mechanism, share in _kinds() for done in TREATMENTS]
    return _differences(measure(inputs, row.grid), names, [(name, COMPLETE) for name in names])


def _differences(source: Columns, names: list[str], pairs: list[tuple[str, str]]) -> Columns:
    """Return differences of two columns each, paired by network; those whose columns were both run."""
    ran = [k for k, pair in enumerate(pairs) if {*pair} <= {*source.names}]
    one, other = ([source.names.index(pairs[k][end]) for k in ran] for end in (0, 1))

    def between(numbers: Statistic) -> Statistic:
        return combine(np.subtract, numbers[:, one], numbers[:, other])

    return Columns(
        names=tuple(names[k] for k in ran),
        values=between(source.values),
        strict=between(source.strict),
        runs=np.minimum(source.runs[:, one], source.runs[:, other]),
        expected=np.minimum(source.expected[:, one], source.expected[:, other]),
        reasons=[
            [why[j] if runs[i] else why[i] for i, j in zip(one, other, strict=True)]
            for why, runs in zip(source.reasons, source.runs, strict=True)
        ],
        units=tuple(min(source.units[i], source.units[j]) for i, j in zip(one, other, strict=True)),
    )


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw what missing cells cost, a panel for each method and a line for each mechanism and treatment."""
    source, lines_by = measure(inputs, "loss"), dict[str, list[lines.Line]]()
    for mechanism in MECHANISMS:
        for done, word in TREATMENTS.items():
            places = [(float(share), noise(mechanism, share, done)) for share in SHARES]
            ran = [(x, name) for x, name in places if name in source.names]
            for line in lines_of(inputs, source, ran) if ran else ():
                from_0 = (np.append(0.0, numbers) for numbers in (line.x, line.y, line.low, line.high))
                lines_by.setdefault(line.label, []).append(lines.Line(f"{mechanism.upper()}, {word}", *from_0))
    if not lines_by:
        raise Absent("no runs with missing cells")
    shown = [lines.Panel(m.label, lines_by[m.label], "% missing", category=m.category) for m in inputs.methods]
    return lines.rows_of_lines(
        shown, ylabel="SHD above that of complete data", title=title, columns=2, height=1.3, spread=0.6, scale=scale
    )
