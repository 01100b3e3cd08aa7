"""What Mauá's lecture notes (2018) say of scores, as properties of those of the package."""

import math

import numpy as np
import pytest
from all_dags import enumerate_dags
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import entr, rel_entr

from cutpoint.discretization.objectives import information
from cutpoint.learners import scores

SEEDS = st.integers(0, 100_000)
few = settings(max_examples=12, deadline=None)


def records(seed, rows=60, levels=(2, 3, 2, 2)):
    """Dependent codes and their numbers of levels."""
    rng = np.random.default_rng(seed)
    levels = np.array(levels)
    codes = rng.integers(0, levels, (rows, len(levels)))
    copied = rng.random(rows) < 0.6
    codes[copied, 1] = codes[copied, 0]
    codes[copied, 3] = (codes[copied, 1] + codes[copied, 2]) % levels[3]
    return codes.astype(np.int32), levels


def empirical(codes, levels):
    """The shares of all configurations."""
    p = np.zeros(levels)
    np.add.at(p, tuple(codes.T), 1 / len(codes))
    return p


@few
@given(SEEDS)
def test_the_likelihood_is_information_less_entropy(seed):
    codes, levels = records(seed)
    score, rows = scores.log_likelihood(codes, levels), len(codes)
    for dag in list(enumerate_dags(4))[seed % 40 :: 40]:
        expected = 0.0
        for i in range(4):
            expected += information(codes, levels, i, np.flatnonzero(dag[:, i]))
            expected -= rows * entr(np.bincount(codes[:, i]) / rows).sum()
        assert scores.network_score(score, dag) == pytest.approx(expected, abs=1e-8)


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4))
@settings(max_examples=150, deadline=None)
def test_bic_prefers_an_arc_exactly_when_the_information_pays_for_it(cells):
    rows = sum(cells)
    assume(rows > 1)
    codes = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], cells, axis=0)
    levels = np.array([2, 2])
    score = scores.bic(codes, levels)
    gain = score.family(1, [0]) - score.family(1, [])
    joint = empirical(codes, levels)
    surplus = rel_entr(joint, np.outer(joint.sum(1), joint.sum(0))).sum() - math.log(rows) / (2 * rows)
    assert gain == pytest.approx(rows * surplus, abs=1e-8)
    assert (gain > 1e-8) == (rows * surplus > 1e-8)
