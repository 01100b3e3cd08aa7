"""Data sets drawn from a data set: the delete-d jackknife and the bootstrap."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from cutpoint.errors import InputError
from cutpoint.options import AtLeast1

Resample = Literal["jackknife", "bootstrap"]


def draw(n_records: int, rng: np.random.Generator, *, kind: Resample, delete: AtLeast1 = 1) -> np.ndarray:
    """Return the records of one resample, sorted int64 [N - delete] or [N].

    Args:
        n_records: N.
        rng: random generator.
        kind: "jackknife", the delete-d jackknife (Shao and Wu 1989), or "bootstrap", N records with replacement.
        delete: records that the jackknife leaves out, 1 .. N - 1.

    Raises:
        InputError: an unknown kind, no records, or a delete out of range.
    """
    if kind not in get_args(Resample):
        raise InputError(f"resample: one of {', '.join(get_args(Resample))}, not {kind!r}")
    if n_records < 1:
        raise InputError("records: there is none to draw")
    if kind == "bootstrap":
        return np.sort(rng.integers(n_records, size=n_records))
    _check_delete(n_records, delete)
    return np.delete(np.arange(n_records), rng.choice(n_records, delete, replace=False))


def redraw(
    values: np.ndarray, frozen: np.ndarray, rng: np.random.Generator, *, kind: Resample, delete: AtLeast1 = 1
) -> np.ndarray:
    """Return one resample of a data set, float64 [records, n], columns contiguous; see `draw`.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes; these are numbered anew where a level is lacking.
        rng: random generator.
        kind, delete: as in `draw`.
    """
    sample = np.asfortranarray(values[draw(len(values), rng, kind=kind, delete=delete)])
    for i in np.flatnonzero(frozen):
        sample[:, i] = np.unique(sample[:, i], return_inverse=True)[1]
    return sample


def _check_delete(n_records: int, delete: int) -> None:
    if not 1 <= delete < n_records:
        raise InputError(f"delete: of {n_records} records between 1 and {n_records - 1} can be left out, not {delete}")


def jackknife_variance(statistics: np.ndarray, n_records: int, delete: int) -> np.ndarray:
    """Return the variance that draws of the delete-d jackknife give a statistic of all records.

    (N - d) / d times the variance of the statistic over the draws (Shao and Wu 1989, 1.4). Over all subsets this
    is s^2 / N for a mean.

    Args:
        statistics: float64 [R, ...], one value per draw.
        n_records: N.
        delete: d.

    Returns:
        float64 [...], one variance per statistic.

    Raises:
        InputError: a delete out of range.
    """
    _check_delete(n_records, delete)
    return (n_records - delete) / delete * np.var(np.asarray(statistics, float), axis=0)
