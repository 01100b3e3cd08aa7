"""The forms in which every table is written, by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.bench.report.artefacts import Table, to_csv, to_json, to_markdown
from cutpoint.bench.report.latex import to_float, to_latex
from cutpoint.bench.report.page import to_html

WRITERS: dict[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "md": to_markdown,
    "tex": to_latex,
    "float.tex": to_float,
    "json": to_json,
    "html": to_html,
}
