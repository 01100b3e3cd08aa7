"""Data sets drawn from a data set: the delete-d jackknife and the bootstrap."""

from __future__ import annotations

import numpy as np

from cutpoint.errors import InputError

RESAMPLES = ("jackknife", "bootstrap")


def draw(n_records: int, rng: np.random.Generator, *, kind: str, delete: int = 1) -> np.ndarray:
    """Return the records of one replicate, sorted int64.

    Args:
        n_records: N.
        rng: random generator.
        kind: "jackknife" or "bootstrap".
        delete: records that the jackknife leaves out.

    Raises:
        InputError: an unknown kind, or a delete out of range.
    """
    if kind not in RESAMPLES:
        raise InputError(f"resample: one of {', '.join(RESAMPLES)}, not {kind!r}")
    return (jackknife(n_records, delete, 1, rng) if kind == "jackknife" else bootstrap(n_records, 1, rng))[0]


def jackknife(n_records: int, delete: int, samples: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the records kept by draws of the delete-d jackknife (Shao and Wu 1989).

    Args:
        n_records: N.
        delete: records that a draw leaves out, without replacement; 1 .. N - 1.
        samples: number of draws.
        rng: random generator.

    Returns:
        One sorted int64 [N - delete] array per draw.

    Raises:
        InputError: a delete or samples out of range.
    """
    _check_samples(samples)
    if not 1 <= delete < n_records:
        raise InputError(f"delete: of {n_records} records between 1 and {n_records - 1} can be left out, not {delete}")
    everything = np.arange(n_records)
    return [np.delete(everything, rng.choice(n_records, delete, replace=False)) for _ in range(samples)]


def bootstrap(n_records: int, samples: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return draws of N records with replacement, one sorted int64 [N] array each; see `jackknife`."""
    _check_samples(samples)
    if n_records < 1:
        raise InputError("records: there is none to draw")
    return [np.sort(rng.integers(n_records, size=n_records)) for _ in range(samples)]


def _check_samples(samples: int) -> None:
    if samples < 1:
        raise InputError(f"samples: at least one resample is needed, not {samples}")


def jackknife_variance(statistics: np.ndarray, n_records: int, delete: int) -> np.ndarray:
    """Return the variance that draws of the delete-d jackknife give a statistic of all records.

    (N - d) / d times the variance of the statistic over the draws (Shao and Wu 1989, 1.4). Over all subsets this
    is s^2 / N for a mean.

    Args:
        statistics: float64 [R, ...], one value per draw.
        n_records: N.
        delete: d.
    """
    return (n_records - delete) / delete * np.var(np.asarray(statistics, float), axis=0)
