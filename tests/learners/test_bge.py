"""The BGe score against the marginal likelihood of all columns, and against bnlearn's C core where it is installed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import multigammaln

from cutpoint.base.errors import InputError
from cutpoint.learners.bge import bge
from cutpoint.learners.greedy import hill_climbing

NONE = np.zeros(4, bool)


def data(seed, records=30):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((records, 4)).cumsum(axis=1) * [1.0, 3.0, 0.2, 1.0] + [0.0, 5.0, -1.0, 100.0]


def log_evidence(values, some, mean_size=1.0, degrees=3.0):
    """Return the log marginal likelihood of some columns under the normal-Wishart prior of all of them."""
    records, d = len(values), len(some)
    if d == 0:
        return 0.0
    size = degrees - 1 + d  # of the Wishart distribution of a subset
    t = mean_size * (degrees - 2) / (mean_size + 1)
    centred = values[:, some] - values[:, some].mean(axis=0)
    whole = t * np.eye(d) + sum(np.outer(row, row) for row in centred)
    return (
        -records * d / 2 * math.log(math.pi)
        + d / 2 * math.log(mean_size / (records + mean_size))
        + multigammaln((records + size) / 2, d)
        - multigammaln(size / 2, d)
        + size * d / 2 * math.log(t)
        - (records + size) / 2 * np.linalg.slogdet(whole)[1]
    )


@given(seed=st.integers(0, 2**32), child=st.integers(0, 3), chosen=st.sets(st.integers(0, 3), max_size=3))
def test_a_family_is_a_ratio_of_marginal_likelihoods(seed, child, chosen):
    values, parents = data(seed), sorted(chosen - {child})
    options = {"mean_size": 2.0, "degrees": 4.5}
    score = bge(values, NONE, **options)
    expected = log_evidence(values, [*parents, child], **options) - log_evidence(values, parents, **options)
    assert score.family(child, parents) == pytest.approx(expected, abs=1e-7)


def test_constant_and_equal_columns_have_finite_scores():
    values = data(1)
    values[:, 1], values[:, 2] = 4.0, values[:, 0]
    score = bge(values, NONE)
    assert np.isfinite(score.gains(0, [])[1:]).all()
    assert score.gains(0, [])[1] < 0 < score.gains(0, [])[2]


def test_copies_in_a_small_unit_are_told_apart_from_rounding():
    values = data(1, 300)
    values[:, 1], values[:, 2] = values[:, 0], -values[:, 0]
    learned = hill_climbing(bge(1e8 * values, NONE), max_steps=50)
    assert np.isfinite(learned.score)
    assert (learned.dag | learned.dag.T)[:3, :3].sum() == 4  # a tree: a second copy tells nothing more


def test_wrong_options_are_refused():
    with pytest.raises(InputError, match="above 2"):
        bge(data(0), NONE, degrees=2.0)
