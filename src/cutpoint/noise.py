"""Continuous data from discrete: noise around the codes of a sample."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cutpoint.errors import InputError


def gaussian(codes: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
    """Return each code plus independent normal noise (Fu 2005, V.1.1, after Monti 1999).

    Args:
        codes: integers [N, n].
        sigma: standard deviation, in units of the distance between two codes.
        rng: source of the noise; columns are drawn one after the other.

    Returns:
        float64 [N, n], columns contiguous.

    Raises:
        InputError: sigma is negative or not finite.
    """
    if not 0 <= sigma < np.inf:
        raise InputError(f"sigma must be a number of at least 0, not {sigma}")
    noise = rng.standard_normal(codes.shape[::-1]).T
    return codes + sigma * noise


def code_thresholds(cardinalities: Iterable[int]) -> list[np.ndarray]:
    """Return the thresholds halfway between codes, c + 0.5 for c in 0..r-2, float64, by variable."""
    return [np.arange(int(r) - 1) + 0.5 for r in cardinalities]
