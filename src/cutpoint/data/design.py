"""How records came about: how often each one stands for, and which of its variables were set by an intervention."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.frames import as_array, frame_of, is_frame, names_of
from cutpoint.data.table import Table
from cutpoint.graphs.dags import numbered

MOST_CELLS = 2**31  # of repeated records
Targets = dict[str, np.ndarray]  # bool [N] by the name of a variable: in which records it was set
NOTHING = ("", "none", "None", "nan", "NaN", "<NA>")  # cells, as text, of records without an intervention


def designed(
    data: Any, interventions: Any, sample_weight: Any, called: str = "sample_weight"
) -> tuple[Any, Targets | None]:
    """Return records as often as they count, and which of their variables were set, None where nothing says so.

    data: an array, data frame or `Table`; a column that is named by the others is left out. interventions, where a text
    may name several with commas between them, and sample_weight, `called` so: as of `cutpoint.learn`, or None.
    """
    if interventions is None and sample_weight is None:
        return data, None
    if not isinstance(data, Table) and not is_frame(data):
        data = data if isinstance(data, np.ndarray) and data.ndim == 2 else as_array(data)
    marks, data = _parted(data, interventions, "interventions")
    weights, data = _parted(data, sample_weight, called)
    names = names_of(data) or numbered(data.shape[1])
    targets = None if marks is None else _targets(marks, names, len(data))
    if weights is None:
        return data, targets
    rows = repeated(weights, len(data), len(names), called)
    targets = None if targets is None else {name: chosen[rows] for name, chosen in targets.items()}
    if isinstance(data, Table):
        return data.select(rows), targets
    return (frame_of(data)[rows.tolist()].to_native() if is_frame(data) else data[rows]), targets


def repeated(sample_weight: Any, records: int, columns: int, called: str = "sample_weight") -> np.ndarray:
    """Return the rows of records, each as often as it counts, int64 [sum of weights]; of no weights each once."""
    if sample_weight is None:
        return np.arange(records)
    try:
        weights = np.asarray(sample_weight, float)
    except (TypeError, ValueError):
        weights = np.array(np.nan)
    if weights.shape != (records,):
        raise InputError(f"{called}: one number for each of {records} records is expected")
    wrong = ~(weights >= 0) | (weights % 1 != 0)
    if wrong.any():
        row = int(wrong.argmax())
        what = "a weight is how many equal records a record stands for, a whole number from 0"
        raise InputError(f"{called}, row {row + 1}: {weights[row]:g}; {what}")
    if not weights.any():
        raise InputError(f"{called}: every weight is zero, so that no record is left")
    if weights.sum() * columns > MOST_CELLS:
        much = f"{weights.sum():g} records in all, and {MOST_CELLS // columns} is the most"
        raise InputError(f"{called}: {much}; take smaller weights")
    return np.repeat(np.arange(records), weights.astype(np.int64))


def set_in(targets: Targets, names: Sequence[str], records: int) -> np.ndarray:
    """Return in which records each of some variables was set, bool [N, n]."""
    before = len(next(iter(targets.values()), np.empty(records)))
    if before != records:
        hint = "leave those with missing cells out before, or pass missing='impute'"
        raise InputError(f"interventions: of {before} records and {records} that are left; {hint}")
    return np.column_stack([targets.get(name, np.zeros(records, bool)) for name in names])


def _parted(data: Any, column: Any, what: str) -> tuple[Any, Any]:
    """Return the cells of a column that is named, or what was given in its place, and the data without the column."""
    if not isinstance(column, str):
        return column, data
    names = names_of(data)
    if names is None or column not in names:
        raise InputError(f"{what}: no column {column!r}{suggest(column, names or [])}")
    if isinstance(data, Table):
        return data.to_arrow()[column].to_pylist(), data.without([column])
    frame = frame_of(data)
    name = frame.columns[names.index(column)]
    return frame.get_column(name).to_list(), frame.drop(name).to_native()


def _targets(marks: Any, names: Sequence[str], records: int) -> Targets:
    if is_frame(marks):
        raise InputError("interventions: is a data frame; give its array, bool [N, n] with the columns of the data")
    if isinstance(marks, np.ndarray) and marks.dtype == bool:
        if marks.shape != (records, len(names)):
            raise InputError(f"interventions: bool of shape {(records, len(names))} is expected, not {marks.shape}")
        return dict(zip(names, marks.T, strict=True))
    cells = [*marks] if isinstance(marks, Iterable) and not isinstance(marks, Mapping) else []
    if len(cells) != records:
        raise InputError(f"interventions: a name or None for each of {records} records is expected, or bool [N, n]")
    targets = {name: np.zeros(records, bool) for name in names}
    for row, cell in enumerate(cells):
        for name in _names(cell, names):
            if name not in targets:
                raise InputError(f"interventions, row {row + 1}: no column {name!r}{suggest(str(name), names)}")
            targets[name][row] = True
    return targets


def _names(cell: Any, names: Sequence[str]) -> list[str]:
    if isinstance(cell, list | tuple | set | frozenset):
        return [*cell]
    text = "" if cell is None else str(cell)
    if text in names or text in NOTHING:
        return [text] if text in names else []
    return [part.strip() for part in text.split(",")]
