"""The report: one HTML file that holds everything and needs no network."""

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment

from cutpoint.base import user_code
from cutpoint.base.text import listed
from cutpoint.bench.artefacts import drawings, html
from cutpoint.bench.artefacts.claims import OURS, PAPER
from cutpoint.bench.plots.families import FAMILIES, OTHER
from cutpoint.bench.report.explorer import Explored, packed
from cutpoint.bench.report.study import MOST_ROWS, StudyReport
from cutpoint.data.csv_files import read_csv

SOURCES = {PAPER: "Published claims", OURS: "What we expected"}  # counted apart


def render(
    studies: Sequence[StudyReport], explored: Sequence[Explored] = (), provenance: Mapping[str, str] | None = None
) -> str:
    """Return the report of a run as HTML text: its studies, their runs for the explorer, and where it comes from."""
    template = _environment().get_template("report.html.j2")
    files, (data, there) = [study.file for study in studies if study.file], packed(explored)
    return template.render(
        studies=studies,
        provenance=provenance or {},
        advised=[] if files else field_rows(),
        explored=data,
        unexplored=listed([study.name for study in studies if study.name not in there]),
        words=sorted(glossary().items(), key=lambda term: term[0].lower()),
        families=FAMILIES,
        other=OTHER,
        answers=[(study.name, table) for study in studies for table in study.answers],
        not_made=[(study.name, *each) for study in studies for each in study.not_made],
        most_rows=MOST_ROWS,
        sources=SOURCES,
        files=files if len(files) == len(studies) else [],
    )


def field_rows() -> list[dict[str, str]]:
    """Return the kept table of the study field2026, a row for each data type and a column for each number of records.

    A cell says whether to discretize, and has the SHD per true edge of the default. `tools/field.py` writes the table.
    """
    table: dict[str, dict[str, str]] = {}
    for row in read_csv(user_code.ROOT / "data" / "results" / "field.csv"):
        cells = table.setdefault(row["Data"], {"Data": row["Data"]})
        cells[f"{int(row['Records']):,} records"] = f"{row['Discretize?']}: {row['Default'].partition(' [')[0]}"
    return [*table.values()]


@cache
def _environment() -> Environment:
    environment, start = html.environment(), "data:text/plain;charset=utf-8;base64,"
    environment.filters |= {
        "embedded": lambda figure: drawings.embedded(figure.svg, figure.png),
        "data_of": lambda text: start + base64.b64encode(text.encode()).decode(),
        "html": html.to_html,
        "heading": lambda name: name[:1].upper() + name[1:].replace("_", " "),  # Table V-4 of table_V-4
        "short": _short,
    }
    return environment


def _short(value: float | None) -> str:
    """Return a measured number with three digits, "" where there is none."""
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


TERM = re.compile(r"^([^\n:][^\n]*)\n:   (.+?)\n(?=\n|\Z)", re.MULTILINE | re.DOTALL)
MARKS = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")
POINTER = re.compile(r"\s+\(\[[^\]]*\]\([^)]*\)\)")  # a link in brackets, which says nothing without its page


@cache
def glossary() -> dict[str, str]:
    """Return what each term means, as plain text, in the order of the file."""
    page = (files("cutpoint.bench") / "templates" / "glossary.md").read_text(encoding="utf-8")
    return {term: " ".join(MARKS.sub(r"\1", POINTER.sub("", text)).split()) for term, text in TERM.findall(page)}
