"""Headings of columns, made of the names of the columns."""

from __future__ import annotations

from string import Formatter
from typing import Any


class _Heading(Formatter):
    """Formats headings, in which {!c} is a name with a capital and numbers have no needless decimals."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """Return a value as it is shown."""
        if conversion == "c":
            return str(value).capitalize()
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a number without needless decimals where no other format is asked for."""
        whole = isinstance(value, float) and value.is_integer()
        return super().format_field(int(value) if whole else value, format_spec)


def heading(text: str, name: object) -> str:
    """Return a heading with the name of a column, of which it may use the parts."""
    return _Heading().format(text, *(name if isinstance(name, tuple) else (name,)))
