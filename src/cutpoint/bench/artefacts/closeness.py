"""How close reproduced numbers are to published ones: of each table, and of a paper, in rows and in a drawing."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from cutpoint.bench.artefacts.html import environment
from cutpoint.bench.artefacts.table import Cell
from cutpoint.bench.statistics import verdicts
from cutpoint.bench.statistics.comparisons import spearman
from cutpoint.bench.statistics.estimates import mean

UNJUDGED = (verdicts.NOT_COMPARABLE, verdicts.NO_DATA, verdicts.PREVIEW)
WHOLE = "All but costs"  # which compare programs and computers
RANK, DIFFERENCE, INSIDE = "Rank correlation", "Median relative difference", "Inside our interval"
INEQUALITIES = (
    "Of their {} inequalities {} are supported, {} contradicted and {} near ties, which these replicates cannot decide."
)


@dataclass(frozen=True)
class PublishedColumn:
    """A column of a table with what is published of it."""

    table: str  # what a reader calls its table
    cost: bool  # whether it holds times, memory or calls
    numbers: np.ndarray  # published, reproduced, low and high, float64 [4, rows], NaN for what is not there

    @property
    def compared(self) -> np.ndarray:
        """The rows with both numbers, float64 [4, K].

        A row without an interval in a column with others is the one that all are divided by, and agrees by definition.
        """
        published, reproduced, low, high = self.numbers
        both, wide = np.isfinite(published) & np.isfinite(reproduced), low < high
        return self.numbers[:, both & wide if wide.any() else both]


def numbers_of(cells: Iterable[Cell]) -> np.ndarray:
    """Return what is printed, what was reproduced and the ends of its interval, float64 [4, K]; NaN for no number."""
    values = ([cell.published, cell.reproduced, cell.low, cell.high] for cell in cells)
    rows = [[np.nan if isinstance(value, str) else value for value in each] for each in values]
    return np.array(rows, float).reshape(-1, 4).T


def closeness(columns: Iterable[PublishedColumn]) -> list[dict[str, str]]:
    """Return a row for each table with published numbers, then one of all columns that hold no costs.

    Rank correlations are Spearman's over the rows of a column, then the mean over columns. Differences are relative to
    the published number, which is not 0.
    """
    columns = [column for column in columns if column.compared.size]
    tables = {name: [each for each in columns if each.table == name] for name in (c.table for c in columns)}
    rows = [_row(name, group) for name, group in tables.items()]
    whole = [column for column in columns if not column.cost]
    return [*rows, _row(WHOLE, whole)] if whole else rows


def _row(name: str, columns: Sequence[PublishedColumn]) -> dict[str, str]:
    published, reproduced, low, high = np.concatenate([column.compared for column in columns], axis=1)
    correlation = float(mean(np.array([spearman(*column.compared[:2])[0] for column in columns]), 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.abs(reproduced - published) / np.abs(published)
    relative = relative[np.isfinite(relative)]
    wide = low < high
    inside = int(((low <= published) & (published <= high))[wide].sum())
    return {
        "Table": name,
        "Numbers": str(published.size),
        RANK: f"{correlation:.2f}" if np.isfinite(correlation) else "",
        DIFFERENCE: f"{100 * np.median(relative):.1f} %" if relative.size else "",
        INSIDE: f"{inside} of {wide.sum()}" if wide.any() else "",
    }


def held(claims: Sequence[Mapping[str, str]]) -> str:
    """Return how many judged claims hold, from rows of claims.csv, and how many inequalities are near ties, or ""."""
    grades = {row["claim"]: row["verdict"] for row in claims if not row["part"]}
    judged = {name: grade for name, grade in grades.items() if grade not in UNJUDGED}
    parts = Counter(row["verdict"] for row in claims if row["part"] and row["claim"] in judged)
    good = sum(grade == verdicts.REPRODUCED for grade in judged.values())
    text = f"{good} of {len(judged)} judged claims hold." if judged else ""
    counts = (parts[each] for each in (verdicts.SUPPORTED, verdicts.CONTRADICTED, verdicts.INCONCLUSIVE))
    return text if good == len(judged) else f"{text} {INEQUALITIES.format(parts.total(), *counts)}"


LARGEST = 4.0  # ratio at the right end; what is beyond stands there, and so does what is below the inverse
LEFT, WIDE, LINE = 84, 230, 17  # pixels: of names, of the axis, of a row
LONGEST = 14  # characters of a name
TICKS = {0.25: "¼", 0.5: "½", 1.0: "1", 2.0: "2", 4.0: "4"}


def agreement_figure(columns: Sequence[PublishedColumn]) -> Markup:
    """Return the drawing of all numbers but costs that are positive in print and here, "" without any.

    A filled dot: the published number lies in our interval.
    """
    tables: dict[str, list[tuple[float, bool]]] = {}
    for column in columns:
        published, ours, low, high = column.compared
        good = (published > 0) & (ours > 0) & (not column.cost)
        dots = zip(_place(ours[good] / published[good]), ((low <= published) & (published <= high))[good], strict=True)
        tables.setdefault(column.table, []).extend((x, bool(inside)) for x, inside in dots)
    rows = [(_short(name), dots) for name, dots in tables.items() if dots]
    ticks = [*zip(_place(np.array([*TICKS])), TICKS.values(), strict=True)]
    svg = environment().get_template("agreement.svg.j2")
    return Markup(svg.render(rows=rows, ticks=ticks, left=LEFT, wide=WIDE, line=LINE)) if rows else Markup()


def _place(ratio: np.ndarray) -> list[float]:
    """Return pixels from the left of ratios, float64 [K], on a logarithmic axis."""
    share = np.clip(np.log(ratio) / np.log(LARGEST), -1, 1) / 2 + 0.5
    return (LEFT + WIDE * share).round(1).tolist()


def _short(title: str) -> str:
    """Return the number of a table, or the beginning of a title without one."""
    name = title.partition(":")[0]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"
