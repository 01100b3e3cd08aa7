"""Arrow arrays from plain values and back, without pandas, which pyarrow itself imports: 0.3 s in every job."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

_NUMPY = {pa.int32(): np.int32, pa.int64(): np.int64, pa.float64(): np.float64}


def array(values: Sequence[Any] | np.ndarray, kind: pa.DataType) -> pa.Array:
    """Return numbers, texts or booleans, None for null, as an Arrow array of int32, int64, float64, bool or string."""
    if isinstance(values, np.ndarray):
        return _numbers(values, kind, None)
    valid = np.array([value is not None for value in values], bool)
    mask = None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    if pa.types.is_string(kind):
        return _texts(values, mask)
    if pa.types.is_boolean(kind):
        bits = np.packbits(np.array([bool(value) for value in values], bool), bitorder="little")
        return pa.Array.from_buffers(kind, len(values), [mask, pa.py_buffer(bits)])
    return _numbers(np.array([0 if value is None else value for value in values]), kind, mask)


def _numbers(values: np.ndarray, kind: pa.DataType, mask: pa.Buffer | None) -> pa.Array:
    if values.size and not np.issubdtype(values.dtype, np.number):
        raise TypeError(f"numbers are expected, not {values.dtype}")
    plain = np.ascontiguousarray(values.astype(_NUMPY[kind], casting="unsafe"))
    if not np.array_equal(plain, values, equal_nan=plain.dtype.kind == "f"):
        raise ValueError(f"a number does not fit {kind}")
    return pa.Array.from_buffers(kind, len(plain), [mask, pa.py_buffer(plain)])


def _texts(values: Sequence[str | None], mask: pa.Buffer | None) -> pa.Array:
    texts = [b"" if value is None else value.encode() for value in values]
    offsets = np.zeros(len(texts) + 1, np.int32)
    np.cumsum([len(text) for text in texts], out=offsets[1:])
    buffers = [mask, pa.py_buffer(offsets), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)


def schema_of(rows: Sequence[Mapping[str, Any]]) -> pa.Schema:
    """Return the columns of rows with the same keys; their values are floats, integers, booleans or texts, or None."""
    names = list(rows[0]) if rows else []
    if any(list(row) != names for row in rows):
        raise ValueError("rows must have the same keys")
    kinds = {float: pa.float64(), int: pa.int64(), bool: pa.bool_(), str: pa.string()}
    fields = []
    for name in names:
        cells = (row[name].item() if isinstance(row[name], np.generic) else row[name] for row in rows)
        types = {*map(type, cells)} - {type(None)}
        types = {float} if types == {int, float} or not types else types
        if len(types) > 1 or not types <= kinds.keys():
            raise ValueError(f"column {name!r} has values of the types {sorted(kind.__name__ for kind in types)}")
        fields.append((name, kinds[types.pop()]))
    return pa.schema(fields)


def numbers(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers without nulls as a numpy array."""
    if column.num_chunks == 0:
        return np.empty(0)
    return np.concatenate([np.from_dlpack(chunk) for chunk in column.chunks])


def floats(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers as float64, NaN for null."""
    nan = array(np.array([np.nan]), pa.float64())[0]
    return np.asarray(numbers(column.cast(pa.float64(), safe=False).fill_null(nan)), float)
