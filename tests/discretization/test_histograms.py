"""K-means, Bayesian blocks and rules for histograms: against all partitions, NumPy and other packages."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.discretization.bayesian_blocks import bayesian_blocks
from cutpoint.discretization.histogram_rules import freedman_diaconis, scott, sturges
from cutpoint.discretization.kmeans import kmeans

columns = st.one_of(
    arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e3, 1e3, width=32)),
    arrays(np.float64, st.integers(1, 30), elements=st.integers(0, 6).map(float)),
)


def cuts(x, k):
    return kmeans(x[:, None], np.array([False]), bins=k)[0]


def squares(x, thresholds):
    """Return the sum of squared distances to the means of the levels."""
    levels = np.searchsorted(thresholds, x, side="right")
    return sum(((x[levels == k] - x[levels == k].mean()) ** 2).sum() for k in set(levels.tolist()))


@given(x=columns, k=st.integers(1, 5))
def test_no_other_partition_is_better(x, k):
    thresholds = cuts(x, k)
    distinct = np.unique(x)
    assert len(thresholds) == min(k, distinct.size) - 1
    middles = (distinct[1:] + distinct[:-1]) / 2
    best = min(squares(x, np.array(some)) for some in combinations(middles, len(thresholds)))
    assert squares(x, thresholds) == pytest.approx(best, rel=1e-9, abs=1e-9 * (1 + np.abs(x).max()) ** 2)


def test_a_large_column_far_from_0_keeps_its_digits():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(m, 0.1, 2000) for m in (0.0, 1.0, 3.0)]) + 1e6
    assert (np.abs(cuts(x, 3) - 1e6 - [0.5, 2.0]) < 0.3).all()


BLOCKED = st.one_of(
    arrays(np.float64, st.integers(2, 9), elements=st.floats(0, 1, width=16).map(lambda x: x**6)),
    arrays(np.float64, st.integers(2, 40), elements=st.integers(0, 6).map(lambda x: float(x**3))),
)


def blocks(x, **options):
    return bayesian_blocks(x[:, None], np.array([False]), **options)[0]


def posterior(x, thresholds, p0):
    edges = [x.min(), *thresholds, x.max()]
    total = 0.0
    for k, (low, high) in enumerate(pairwise(edges)):
        records = sum(low <= value < high for value in x) + (k == len(thresholds)) * sum(x == high)
        total += records * math.log(records / (high - low)) - (4 - math.log(73.53 * p0 * len({*x}) ** -0.478))
    return total


@given(x=BLOCKED, p0=st.sampled_from([0.05, 0.9, 1e-6]))
def test_no_other_blocks_are_better(x, p0):
    best = blocks(x, p0=p0)
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
        assert np.allclose(blocks(x, p0=p0), stats.bayesian_blocks(x, p0=p0)[1:-1], rtol=1e-12)


RULES = {"sturges": sturges, "scott": scott, "fd": freedman_diaconis}


def drawn(seed, records):
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(records)
    return [normal, np.exp(normal), np.round(normal), np.where(normal > 0.5, normal, 0.0), 1e9 + normal]


@pytest.mark.parametrize("rule", RULES)
@given(seed=st.integers(0, 2**32), records=st.integers(2, 300))
def test_edges_are_those_of_numpy(rule, seed, records):
    for x in drawn(seed, records):
        edges = np.histogram_bin_edges(x, rule)[1:-1] if np.ptp(x) else np.empty(0)
        if len(edges) < 60:
            np.testing.assert_allclose(RULES[rule](x[:, None], np.array([False]))[0], edges, rtol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_there_are_at_most_max_levels_of_equal_width(rule):
    x = np.append(np.linspace(0, 1, 400), 1e9)
    (cuts,) = RULES[rule](x[:, None], np.array([False]), max_levels=5)
    if rule != "sturges":
        assert len(np.histogram_bin_edges(x[:-1], rule)) > 6
    np.testing.assert_allclose(cuts, [2e8, 4e8, 6e8, 8e8])
