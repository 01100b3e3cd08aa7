"""Scores of dependent data, discrete or continuous, and all their parent sets: for tests of learners."""

from itertools import combinations

import numpy as np
from dependent_codes import dependent as codes_of

from cutpoint.learners import scores
from cutpoint.learners.gaussian import gaussian_bic
from cutpoint.learners.kgv import kgv

DISCRETE = ["bic", "bdeu", "k2", "mdl", "aic", "log_likelihood"]
LEVELS = (2, 3, 2, 4, 3)


def dependent(seed, rows=120, levels=LEVELS):
    return codes_of(seed, rows, levels=levels)


def make(kind, seed=0, **options):
    """Return a score of dependent data, discrete or continuous."""
    codes, levels = dependent(seed)
    if kind in ("gaussian", "kgv"):
        values = codes + np.random.default_rng(seed).standard_normal(codes.shape) / 3
        return {"gaussian": gaussian_bic, "kgv": kgv}[kind](values, np.zeros(len(levels), bool))
    return getattr(scores, kind)(codes, levels, **options)


def all_families(score, max_parents):
    """Return for each child a dict from each parent set to its score, smaller sets first."""
    return [
        {
            members: score.family(child, members)
            for size in range(max_parents + 1)
            for members in combinations([x for x in range(score.n) if x != child], size)
        }
        for child in range(score.n)
    ]
