"""The registry of public data sets (config/datasets.yaml), and how the files of one become a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from cutpoint.base.checking import LONGEST, Closed, check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.columns import Unusable, continuous_values, discrete_codes, text_column
from cutpoint.data.csv_files import BLANKS, rows_of
from cutpoint.data.roles import Roles
from cutpoint.data.table import Table, check_names, check_table


class Address(Closed):
    """The address of a copy of a file."""

    url: Annotated[str, Field(pattern=r"^https?://\S+$", description="http or https address")]
    strip_lines: int = Field(0, ge=0, description="first lines taken off before the checksum is computed")

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"url": value} if isinstance(value, str) else value


class SourceFile(Closed):
    """One file of a data set."""

    name: str = Field(pattern=r"^[\w.-]+$", description="file name, also that in a mirror folder")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="checksum of the content, in hexadecimal")
    urls: list[Address] = Field(default_factory=list, description="tried in order")


class Source(Closed):
    """What can be fetched: a data set, or a network."""

    name: str = Field(pattern=r"^\w+$", max_length=LONGEST, description="key in the registry")
    title: str = Field(description="one line for tables and messages")
    files: list[SourceFile] = Field(description="files, read one after the other")
    file: str | None = Field(None, description="the user's own copy, for a set without files")


class NetworkEntry(Source):
    """One network that is not shipped."""

    variables: int = Field(ge=1, description="number of variables")
    arcs: int = Field(ge=0, description="number of arcs")
    licence: str = Field(description="as far as known")


class Entry(Source):
    """One data set of the registry."""

    separator: Literal["comma", "blanks"] = Field(description="what parts the cells")
    comment: str | None = Field(None, min_length=1, description="mark of lines to skip")
    header: bool = Field(description="whether the first line names the columns")
    columns: list[str] | None = Field(description="names in file order; null: those of the header")
    discrete: list[str] = Field(default_factory=list, description="columns that hold states")
    optional: list[str] = Field(default_factory=list, description="columns that a copy may lack")
    dropped: list[str] = Field(default_factory=list, description="columns left out")
    missing: str | None = Field(None, min_length=1, description="rows with this mark are left out")
    target: str | None = Field(None, description="the column that the donors predict")
    uncounted: list[str] = Field(default_factory=list, description="columns not in the cardinality figures")
    variables: int | None = Field(None, ge=1, strict=True, description="number of columns kept but optional ones")
    rows: int | None = Field(None, ge=1, strict=True, description="number of rows kept")
    licence: str = Field(description="as far as known")
    note: str | None = Field(None, description="for the reader")

    @model_validator(mode="after")
    def _consistent(self) -> "Entry":
        if self.columns is None:
            if not self.header:
                raise InputError("columns: needed where header is false")
            return self
        check_names(self.columns, "columns")
        kept = set(self.columns) - set(self.dropped)
        roles = {"discrete": self.discrete, "uncounted": self.uncounted}
        roles["target"] = [self.target] if self.target else []
        for key, names in {**roles, "dropped": self.dropped, "optional": self.optional}.items():
            allowed = set(self.columns) if key in ("dropped", "optional") else kept
            if unknown := sorted(set(names) - allowed):
                near = suggest(unknown[0], sorted(allowed))
                raise InputError(f"{key}: {unknown[0]} is not among the columns that are kept{near}")
        return self


def load_registry(path: Path | str, kind: type[Any] = Entry) -> dict[str, Any]:
    """Return the entries of a registry file by name: data sets, or networks."""
    return {name: make_entry(name, entry, kind, source=str(path)) for name, entry in read_yaml(path).items()}


def make_entry(name: str, mapping: Mapping[str, Any], kind: type[Any] = Entry, *, source: str = "datasets") -> Any:
    """Return one checked entry from its keys in the registry."""
    if not isinstance(mapping, Mapping):
        raise InputError(f"{source}: {name}: must be a mapping")
    return check(kind, {"name": name, **mapping}, f"{source}: {name}")


_PlacedRow = tuple[str, list[str]]  # a line of a file, such as "abalone.data, line 3", and its cells


def parse(entry: Entry, files: Mapping[str, bytes]) -> Table:
    """Return the table of a data set from the contents of its files, joined in order, with columns sorted by name."""
    source, variables, rows = _join(entry, files)
    if entry.missing is not None:
        rows = [row for row in rows if entry.missing not in row[1]]
    if not rows:
        raise InputError(f"{source}: no rows are left; check the missing mark and the comment mark")
    values = np.empty((len(rows), len(variables)), order="F")
    levels = {}
    for i, name in enumerate(variables):
        column = text_column(name, [cells[i] for _, cells in rows], "cells")
        try:
            if name in entry.discrete:
                values[:, i], levels[name] = discrete_codes(column, lambda row: rows[row][0])
            else:
                values[:, i] = continuous_values(column, lambda row: rows[row][0])
        except Unusable as problem:
            declare = ", leave the row out, or declare the column discrete"
            hint = " or leave the row out" if name in entry.discrete else declare
            raise InputError(f"{problem.fact}; correct it{hint}") from None
    check_table(values, variables, source)
    notes = [entry.note] if entry.note else []
    if entry.rows is not None and len(rows) != entry.rows:
        notes.append(f"{len(rows)} rows where {entry.rows} were expected")
    return Table(
        source=source,
        variables=tuple(variables),
        values=values,
        discrete=np.isin(variables, entry.discrete),
        levels=levels,
        notes=tuple(notes),
        roles=Roles(discrete=entry.discrete),
    )


def _join(entry: Entry, files: Mapping[str, bytes]) -> tuple[str, list[str], list[_PlacedRow]]:
    """Return a name for the files, the columns kept, and the rows of all files."""
    parts = [_read(entry, content, file) for file, content in files.items()]
    first, variables = next(iter(files)), parts[0][0]
    for file, (others, _) in zip(files, parts, strict=True):
        if others != variables:
            raise InputError(f"{file}: other columns than {first}; files of one set have the same")
    counted = [name for name in variables if name not in entry.optional]
    if entry.variables is not None and len(counted) != entry.variables:
        names = ", ".join(counted[:8]) + (", ..." if len(counted) > 8 else "")
        raise InputError(f"{first}: {len(counted)} columns where {entry.variables} are expected: {names}")
    source = first if len(parts) == 1 else f"{entry.name} ({len(parts)} files)"
    return source, variables, [row for _, rows in parts for row in rows]


def _read(entry: Entry, content: bytes, file: str) -> tuple[list[str], list[_PlacedRow]]:
    """Return the sorted columns kept of one file, and its rows in that order."""
    separator = BLANKS if entry.separator == "blanks" else ","
    rows = rows_of(content, file, separator=separator, comment=entry.comment)
    if not rows:
        raise InputError(f"{file}: no rows; the file is empty")
    names = rows.pop(0)[1] if entry.header else tuple(entry.columns or ())
    check_names(names, file)
    expected = entry.columns or [*entry.discrete, *entry.dropped, *entry.uncounted]
    if absent := sorted(set(expected) - set(names) - set(entry.optional)):
        raise InputError(f"{file}: no column is named {absent[0]}; the header has {', '.join(names)}")
    for line, cells in rows:
        if len(cells) != len(names):
            raise InputError(f"{file}, line {line}: {len(cells)} columns where {len(names)} are expected")
    kept = sorted(set(names) - set(entry.dropped))
    order = [names.index(name) for name in kept]
    return kept, [(f"{file}, line {line}", [cells[i] for i in order]) for line, cells in rows]
