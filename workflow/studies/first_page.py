"""The figure of the report's first page, from the tables and verdicts of the studies that it rests on."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from cutpoint.bench.engine.figures import dot_of
from cutpoint.bench.plots import wall
from cutpoint.bench.report.artefacts import Table
from cutpoint.bench.statistics.verdicts import NO_DATA, NOT_COMPARABLE, PREVIEW
from cutpoint.plots.style import Figure

SIZE = re.compile(r"N = (\d+)")
# Means by choice, from the first of these that was made: study, table, what its first numbers are, and a line in them.
EFFECTS = (
    ("field2026", "table_means", "mean SHD per true edge (line: the empty graph)", 1.0),
    ("maua2018", "table_effects", "mean SHD (Fu)", None),
)
GAINS = ("Difference, up to 500", "Difference, above 500")  # of what discretizing loses or gains
UNTESTED = (NOT_COMPARABLE, NO_DATA, PREVIEW)
LOOK = (
    "By records: SHD divided by that of {reference} on the same networks; the larger mark counts every wrong pair "
    "once, the pale one a missing or extra arc twice, as Fu (2005) does; left of the line is better, bars are 95 % "
    "intervals. Mean SHD by choice: all choices are crossed. Published claims: how many inequalities are supported, "
    "inconclusive, contradicted, or not comparable. Discretize or not: the "
    "best row with levels less the best without, chosen on other networks; pale up to 500 records, intervals together."
)


def first_page(
    tables: Mapping[tuple[str, str], Table], claims: Mapping[str, Sequence[Mapping[str, str]]], *, narrow: bool = False
) -> Figure:
    """Return the figure.

    Args:
        tables: by study and name: of fu2005 ``table_V-4`` and ``table_cost``, those of EFFECTS,
            and of field2026 ``table_discretize``.
        claims: rows of claims.csv by study.
        narrow: for a telephone.

    Raises:
        KeyError: a table of fu2005 is missing.
    """
    shd, cost = tables["fu2005", "table_V-4"], tables["fu2005", "table_cost"]
    sizes = [head for head in shd.columns if SIZE.fullmatch(head) and _known(shd, head)]
    rows = [
        wall.Line(
            row.label,
            row.category,
            [dot_of(row.cells[shd.columns.index(f"{head}, standard")]) for head in sizes],
            [dot_of(row.cells[shd.columns.index(head)]) for head in sizes],
            [_seconds(cost, row.key, head) for head in sizes],
        )
        for row in shd.rows
        if any(row.cells[shd.columns.index(head)].reproduced is not None for head in sizes)
    ]
    return wall.wall(
        rows,
        [f"{SIZE.fullmatch(head)[1]} records" for head in sizes],  # type: ignore[index]
        effects=_effects(tables),
        gains=_gains(tables),
        bars={study: _counts(rows) for study, rows in claims.items() if any(row["source"] == "paper" for row in rows)},
        reference="Bach",
        narrow=narrow,
        title="Discretization and learners at a glance",
    )


def look() -> str:
    """Return what to look at in the figure."""
    return LOOK.format(reference="Bach (no discretization)")


def _effects(tables: Mapping[tuple[str, str], Table]) -> wall.Means | None:
    for study, name, numbers, line in EFFECTS:
        table = tables.get((study, name))
        if table is not None and table.rows:
            levels = [wall.Level(f"{row.category}: {row.label}", dot_of(row.cells[0])) for row in table.rows]
            return wall.Means(f"Mean SHD by choice, {study} (crossed rows)", numbers, levels, line)
    return None


def _gains(tables: Mapping[tuple[str, str], Table]) -> wall.Means | None:
    table = tables.get(("field2026", "table_discretize"))
    if table is None or not table.rows:
        return None
    places = [i for i, head in enumerate(table.columns) if head in GAINS]
    levels = [wall.Level(row.label, *(dot_of(row.cells[i]) for i in places)) for row in table.rows]
    pale = " (pale: up to 500 records)" if len(places) > 1 else ""
    numbers = f"SHD per true edge, with levels less without{pale}\n← with levels better | without better →"
    return wall.Means("Discretize or not, in field2026", numbers, levels, 0.0)


def _known(table: Table, head: str) -> bool:
    place = table.columns.index(head)
    return any(row.cells[place].reproduced is not None for row in table.rows)


def _seconds(table: Table, key: str, head: str) -> float:
    for row in table.rows:
        if row.key == key and head in table.columns:
            return dot_of(row.cells[table.columns.index(head)]).value
    return math.nan


def _counts(rows: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """Return how many inequalities got which verdict."""
    grades = {row["claim"]: row["verdict"] for row in rows if not row["part"]}
    counts: Counter[str] = Counter()
    for row in rows:
        if row["part"]:
            counts[grade if (grade := grades[row["claim"]]) in UNTESTED else row["verdict"]] += 1
    return dict(counts)
