"""How tables are written: CSV, Markdown, JSON and HTML."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from pydantic import TypeAdapter

from cutpoint.bench.artefacts import table as artefacts
from cutpoint.bench.artefacts.table import (
    MISSING,
    ArtefactTable,
    Cell,
    absent,
    coverage_text,
    interval_text,
    number,
    printed,
)

ROW = ("label", "category", "column")
FIELDS = (
    "published", "published_text", "reproduced", "text", "low", "high", "best", "coverage", "runs", "runs_expected",
    "note", "scale", "seed", "replicates",
)  # fmt: skip
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")


def _long(table: ArtefactTable) -> Iterable[list[object]]:
    """Yield one line per cell: key, ROW, the keys of the columns, FIELDS."""
    scale = [table.scale.name, table.scale.seed, table.scale.replicates]
    names, about = _keys(table), table.keys or ({},) * len(table.columns)
    for row in table.rows:
        for column, keys, cell in zip(table.columns, about, row.cells, strict=True):
            share = cell.runs / cell.expected if cell.runs is not None and cell.expected else None
            why = cell.reason or table.missing
            note = f"{MISSING}: {why}" if absent(cell) and why else ""
            parts = [row.key, row.label, row.category, column, *(keys.get(name) for name in names)]
            values = [*_apart(cell.published), *_apart(cell.reproduced), cell.low, cell.high, "yes" * cell.best]
            yield [*map(_plain, [*parts, *values, share, cell.runs, cell.expected]), note, *scale]


def _keys(table: ArtefactTable) -> list[str]:
    """Return the keys of the columns, each once, without what the rows are told apart by."""
    return list(dict.fromkeys(name for keys in table.keys for name in keys if name != table.key))


def _apart(value: float | int | str | None) -> tuple[float | int | str | None, str]:
    """Return a value as a number and as words, of which one is empty."""
    words = isinstance(value, str) and not NUMBER.fullmatch(value)
    return (None, str(value)) if words else (value, "")


def _plain(value: object) -> object:
    """Return a value as a CSV file holds it: empty for missing, at most 10 significant digits."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return f"{float(value):.10g}" if isinstance(value, float) else value


def records(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV text with Unix line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[_plain(value) for value in row] for row in rows])
    return out.getvalue()


def to_csv(table: ArtefactTable) -> str:
    """Return a table in long form, one line per cell: the key of its row, those of its column, and FIELDS."""
    return records((table.key, *ROW, *_keys(table), *FIELDS), _long(table))


def _markdown_cell(cell: Cell) -> str:
    value = number(cell.reproduced, cell.digits)
    parts = [f"**{value}**" if cell.best else value, interval_text(cell)]
    if absent(cell):
        parts = [f"{MISSING}: {cell.reason}" if cell.reason else ""]
    parts += [f"(printed {printed(cell)})"] if printed(cell) else []
    parts += [f"({coverage_text(cell)})"] if coverage_text(cell) else []
    return " ".join(filter(None, parts)).replace("|", r"\|")


def to_markdown(table: ArtefactTable) -> str:
    """Return a table for reading: "1.04 [0.98, 1.10] (printed 1.40)" in every cell."""
    lines = [f"# {table.title}", "", table.caption, ""]
    lines += [f"*{table.decides}*", ""] if table.decides else []
    leading = [table.key, "category"] if any(row.category for row in table.rows) else [table.key]
    for title, columns in table.bodies():
        lines += [f"**{title}**", ""] if title else []
        head = [*leading, *(table.columns[i] for i in columns)]
        lines += ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        for row in table.rows:
            lead = (row.label, row.category)[: len(leading)]
            lines.append("| " + " | ".join([*lead, *(_markdown_cell(row.cells[i]) for i in columns)]) + " |")
        lines.append("")
    return "\n".join(lines + [f"{remark}\n" for remark in table.remarks()])


_TABLES = TypeAdapter(ArtefactTable)


def to_json(table: ArtefactTable) -> str:
    """Return a table with all its parts, for `from_json`; numbers that are not finite are null."""
    return _TABLES.dump_json(table).decode() + "\n"


def from_json(text: str) -> ArtefactTable:
    """Return the table that `to_json` wrote."""
    return _TABLES.validate_json(text)


def environment() -> Environment:
    """Return where templates are found, and how they are filled in."""
    return Environment(loader=PackageLoader("cutpoint.bench"), autoescape=True, trim_blocks=True, lstrip_blocks=True)


_environment = cache(environment)


def to_html(table: ArtefactTable, study: str = "", *, first_page: bool = False) -> Markup:
    """Return a table as an HTML fragment, published numbers below the reproduced ones.

    Args:
        table: to show.
        study: stands before the name in the id of the fragment, as two papers may both have a Table 1.
        first_page: whether it stands there, whole and without the files that it is also in.
    """
    name = f"{study}-{table.name}" if study else table.name
    within = "" if first_page else study
    about = {"table": table, "name": name, "artefacts": artefacts, "study": within, "first_page": first_page}
    return Markup(_environment().get_template("table.html.j2").render(about))
