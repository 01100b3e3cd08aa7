"""What is special in missing cells: data by mechanism, share and treatment, and paired differences between them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import Measure
from cutpoint.bench.engine.figures import Absent, lines_of
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, measure
from cutpoint.bench.plots import lines
from cutpoint.bench.statistics.verdicts import FEWEST
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


def shd_table(inputs: Inputs, *, name: str) -> Content:
    """Return a measure of every method on complete data and with missing cells, a panel for each mechanism."""
    columns = [("Complete", COMPLETE)]
    panels = [("No missing cells", range(1))]
    for mechanism, said in MECHANISMS.items():
        start = len(columns)
        columns += [
            (f"{mechanism.upper()} {share} %, {word}", noise(mechanism, share, done))
            for share in SHARES
            for done, word in TREATMENTS.items()
        ]
        panels.append((f"Missing {said}", range(start, len(columns))))
    return _table(inputs, name, columns, panels)


def change_table(inputs: Inputs) -> Content:
    """Return the difference that imputing makes to every method, a panel for each mechanism."""
    columns = [(f"{mechanism.upper()} {share} %", name) for name, mechanism, share in _kinds()]
    panels = [
        (f"Missing {said}", range(k * len(SHARES), (k + 1) * len(SHARES))) for k, said in enumerate(MECHANISMS.values())
    ]
    return _table(inputs, "change", columns, panels)


def _table(inputs: Inputs, name: str, columns: list[tuple[str, str]], panels: list[tuple[str, range]]) -> Content:
    source = measure(inputs, name)
    rows = [m.row(*(source.cell(i, key) for _, key in columns)) for i, m in enumerate(inputs.methods)]
    return Content("method", [heading for heading, _ in columns], rows, panels)


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw what missing cells cost, a panel for each method and a line for each mechanism and treatment."""
    source, lines_by = measure(inputs, "loss"), dict[str, list[lines.Line]]()
    for mechanism in MECHANISMS:
        for done, word in TREATMENTS.items():
            places = [(float(share), noise(mechanism, share, done)) for share in SHARES]
            ran = [(x, name) for x, name in places if name in source.names]
            for line in lines_of(inputs, source, ran, range(len(inputs.methods)), spread=True) if ran else ():
                from_0 = (np.append(0.0, numbers) for numbers in (line.x, line.y, line.low, line.high))
                lines_by.setdefault(line.label, []).append(lines.Line(f"{mechanism.upper()}, {word}", *from_0))
    if not lines_by:
        raise Absent("no runs with missing cells")
    shown = [lines.Panel(m.label, lines_by[m.label], "% missing", category=m.category) for m in inputs.methods]
    return lines.rows_of_lines(
        shown, ylabel="SHD above that of complete data", title=title, columns=2, height=1.3, spread=0.6, scale=scale
    )


def missing_answer(inputs: Inputs) -> str | None:
    """Say for how many methods imputing is better than dropping, and worse, by kind of missing cells."""
    source = measure(inputs, "change")
    if not source.names or min(source.units) < FEWEST:
        return None
    low, high = source.ends
    counts: dict[str, list[str]] = {}
    for k, (_, mechanism, share) in enumerate(_kinds()):
        said = f"{(high[:, k] < 0).sum()} and {(low[:, k] > 0).sum()} with {share} %"
        counts.setdefault(mechanism, []).append(said)
    return (
        f"Missing cells: the number of {len(inputs.methods)} methods for which imputing cells surely lowers SHD, and "
        "surely raises it, against dropping their records (95 % intervals without 0). "
        + " ".join(f"Missing {MECHANISMS[mechanism]}: {listed(said)}." for mechanism, said in counts.items())
        + _nothing_left(inputs)
    )


def _nothing_left(inputs: Inputs) -> str:
    """Say how near records dropped at the largest share bring all methods to the SHD of a graph without edges."""
    shd, share = measure(inputs, "shd"), max(SHARES)
    dropped = [shd.names.index(name) for m in MECHANISMS if (name := noise(m, share, "drop")) in shd.names]
    found = shd.sample[:, dropped]
    edges = np.asarray(inputs.metrics["true_edges"], float)
    if not (np.isfinite(found).any() and np.isfinite(edges).any()):
        return ""
    least, most, empty = np.nanmin(found), np.nanmax(found), np.nanmean(edges)
    return (
        f" Where records with {share} % missing are dropped SHD is {least:.1f} to {most:.1f}, and that of a graph "
        f"without edges {empty:.1f}."
    )
