"""The Parquet files between rules: they are read and written here and nowhere else.

Every file carries, as JSON under the schema metadata key ``cutpoint``, the version of this contract,
the package version and what the writer adds (seed, cell, ...). Files are written aside and renamed,
so that a file that exists is whole; its pages have checksums, so that damage on disk is noticed.
"""

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cutpoint import __version__
from cutpoint.base.errors import InputError
from cutpoint.bench.data.schemas import IDENTITY, OPTIONAL, Row
from cutpoint.bench.data.status import OK
from cutpoint.data import arrow

CONTRACT = 3
KEY = b"cutpoint"
ANEW = "delete it and run again"
_NUMPY = {pa.int32(): np.int32, pa.int64(): np.int64, pa.float64(): np.float64}


def array(values: Sequence[Any] | np.ndarray, kind: pa.DataType) -> pa.Array:
    """Return numbers, texts or booleans, None for null, as an Arrow array of int32, int64, float64, bool or string.

    pyarrow itself would import pandas for it: 0.3 s in every job.
    """
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


def _with_metadata(schema: pa.Schema, metadata: dict[str, Any]) -> pa.Schema:
    content = {"contract": CONTRACT, "package": __version__, **metadata}
    return schema.with_metadata({KEY: json.dumps(content, sort_keys=True)})


class _Aside:
    """A temporary path, renamed to the real one after a successful write."""

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        self.aside = self.path.with_name(f".{self.path.name}.{os.getpid()}")

    def __enter__(self) -> Path:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for left in self.path.parent.glob(f".{escape(self.path.name)}.*"):  # by a job that was killed
            left.unlink(missing_ok=True)
        return self.aside

    def __exit__(self, kind, problem, _):
        if kind is None:
            with self.aside.open("rb") as file:
                os.fsync(file)  # else a power cut may leave a name without its content; a lost name is made again
            os.replace(self.aside, self.path)
            return
        self.aside.unlink(missing_ok=True)
        if isinstance(problem, OSError) and problem.errno:  # Arrow does not say which file
            raise OSError(problem.errno, os.strerror(problem.errno), str(self.path)) from None


def write_records(path, records: Iterable[dict[str, Any]], schema: pa.Schema, **metadata) -> None:
    """Write rows of a schema such as `cutpoint.bench.data.schemas.RUNS`; absent columns are null."""
    rows = list(records)
    columns = [array([row.get(field.name) for row in rows], field.type) for field in schema]
    write_table(pa.Table.from_arrays(columns, schema=schema), path, **metadata)


def write_table(table: pa.Table, path, **metadata) -> None:
    """Write a table as a contract file."""
    with _Aside(path) as aside:
        full = table.replace_schema_metadata(_with_metadata(table.schema, metadata).metadata)
        pq.write_table(full, aside, compression="zstd", row_group_size=max(1, len(table)), write_page_checksum=True)


def write_rows(path, rows: Sequence[dict[str, Any]], **metadata) -> None:
    """Write rows that all have the same keys; see `schema_of`."""
    write_records(path, rows, schema_of(rows), **metadata)


@contextmanager
def _reading(path) -> Iterator[None]:
    """Turn an error on reading a file into an InputError that names the file."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        if isinstance(problem, OSError) and problem.errno:  # an error of the system, not of the content
            raise InputError(f"{path}: {os.strerror(problem.errno)}") from None
        said = str(problem).splitlines()[0]
        if "launch worker thread" in said:  # a limit of the user's processes, with which the file has nothing to do
            raise InputError(f"{path}: cannot be read ({said}); allow more processes (ulimit -u)") from None
        raise InputError(f"{path}: not a readable Parquet file ({said}); {ANEW}") from None


def read_table(path, columns: Sequence[str] | None = None) -> tuple[pa.Table, dict[str, Any]]:
    """Return the table of a contract file, or some columns of it, and its metadata; InputError for any other file."""
    with _reading(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        table = file.read(columns=columns, use_threads=False)
    return table, _metadata(path, table.schema)


def read_records(path, schema: pa.Schema) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the rows and metadata of a contract file; InputError also where a column is missing or of a wrong type."""
    table, metadata = _read_contract(path, schema)
    return table.to_pylist(), metadata


def _read_contract(path, schema: pa.Schema) -> tuple[pa.Table, dict[str, Any]]:
    table, metadata = read_table(path)
    for expected in schema:
        name = expected.name
        if name not in table.column_names and name == OPTIONAL:
            table = table.append_column(expected, pa.nulls(len(table), expected.type))
        if name not in table.column_names:
            raise InputError(f"{path}: column {name!r} is missing; it needs {', '.join(schema.names)}")
        column = table.column(name)
        if column.type != expected.type:  # a file of another program
            table = table.set_column(table.column_names.index(name), name, _cast(column, expected, path))
    return table, metadata


