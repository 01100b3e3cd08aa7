"""Seeds that come from what a random draw is for, not from the order of work."""

import hashlib
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError


def seed_sequence(seed: int, *identity: object) -> np.random.SeedSequence:
    """Return the seed of what is drawn in a run, such as study, cell, replicate and purpose, compared as text."""
    digest = hashlib.sha256("\x1f".join(map(str, identity)).encode()).digest()
    return np.random.SeedSequence([seed, *np.frombuffer(digest, np.uint32).tolist()])


def generator_for(seed: int, *identity: object) -> np.random.Generator:
    """Return the random generator of one purpose, see `seed_sequence`."""
    return np.random.default_rng(seed_sequence(seed, *identity))


def generator(seed: Any) -> np.random.Generator:
    """Return the random generator of a seed that a user gave: anything that `numpy.random.default_rng` takes."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise InputError(f"seed: a whole number of at least 0 is expected, not {seed!r}") from None
