"""Cells of a Markov blanket with few and with many levels."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.kernels import blankets


def first_seen(*columns):
    """Number the rows by first occurrence."""
    numbers = {}
    return [numbers.setdefault(row, len(numbers)) for row in zip(*columns, strict=True)]


@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([1, 2, 30]), st.sampled_from([1, 3, 40]))
def test_pairs_without_a_table_are_numbered_as_with_one(seed, rows, size, levels):
    rng = np.random.default_rng(seed)
    source, codes = rng.integers(0, size, rows).astype(np.uint32), rng.integers(0, levels, rows).astype(np.int32)
    order, target = rng.permutation(rows).astype(np.int32), np.empty(rows, np.uint32)
    pairs = blankets.number_pairs(source, size, codes, levels, order, target)
    expected = first_seen(source.tolist(), codes[order].tolist())
    assert pairs == blankets.compact(target, pairs) == max(expected) + 1
    assert target.tolist() == expected


def test_cells_times_levels_may_exceed_an_integer_and_memory():
    rows, levels = 140_000, 70_000  # of which the square exceeds 2^32, and a table of so many would take 39 GB
    rng = np.random.default_rng(0)
    codes = rng.permutation(rows).astype(np.int32)
    order, cells = np.arange(rows, dtype=np.int32), np.zeros(rows, np.uint32)
    size = blankets.refine(cells, 1, codes // 2, levels, order, cells)
    size = blankets.refine(cells, size, codes % 3, levels, order, cells)
    expected = first_seen((codes // 2).tolist(), (codes % 3).tolist())
    assert (size, cells.tolist()) == (max(expected) + 1, expected)
