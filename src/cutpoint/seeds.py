"""Seeds that come from what a random draw is for, not from the order of work."""

import hashlib

import numpy as np


def seed_sequence(seed: int, *identity: object) -> np.random.SeedSequence:
    """Return the seed of one purpose.

    Args:
        seed: the seed of the whole run.
        identity: what the draw is for, such as study, cell, replicate and purpose; compared as text.
    """
    digest = hashlib.sha256("\x1f".join(map(str, identity)).encode()).digest()
    return np.random.SeedSequence([seed, *np.frombuffer(digest, np.uint32).tolist()])
