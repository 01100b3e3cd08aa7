"""Tables as fragments of HTML, alone in a file or on the page of the report."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from cutpoint.bench.artefacts import table as artefacts
from cutpoint.bench.artefacts.table import ArtefactTable


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