def merge(paths: Iterable, output, schema: pa.Schema, order: Sequence[str], **metadata) -> None:
    """Write the rows of several contract files as one, sorted by some columns; rows that are alike keep their order."""
    parts = [_read_contract(path, schema)[0].select(schema.names).replace_schema_metadata() for path in paths]
    table = pa.concat_tables(parts) if parts else schema.empty_table()
    write_table(table.sort_by([(name, "ascending") for name in order]).cast(schema), output, **metadata)


def _cast(column: pa.ChunkedArray, expected: pa.Field, path) -> pa.ChunkedArray:
    """Return a column as a type of the contract; text is neither a number nor a truth value."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    with suppress(pa.ArrowException):
        if pa.types.is_null(kind) or text == pa.types.is_string(expected.type):
            return column.cast(expected.type)
    raise InputError(f"{path}: column {expected.name!r}: {column.type} where {expected.type} is expected")


def by_identity(rows: Iterable[Row], identity: Sequence[str] = IDENTITY) -> dict[tuple, list[Row]]:
    """Return rows grouped by method, cell and replicate, or by other columns."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in identity), []).append(row)
    return groups


def _metadata(path, schema: pa.Schema) -> dict[str, Any]:
    try:
        metadata = json.loads((schema.metadata or {})[KEY])
    except (KeyError, ValueError):
        metadata = None
    if not isinstance(metadata, dict):
        raise InputError(f"{path}: the schema metadata lacks the key 'cutpoint'; {ANEW}")
    if metadata.get("contract") != CONTRACT:
        raise InputError(f"{path}: written for contract {metadata.get('contract')}, not {CONTRACT}; {ANEW}")
    return metadata


@dataclass(frozen=True)
class Part:
    """The data sets of a cell, as a part of a data file.

    Blocks are replicates with their values [N, n], n columns in the order of the replicate's own.
    """

    columns: Sequence[str]  # their names; a replicate that lacks some (`each`) has nulls there
    blocks: Sequence[tuple[int, np.ndarray]]
    discrete: Sequence[str] = ()  # the columns that hold integer codes
    gaps: Collection[str] = ()  # those with missing cells, NaN; their codes are written as numbers
    each: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)  # by replicate what differs, such as variables
    about: Mapping[str, Any] = field(default_factory=dict)  # further keys, such as cell, seed, cardinalities

    @property
    def metadata(self) -> dict[str, Any]:
        """What the file says of it."""
        metadata: dict[str, Any] = {"columns": list(self.columns), "discrete": sorted({*self.discrete})}
        metadata |= {"replicates": [int(r) for r, _ in self.blocks], **self.about}
        return metadata | ({"each": {str(r): dict(about) for r, about in self.each.items()}} if self.each else {})


def write_data(path, columns: Sequence[str], blocks: Iterable[tuple[int, np.ndarray]], **options) -> None:
    """Write the data sets of one cell; options are discrete, gaps and each of the `Part`, and its further keys."""
    own = {key: options.pop(key) for key in ("discrete", "gaps", "each") if options.get(key) is not None}
    write_parts(path, [Part(columns, list(blocks), **own, about=options)])


def write_parts(path, parts: Sequence[Part]) -> None:
    """Write data sets, one row group for each: what cell and which replicate it is, then one column per variable."""
    columns = list(dict.fromkeys(name for part in parts for name in part.columns))
    numbers = {name for part in parts for name in part.columns if name not in part.discrete or name in part.gaps}
    types = [(name, pa.float64() if name in numbers else pa.int32()) for name in columns]
    identity = (("cell", pa.string()), ("replicate", pa.int32()))
    names = [(name, kind) for name, kind in identity if name not in columns]  # a variable may be called so
    schema = _with_metadata(pa.schema([*names, *types]), {"parts": [part.metadata for part in parts]})
    few = [*dict(names), *sorted({*columns} - numbers)]  # values; random digits do not compress
    packing = {name: "zstd" if name in few else "none" for name in schema.names}
    with (
        _Aside(path) as aside,
        pq.ParquetWriter(aside, schema, compression=packing, use_dictionary=few, write_page_checksum=True) as file,
    ):
        for part in parts:
            for replicate, values in part.blocks:
                own = part.each.get(replicate, {}).get("variables", part.columns)
                place = {name: i for i, name in enumerate(own)}
                place_of = {"cell": part.about.get("cell"), "replicate": int(replicate)}
                arrays = [pa.repeat(array([place_of[name]], kind)[0], len(values)) for name, kind in names]
                nulls = {kind: pa.nulls(len(values), kind) for _, kind in types}  # one for all absent columns
                for name, kind in types:
                    arrays.append(array(values[:, place[name]], kind) if name in place else nulls[kind])
                table = pa.Table.from_arrays(arrays, schema=schema)
                file.write_table(table, row_group_size=max(1, len(values)))


