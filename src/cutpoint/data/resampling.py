"""Data sets drawn from a data set: the delete-d jackknife, the bootstrap, and the folds of a cross-validation."""

from typing import Literal, get_args

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import seed_sequence
from cutpoint.options import AtLeast1

Resample = Literal["jackknife", "bootstrap"]


def draw(
    n_records: int,
    rng: np.random.Generator,
    *,
    kind: Resample,
    delete: AtLeast1 | None = None,
    share: float | None = None,
    most: AtLeast1 | None = None,
) -> np.ndarray:
    """Return the records of one resample, sorted int64 [N - delete], [N] or [most].

    A bootstrap of m < N records (Bickel, Götze and van Zwet 1997) shows how what is learned from m records varies.

    Args:
        n_records: N.
        rng: random generator.
        kind: "jackknife", the delete-d jackknife (Shao and Wu 1989), or "bootstrap", N records with replacement.
        delete: records that the jackknife leaves out, 1 .. N - 1; 1 where neither it nor share is given.
        share: of the records that the jackknife leaves out, rounded, one at least.
        most: records that the bootstrap draws at most.
    """
    if kind not in get_args(Resample):
        raise InputError(f"resample: one of {', '.join(get_args(Resample))}, not {kind!r}")
    if n_records < 1:
        raise InputError("records: there are none to draw from")
    if kind == "bootstrap":
        return np.sort(rng.integers(n_records, size=min(n_records, most or n_records)))
    if delete is None:
        delete = max(1, round((share or 0) * n_records))
    if not 1 <= delete < n_records:
        raise InputError(f"delete: of {n_records} records between 1 and {n_records - 1} can be left out, not {delete}")
    return np.delete(np.arange(n_records), rng.choice(n_records, delete, replace=False))


def redraw(
    values: np.ndarray,
    discrete: np.ndarray,
    rng: np.random.Generator,
    *,
    kind: Resample,
    delete: AtLeast1 | None = None,
    share: float | None = None,
    most: AtLeast1 | None = None,
) -> np.ndarray:
    """Return one resample of values, float64 [records, n], columns contiguous; see `draw` and `some_records`."""
    return some_records(values, discrete, draw(len(values), rng, kind=kind, delete=delete, share=share, most=most))


def some_records(values: np.ndarray, discrete: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Return some records, int64 [R] or bool [N], of values, float64 [N, n]: float64 [R, n], columns contiguous.

    Codes of discrete variables, bool [n], are numbered anew where a level is lacking. NaN stays.
    """
    sample = np.asfortranarray(values[records])
    for i in np.flatnonzero(discrete):
        there = ~np.isnan(sample[:, i])
        sample[there, i] = np.unique(sample[there, i], return_inverse=True)[1]
    return sample


def folds(n_records: int, number: int, seed: int, *identity: object) -> np.ndarray:
    """Return the fold of each record in a cross-validation, int64 [N], of 0 .. number - 1.

    Folds are random and as even as possible. They depend on all arguments, and on nothing else.

    Args:
        n_records: N.
        number: of folds.
        seed: of the whole run.
        identity: what the folds are for: study, data set and name of the resample.
    """
    if number < 2:
        raise InputError(f"folds: a cross-validation needs at least two, not {number}")
    if n_records < number:
        raise InputError(f"folds: {n_records} records cannot be divided into {number}")
    rng = np.random.default_rng(seed_sequence(seed, *identity, number, "folds"))
    return rng.permutation(n_records) % number
