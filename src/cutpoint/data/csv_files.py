"""The CSV files that people read too: printed tables, tables of results, measured costs."""

from __future__ import annotations

import csv
from pathlib import Path

from cutpoint.base.errors import InputError


def read_csv(path: str | Path, *, separator: str = ",") -> list[dict[str, str]]:
    """Return the rows of a file with a header, as texts by the name of the column.

    Raises:
        InputError: the file is missing or cannot be read.
    """
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file, delimiter=separator))
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None
