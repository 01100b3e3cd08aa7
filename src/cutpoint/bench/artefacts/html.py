"""Tables as HTML: in a file of their own, and in the report, which shows an excerpt of a big one."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from cutpoint.bench.artefacts import table as tables
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, absent, printed

MOST = 640  # cells of a table in the report; of one that has more it shows
TOP = 20  # rows


def big(table: ArtefactTable) -> bool:
    """Return whether a table has too many numbers for a page, which then has an excerpt."""
    return len(table.rows) * len(table.columns) > MOST


def excerpt(table: ArtefactTable) -> tuple[ArtefactTable, str]:
    """Return what a page shows of a big table, and how much that is.

    It is the rows with the best numbers of the first column that has any in bold, in their order, else the first rows;
    and the panels for which there is room.
    """
    rows = table.rows[:TOP]
    for i in range(len(table.columns)):
        if order := _by_measure(table, i):
            rows = tuple(table.rows[k] for k in order[:TOP])
            break
    panels: list[tuple[str, range]] = []
    for title, columns in table.bodies():
        if panels and len(rows) * sum(len(part) for _, part in (*panels, (title, columns))) > MOST:
            break
        panels.append((title, columns))
    width = sum(len(part) for _, part in panels)
    size = f"{len(rows)} of {len(table.rows)} rows and {width} of {len(table.columns)} columns"
    return replace(table, rows=rows, panels=tuple(panels)), size


def _by_measure(table: ArtefactTable, i: int) -> list[int]:
    """Return the places of all rows by a column, the best first; empty where none is in bold."""
    cells = [row.cells[i] for row in table.rows]
    values = [c.reproduced if isinstance(c.reproduced, int | float) and not absent(c) else math.inf for c in cells]
    best = [value for value, cell in zip(values, cells, strict=True) if cell.best]
    if not best:
        return []
    sign = 1 if min(values) in best else -1
    return sorted(range(len(values)), key=lambda k: sign * values[k] if math.isfinite(values[k]) else math.inf)


def beside(table: ArtefactTable, columns: Iterable[int]) -> list[int]:
    """Return the columns of some that have any published number, which stands beside ours."""
    return [i for i in columns if any(printed(row.cells[i]) for row in table.rows)]


def inside(cell: Cell) -> bool:
    """Return whether the number of the paper lies in our interval."""
    if cell.low is None or cell.high is None or not isinstance(cell.published, int | float):
        return False
    return cell.low <= cell.published <= cell.high and cell.low < cell.high


def any_inside(table: ArtefactTable) -> bool:
    """Return whether any number of the paper lies in our interval."""
    return any(inside(cell) for row in table.rows for cell in row.cells)


def environment() -> Environment:
    """Return where templates are found, and how they are filled in."""
    return Environment(loader=PackageLoader("cutpoint.bench"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


_environment = cache(environment)


def to_html(table: ArtefactTable, study: str = "", *, command: str = "", first_page: bool = False) -> Markup:
    """Return a table as an HTML fragment, published numbers beside the reproduced ones.

    The study stands in the id of the fragment, as two papers may both have a Table 1; the command makes it again. On
    the first page it stands whole, and without the files that it is also in.
    """
    name, within = f"{study}-{table.name}" if study else table.name, "" if first_page else study
    about = {"table": table, "name": name, "study": within, "first_page": first_page, "command": command}
    return Markup(_environment().get_template("table.html.j2").render(about, artefacts=vars(tables) | globals()))
