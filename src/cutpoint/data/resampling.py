"""Data sets drawn from a data set: the delete-d jackknife, the bootstrap, and the folds of a cross-validation."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.options import AtLeast1, Probability

Resample = Literal["jackknife", "bootstrap"]


def jackknife(
    n_records: int, rng: np.random.Generator, *, delete: AtLeast1 | None = None, share: Probability | None = None
) -> np.ndarray:
    """Return the records of a delete-d jackknife (Shao and Wu 1989), sorted int64 [N - delete].

    Delete is from 1 to N - 1, 1 if not given; in its place a share of the records, one at least, may be left out.
    """
    delete = max(1, round((share or 0) * n_records)) if delete is None else delete
    if not 1 <= delete < n_records:
        raise InputError(f"delete: of {n_records} records between 1 and {n_records - 1} can be left out, not {delete}")
    return np.delete(np.arange(n_records), rng.choice(n_records, delete, replace=False))


def bootstrap(n_records: int, rng: np.random.Generator, *, most: AtLeast1 | None = None) -> np.ndarray:
    """Return the records of a bootstrap, sorted int64 [N], or [most] where fewer (Bickel, Götze, van Zwet 1997)."""
    return np.sort(rng.integers(n_records, size=min(n_records, most or n_records)))


RESAMPLES: dict[str, Callable[..., np.ndarray]] = {"jackknife": jackknife, "bootstrap": bootstrap}


def redraw(
    values: np.ndarray, discrete: np.ndarray, rng: np.random.Generator, *, kind: Resample, **options: Any
) -> np.ndarray:
    """Return one resample of values, as of `some_records`; options are those of `jackknife` or of `bootstrap`."""
    if not len(values):
        raise InputError("records: there are none to draw from")
    return some_records(values, discrete, RESAMPLES[kind](len(values), rng, **options))


def some_records(values: np.ndarray, discrete: np.ndarray, records: np.ndarray) -> np.ndarray:
    """Return some records, int64 [R] or bool [N], of values: float64 [R, n], codes anew where a level is lacking."""
    sample = np.asfortranarray(values[records])
    for i in np.flatnonzero(discrete):
        there = ~np.isnan(sample[:, i])
        sample[there, i] = np.unique(sample[there, i], return_inverse=True)[1]
    return sample


def folds(n_records: int, number: int, seed: int, *identity: object) -> np.ndarray:
    """Return the fold of each record, int64 [N], of 0 .. number - 1, as even as possible, the same for an identity."""
    if number < 2:
        raise InputError(f"folds: a cross-validation needs at least two, not {number}")
    if n_records < number:
        raise InputError(f"folds: {n_records} records cannot be divided into {number}")
    rng = generator_for(seed, *identity, number, "folds")
    return rng.permutation(n_records) % number
