"""Reads a user's file into a typed table and checks its columns."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.cells import without_index
from cutpoint.data.codes import codes_of
from cutpoint.data.columns import RawColumn, RawTable, TypedColumn, Unusable
from cutpoint.data.design import designed
from cutpoint.data.read import read as read_raw
from cutpoint.data.roles import DEFAULT, FORM, Roles, check_lists, joined, setting
from cutpoint.data.table import SHOWN, Table, check_names, table_of, typed
from cutpoint.data.text_form import USUAL, TextForm
from cutpoint.options import Missing

MIN_ROWS = 10  # so that each of ten folds has a record


def read(path: str | Path, roles: Roles = DEFAULT, form: TextForm = USUAL) -> Table:
    """Return the table of a user's file: CSV with commas or semicolons, TSV, Parquet, Feather or Arrow.

    `cutpoint.data.columns.TypedColumn` says which columns are discrete. An InputError has the first line that cannot be
    read, or all columns that cannot be used, and what to do.
    """
    raw = read_raw(path, form)
    if raw.rows < MIN_ROWS:
        few = "1 row is" if raw.rows == 1 else f"{raw.rows} rows are"
        raise InputError(f"{raw.source}: {few} too few; at least {MIN_ROWS} are needed")
    raw = without_index(raw, roles)
    selected = _selected(raw, roles)
    usable, gaps, unusable = _sifted(raw, selected, roles)
    _check_unusable(raw, selected, roles, unusable)
    table = table_of(raw, usable, gaps, roles, notes=(*raw.notes, *_on_gaps(raw, usable, gaps, roles)))
    table = _weighted(_without_codes(table))
    if len(table.variables) < 2:
        raise InputError(f"{raw.source}: a network needs at least two columns: {'; '.join(table.notes)}")
    return table


def _on_gaps(raw: RawTable, usable: Sequence[TypedColumn], gaps: np.ndarray, roles: Roles) -> list[str]:
    if not gaps.any():
        return []
    if roles.missing == "impute":
        cells = _counted(sum(raw.rows - len(column.rows) for column in usable), "cell")
        return [f"missing: {cells} in {gaps.sum()} of {raw.rows} rows, filled in"]
    return [f"left out for a missing cell: {gaps.sum()} of {raw.rows} rows"]


def _without_codes(table: Table) -> Table:
    """Return a table without the codes that were not asked for, and a note on each."""
    roles, notes = table.roles, [*table.notes]
    codes = {name: why for name, why in codes_of(table).items() if roles.of(name) is None}
    for name, why in codes.items():
        keep = roles.words_for([name], "discrete" if name in table.levels else "continuous")
        notes.append(f"left out: {name}, a code of persons, places or the like, as {why}; {keep} keeps it")
    return replace(table.without(codes), roles=roles.moved([*roles.drop, *codes], "drop"), notes=tuple(notes))


def _weighted(table: Table) -> Table:
    """Return a table with each row as often as its weight says, and a note."""
    if (name := table.roles.weights) is None:
        return table
    repeated = designed(table, None, name, f"{table.source}: weights, column {name}")[0]
    note = f"{name} says how often each row counts: {len(repeated):,} records in all"
    return replace(repeated, notes=(*table.notes, note))


def read_data(
    path: str | Path,
    *,
    discrete: Sequence[str] = (),
    ordered: Sequence[str] = (),
    continuous: Sequence[str] = (),
    drop: Sequence[str] = (),
    missing: Missing = "refuse",
    weights: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    names: Sequence[str] = (),
    marks: Sequence[str] = (),
    encoding: str | None = None,
) -> Table:
    """Read a file of records, one column per variable, for `cutpoint.learn` and the other functions.

    Args:
        path: CSV, TSV, Parquet, Feather or Arrow.
        discrete, ordered, continuous, drop: names of columns to take for states, for states that are numbers in their
            order, for numbers to be discretized, or to leave out.
        missing: "refuse" a file with missing cells, "drop" their rows, or leave the cells empty for
            ``cutpoint.learn(..., missing="impute")``: "impute".
        weights: the column that says how often each row counts, as in a table of counts.
        separator, decimal, thousands: of a text file, a mark or its name: what stands between cells, before decimals,
            and between groups of three digits. Without them the text tells.
        names: of the columns, of a text file whose first line is a record.
        marks: what else than an empty cell, NA, ? and the like stands for a missing cell of a text file, such as -999.
        encoding: of a text file, such as "shift-jis"; without it UTF-8, UTF-16, cp1252 and GB 18030 are told apart.

    Returns:
        A `Table`, columns sorted by name; its `to_pandas` and `to_arrow` make frames. For an InputError see `read`.

    Examples:
        >>> model.sample(99).to_pandas().to_csv("my.csv", index=False)
        >>> cp.read_data("my.csv").variables  # of a Table
        ('x0', 'x1', 'x2')
    """
    check_lists({"names": names, "marks": marks})
    roles = Roles(discrete, ordered, continuous, drop, missing, weights)
    form = TextForm(separator, decimal, thousands, names, [*map(str, marks)], encoding)
    outside = FORM.set(FORM.get() or "python")
    try:
        return read(path, roles, form)
    finally:
        FORM.reset(outside)


def _selected(raw: RawTable, roles: Roles) -> list[RawColumn]:
    names = [column.name for column in raw.columns]
    roles.check(names, f"{raw.source} has ")
    check_names(names, raw.source, roles)
    selected = [column for column in raw.columns if column.name not in roles.drop]
    if len(selected) < 2:
        hint = "; cells are separated by commas, semicolons or tabs, else set separator" if len(names) == 1 else ""
        raise InputError(f"{raw.source}: {len(selected) or 'no'} column is left, a network needs at least two{hint}")
    return sorted(selected, key=lambda column: column.name)


def _sifted(
    raw: RawTable, columns: list[RawColumn], roles: Roles
) -> tuple[list[TypedColumn], np.ndarray, list[Unusable]]:
    """Return the columns that can be used, the rows with a gap in one of them, bool [N], and why others cannot."""
    usable, unusable = typed(raw, columns, roles)
    if roles.missing == "impute":
        return usable, _gaps(raw, [column for column in columns if not column.missing.all()]), unusable
    while True:  # as more rows are whole without refused columns, what a message proposes leaves a table
        refused = {one.name for one in unusable}
        columns = [column for column in columns if column.name not in refused]
        gaps = _gaps(raw, columns)
        if not gaps.any():
            return [column for column in usable if column.name not in refused], gaps, unusable
        if raw.rows - gaps.sum() < MIN_ROWS:
            worst = max(columns, key=lambda column: column.missing.sum())
            fact = f"column {worst.name}: {worst.missing.sum()} of {raw.rows} cells are missing"
            more = [Unusable(worst.name, f"{raw.source}: {fact}")]
        else:
            usable, more = typed(raw, columns, roles, gaps)
        if not more:
            return usable, gaps, unusable
        unusable += more


def _gaps(raw: RawTable, columns: Sequence[RawColumn]) -> np.ndarray:
    """Return the rows with a missing cell in one of the columns, bool [N]."""
    return np.any([np.zeros(raw.rows, bool), *(column.missing for column in columns)], axis=0)


def _check_unusable(raw: RawTable, columns: list[RawColumn], roles: Roles, unusable: Sequence[Unusable]) -> None:
    """Raise InputError for all columns that cannot be used, a line for each, with the settings that leave them out."""
    names = {one.name for one in unusable}
    others = [column for column in columns if roles.missing == "refuse" and column.name not in names]
    gapped = [column for column in others if column.missing.any()]
    if not unusable and not gapped:
        return
    if not unusable:
        raise InputError(_gaps_only(raw, gapped, roles))
    if len(unusable) == 1 and not gapped:
        keys = unusable[0].keys
        drop = () if len(columns) == 2 and keys else ("drop",)  # which would leave one column
        raise InputError(_line(unusable[0], roles, (*drop, *keys)))
    lines = {one.name: _without_source(_line(one, roles, one.keys), raw) for one in unusable}
    for column in gapped:
        first = _without_source(raw.place(int(column.missing.argmax())), raw)
        cells = _counted(int(column.missing.sum()), "missing cell")
        lines[column.name] = f"column {column.name}: {cells}, the first in {first}"
    listed = [f"  {lines[name]}" for name in sorted(lines)[:SHOWN]]
    listed += [f"  ... and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    headed = all("line 1," in each for each in lines.values())  # of a file that was given names too
    lost = [one.name for one in unusable if not one.repair]
    if len(columns) - len(lost) < 2 or headed:
        left = f"a network needs at least two columns, and {len(columns) - len(unusable)} of {len(columns)} can be used"
        left += "; leave out names where line 1 has them" if headed else ""
    else:
        left = _remedy(raw, roles, unusable, gapped)
    raise InputError(f"{raw.source}: {len(lines)} columns cannot be used as they are:", *listed, left)


def _remedy(raw: RawTable, roles: Roles, unusable: Sequence[Unusable], gapped: Sequence[RawColumn]) -> str:
    """Return a line with the settings that repair columns where there are such, and leave the others out."""
    repair: dict[str, Any] = {}
    for one in unusable:
        for key, value in one.repair.items():
            repair[key] = [*repair.get(key, []), *value] if isinstance(value, list) else repair.get(key, value)
    repaired = {one.name for one in unusable if one.repair}
    gapped = [*gapped, *(column for column in raw.columns if column.name in repaired and column.missing.any())]
    after = roles.moved(sorted(one.name for one in unusable if not one.repair), "drop")
    if roles.missing == "refuse" and (gapped or "marks" in repair):
        after = replace(after, missing="drop" if gapped else "impute")
    rows = f" and {_counted(int(_gaps(raw, gapped).sum()), 'row')} with a missing cell" if gapped else ""
    what = f"repair what can be and leave out the rest{rows}" if repair else f"leave out these columns{rows}"
    settings = [setting(key, value) for key, value in repair.items()]
    words = joined([*settings, *filter(None, [roles.words_to(after)])])
    return f"to {what}, {'pass' if FORM.get() == 'python' else 'add after the file'}: {words}"


def _line(problem: Unusable, roles: Roles, keys: Sequence[str]) -> str:
    """Return what is wrong with a column and what to do: correct it, or name it in one of some lists."""
    if problem.name == roles.weights:
        return f"{problem.fact}; weights are whole numbers: correct it, or name another column"
    words = [roles.words_for([problem.name], key) for key in keys]
    hints = [*([problem.correct] if problem.correct else []), *([f"set {' or '.join(words)}"] if words else [])]
    return "; ".join([problem.fact, *([", or ".join(hints)] if hints else [])])


def _without_source(text: str, raw: RawTable) -> str:
    return text.removeprefix(raw.source).lstrip(":, ")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _gaps_only(raw: RawTable, gapped: Sequence[RawColumn], roles: Roles) -> str:
    """Return the message for a table whose only fault is missing cells."""
    row = min(int(column.missing.argmax()) for column in gapped)
    names = {column.name for column in gapped}
    first = next(column.name for column in raw.columns if column.name in names and column.missing[row])
    cells = sum(int(column.missing.sum()) for column in gapped)
    count = f"{cells} in all, in {_gaps(raw, gapped).sum()} of {raw.rows} rows"
    drop, impute = setting("missing", "drop"), setting("missing", "impute")
    hint = f"set {drop} to leave these rows out, {impute} to fill the cells in"
    if len(names) <= SHOWN:
        hint += f", or {roles.words_for(sorted(names), 'drop')} to leave out the columns"
    return f"{raw.place(row)}, column {first}: a missing cell ({count}); {hint}"