@dataclass(frozen=True, eq=False)
class DataSet:
    """One replicate of a data file; columns are always in the order of their sorted names."""

    columns: list[str]  # n sorted names, which methods see
    variables: list[str]  # what each column is: a variable of the true network, or a column of the user's table
    values: np.ndarray  # float64 [N, n], columns contiguous
    discrete: np.ndarray  # bool [n], True for a column that holds codes
    about: dict[str, Any]  # metadata of the cell and of this replicate, by column

    @cached_property
    def digest(self) -> str:
        """16 hexadecimal digits for all that a method sees of it."""
        about = {key: self.about.get(key) for key in ("cardinalities", "knowledge", "ordered")}
        about |= {key: names for key in ("turned",) if (names := self.about.get(key))}
        words = [self.columns, self.variables, self.discrete.tolist(), about]
        digest = hashlib.blake2b(np.asfortranarray(self.values).T.data, digest_size=8)  # without a copy
        digest.update(json.dumps(words, sort_keys=True).encode())
        return digest.hexdigest()


@dataclass
class DataFile:
    """The data sets of a cell in a data file; `first` is the row group of the first of its replicates.

    All cells of a file share what `opened` returns: what Arrow keeps of many row groups takes tens of megabytes.
    """

    path: Path
    metadata: dict[str, Any]
    replicates: list[int]
    first: int
    opened: Callable[[], pq.ParquetFile]

    @property
    def available(self) -> bool:
        """Whether there are data; a set that could not be fetched has none."""
        return self.metadata.get("status", OK) == OK

    def about(self, replicate: int) -> dict[str, Any]:
        """Return the metadata of the cell and of a replicate."""
        about = {k: v for k, v in self.metadata.items() if k not in ("each", "columns")}
        return about | self.metadata.get("each", {}).get(str(replicate), {})

    def variables_of(self, replicate: int) -> dict[str, str]:
        """Return the variable of each column of a replicate; its own name where the file says no other."""
        return self.about(replicate).get("variables") or {name: name for name in self.metadata["columns"]}

    def read(self, replicate: int) -> DataSet:
        """Return one data set; InputError for an empty cell or a damaged file."""
        about, variables = self.about(replicate), self.variables_of(replicate)
        columns = sorted(variables)
        with _reading(self.path):
            place = self.first + self.replicates.index(replicate)
            group = self.opened().read_row_group(place, columns=columns, use_threads=False)
        values = np.empty((group.num_rows, len(columns)), order="F")
        left = dict(zip(group.column_names, group.columns, strict=True))
        del group  # so that a column goes when its values are there
        for i, name in enumerate(columns):
            column = left.pop(name)
            if column.null_count:
                raise InputError(f"{self.path}: replicate {replicate}, column {name!r}: an empty cell")
            values[:, i] = arrow.numbers(column)
        pa.default_memory_pool().release_unused()  # what the columns had
        discrete = np.isin(columns, about["discrete"])
        return DataSet(columns, [variables[name] for name in columns], values, discrete, about)

    def __iter__(self) -> Iterator[tuple[int, DataSet]]:
        for replicate in self.replicates:
            yield replicate, self.read(replicate)


def open_parts(path) -> list[DataFile]:
    """Open a data file, cell by cell; the values are read when asked for."""
    with _reading(path):
        schema = pq.read_schema(path)
    metadata = _metadata(path, schema)
    if "parts" not in metadata:
        raise InputError(f"{path}: holds no data sets; {ANEW}")
    parts, first = list[DataFile](), 0
    opened = cache(partial(pq.ParquetFile, path, memory_map=True, page_checksum_verification=True))
    for about in metadata["parts"]:
        parts.append(DataFile(Path(path), about, about["replicates"], first, opened))
        first += len(about["replicates"])
    return parts


def data_sets(path) -> Iterator[tuple[dict[str, Any], DataFile]]:
    """Yield the identity of every data set of a file, and the part of it where it stands."""
    for part in open_parts(path):
        for replicate in part.replicates or [0]:
            yield {"cell": part.metadata["cell"], "replicate": replicate}, part


def open_data(path) -> DataFile:
    """Open a data file of one cell, see `open_parts`; InputError also for several."""
    parts = open_parts(path)
    if len(parts) != 1:
        raise InputError(f"{path}: holds data sets of {len(parts)} cells where one is expected")
    return parts[0]
