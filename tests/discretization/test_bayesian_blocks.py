"""Bayesian blocks against all partitions, and against astropy where it is installed."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.discretization.bayesian_blocks import bayesian_blocks

columns = st.one_of(
    arrays(np.float64, st.integers(2, 9), elements=st.floats(0, 1, width=16).map(lambda x: x**6)),
    arrays(np.float64, st.integers(2, 40), elements=st.integers(0, 6).map(lambda x: float(x**3))),
)


def cuts(x, **options):
    return bayesian_blocks(x[:, None], np.array([False]), **options)[0]


def posterior(x, thresholds, p0):
    edges = [x.min(), *thresholds, x.max()]
    total = 0.0
    for k, (low, high) in enumerate(pairwise(edges)):
        records = sum(low <= value < high for value in x) + (k == len(thresholds)) * sum(x == high)
        total += records * math.log(records / (high - low)) - (4 - math.log(73.53 * p0 * len({*x}) ** -0.478))
    return total


@given(x=columns, p0=st.sampled_from([0.05, 0.9, 1e-6]))
def test_no_other_blocks_are_better(x, p0):
    best = cuts(x, p0=p0)
    distinct = np.unique(x)
    if distinct.size == 1:
        assert not best.size
        return
    middles = (distinct[1:] + distinct[:-1]) / 2
    every = (some for k in range(len(middles) + 1) for some in combinations(middles, k))
    assert posterior(x, best, p0) == pytest.approx(max(posterior(x, some, p0) for some in every), abs=1e-6)


@pytest.mark.parametrize("p0", [0.05, 0.5])
def test_blocks_are_those_of_astropy(p0):
    stats = pytest.importorskip("astropy.stats")
    rng = np.random.default_rng(3)
    for x in (rng.standard_normal(800), rng.exponential(size=800), np.round(rng.standard_normal(800), 1)):
        assert np.allclose(cuts(x, p0=p0), stats.bayesian_blocks(x, p0=p0)[1:-1], rtol=1e-12)
