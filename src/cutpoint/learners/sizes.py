"""What data a learner can count, and what it may hold at once; both are told before anything is allocated."""

import math
from decimal import Decimal

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.kernels.counting import MOST_SETS

MOST_LEVELS = 1 << 16  # codes are kept in 16 bits
MEMORY_MB = 2000.0  # of a learner, beside the data that it is called with


def memory(memory_mb: float) -> int:
    """Return an option in MB as bytes."""
    return int(1e6 * memory_mb)


def megabytes(size: int) -> str:
    """Return bytes, possibly beyond the range of floats, as text in MB."""
    number = Decimal(size) / 10**6
    return f"{number:.2g}" if number < 10 else f"{number:.0f}" if number < 10**9 else f"{number:.1e}"


def check_memory(what: str, size: int, advice: str, memory_mb: float = MEMORY_MB) -> None:
    """Raise an InputError when `what` needs more bytes than a learner may hold; `advice` says what to change."""
    if size > memory(memory_mb):
        raise InputError(f"{what} need about {megabytes(size)} MB, and {memory_mb:g} MB is the most; {advice}")


def counted(codes: np.ndarray, cardinalities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return codes as uint16 [N, n], columns contiguous, and the number of levels of each column, int64 [n].

    They are checked: levels are 0..r-1, some may be empty, and there are no more than MOST_LEVELS.
    """
    codes, cardinalities = np.asarray(codes), np.asarray(cardinalities)
    if not np.issubdtype(codes.dtype, np.integer) or codes.min(initial=0) < 0:
        raise InputError("codes: integers between 0 and the cardinality of their column - 1 are expected")
    for i, r in enumerate(cardinalities.tolist()):
        if r > MOST_LEVELS:
            fact = f"column {i + 1} has {r} levels, and {MOST_LEVELS} is the most"
            raise InputError(f"cardinalities: {fact}; merge levels, or leave the column out")
    if codes.max(initial=0) >= MOST_LEVELS:
        raise InputError(f"codes: {codes.max()} is too high, {MOST_LEVELS - 1} is the most; number the levels from 0")
    small, levels = np.asfortranarray(codes, np.uint16), np.ascontiguousarray(cardinalities, np.int64)
    if (small.max(axis=0, initial=0) >= levels).any() and len(codes):
        raise InputError("codes: integers between 0 and the cardinality of their column - 1 are expected")
    return small, levels


def check_tables(codes: np.ndarray, levels: np.ndarray) -> None:
    """Raise an InputError where families of `counted` codes would not fit."""
    (rows, n), wide = codes.shape, np.sort(levels)[-2:].tolist()
    tables = f"codes: tables of columns with {' and '.join(map(str, wide))} levels"
    check_memory(tables, 4 * math.prod(wide), "merge levels, or leave a column out")
    size = 2 * rows * n + rows // 8 * int(levels[levels <= MOST_SETS].sum()) + 200 * rows + 12 * n * n
    check_memory(f"codes: {rows} records of {n} variables", size, "take fewer records or variables")
