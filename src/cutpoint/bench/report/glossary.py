"""Words of the tables and of the report, from the one file that is also a page of the documentation."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

TERM = re.compile(r"^([^\n:][^\n]*)\n:   (.+?)\n(?=\n|\Z)", re.MULTILINE | re.DOTALL)
MARKS = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")
POINTER = re.compile(r"\s+\(\[[^\]]*\]\([^)]*\)\)")  # a link in brackets, which says nothing without its page


@cache
def glossary() -> dict[str, str]:
    """Return what each term means, as plain text, in the order of the file."""
    page = (files("cutpoint.bench") / "templates" / "glossary.md").read_text(encoding="utf-8")
    return {term: " ".join(MARKS.sub(r"\1", POINTER.sub("", text)).split()) for term, text in TERM.findall(page)}
