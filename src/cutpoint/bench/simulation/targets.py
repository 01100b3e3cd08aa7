"""Which variables stay discrete and are predicted (Mabrouk 4)."""

from __future__ import annotations

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import markov_blanket
from cutpoint.options import BelowOne

LEAST_BLANKET = 2  # variables around a target


def choose_targets(dag: np.ndarray, count: int, rng: np.random.Generator) -> list[int]:
    """Return so many variables to predict, sorted, drawn from those with a Markov blanket of at least two."""
    return sorted(rng.choice(check_count(dag, count), count, replace=False).tolist())


def check_count(dag: np.ndarray, count: int) -> list[int]:
    """Return the variables that may be targets, as `choose_targets` does, or raise InputError for a wrong count."""
    able = [i for i in range(len(dag)) if len(markov_blanket(dag, i)) >= LEAST_BLANKET]
    if not 0 <= count <= len(able):
        blanket = f"a Markov blanket of at least {LEAST_BLANKET}"
        raise InputError(f"targets must be from 0 to {len(able)}, the number of variables with {blanket}, not {count}")
    return able


def learned_from(n: int, *, test: BelowOne = 0.0) -> int:
    """Return how many of n records are learned from, the first ones; a share, the last ones, is held out."""
    return n - round(n * test)
