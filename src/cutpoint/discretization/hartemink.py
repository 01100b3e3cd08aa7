"""Hartemink's discretization: merge levels so that little mutual information between variables is lost."""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints
from cutpoint.data.anonymous import canonical_order
from cutpoint.discretization.binning import check, equal_frequency
from cutpoint.discretization.encoding import discrete_thresholds, encode
from cutpoint.kernels import hartemink as kernels
from cutpoint.options import AtLeast1, Order

TOLERANCE = 1e-7  # nats of total mutual information below which two losses are a tie


def hartemink(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    bins: AtLeast1 = 3,
    initial: AtLeast1 | None = None,
    order: Order = "columns",
) -> list[np.ndarray]:
    """Merge the adjacent levels that cost the least total pairwise mutual information.

    All variables start with one level per distinct value, or `initial` levels of equal frequency. A count of levels
    goes down from the most that one has to `bins`; each variable with more levels than the count, one after the other,
    merges the first pair of adjacent levels whose loss is lowest up to 1e-7 nats (Hartemink 2001; Fu 2005, III.1.2).
    order: in which variables merge at each count, "columns" as they come, "stable" one that depends on their values
    alone.
    """
    check(values)
    if initial is not None and initial < bins:
        raise InputError(f"initial is {initial}, less than bins = {bins}: start from more levels")
    if order == "stable":
        stable = canonical_order(values, discrete)
        lists = hartemink(values[:, stable], discrete[stable], bins=bins, initial=initial)
        return [lists[place] for place in np.argsort(stable)]
    start = values if initial is None else encode(values, equal_frequency(values, discrete, bins=initial))
    ranks = np.argsort(start, axis=0, kind="stable").T
    places = _merge(
        np.take_along_axis(start.T, ranks, 1), ranks, np.where(discrete, len(values), min(bins, len(values)))
    )
    return [
        discrete_thresholds(x) if keep else midpoints(x[inner - 1], x[inner])
        for x, keep, inner in zip(np.sort(values.T), discrete, places, strict=True)
    ]


def _merge(ordered: np.ndarray, order: np.ndarray, targets: np.ndarray) -> list[np.ndarray]:
    """Return the places in each variable's sorted records, but the first, where its final levels start."""
    n, size = order.shape
    # a power of two by which losses, at most n f(size), still fit in an integer
    scale = 2.0 ** (60 - int(np.ceil(np.log2(n * size * np.log(size + 2)))))
    tolerance = int(TOLERANCE * size * scale)
    order, levels, first, sizes = _levels(ordered, order)
    kernels.merge(kernels.entropy_table(size, scale), order, levels, first, sizes, targets, tolerance)
    return [np.flatnonzero(np.diff(own[records])) + 1 for own, records in zip(levels.T, order, strict=True)]


def _levels(ordered: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return order, levels, first and sizes as the kernel takes them, one level per distinct value."""
    n, size = order.shape
    kind = np.uint16 if size < 2**16 else np.uint32
    ranks = np.cumsum(np.diff(ordered, axis=1, prepend=ordered[:, :1]) > 0, axis=1)
    sizes = ranks[:, -1] + 1
    levels = np.empty((size, n), kind)
    np.put_along_axis(levels, order.T, ranks.T.astype(kind), 0)
    places = np.arange(sizes.max() + 1)
    first = np.array([np.searchsorted(row, places) for row in ranks])
    return order.astype(kind, order="C"), levels, first, sizes
