"""The statements and exercises of Mauá's lecture notes (2018), as properties of what the package computes."""

import math

import numpy as np
import pytest
from all_dags import enumerate_dags
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cutpoint.discretization.objectives import information
from cutpoint.learners import scores
from cutpoint.learners.information import divergence, entropy, mutual_information

SEEDS = st.integers(0, 100_000)
many = settings(max_examples=40, deadline=None)
few = settings(max_examples=12, deadline=None)


def distribution(rng, *shape, zeros=True):
    """A random distribution, some of its states impossible."""
    p = rng.exponential(size=shape) ** 2
    if zeros:
        p *= rng.random(shape) < 0.8
    p.flat[0] += 0.1
    return p / p.sum()


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


# 2.1, 2.2, exercise 1


def test_code_words_of_different_lengths():
    p = np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    # the notes print 3.5 bits, of 4: the sum is 1.75, and words of one length take 2
    assert entropy(p) / math.log(2) == pytest.approx(1.75)
    assert entropy(np.full(4, 0.25)) / math.log(2) == pytest.approx(2)


@many
@given(SEEDS)
def test_entropy_is_between_0_and_that_of_the_uniform_distribution(seed):
    rng = np.random.default_rng(seed)
    p = distribution(rng, int(rng.integers(1, 5)), int(rng.integers(1, 5)))
    assert -1e-12 <= entropy(p) <= math.log(p.size) + 1e-12
    assert (entropy(p) < 1e-9) == (p.max() > 1 - 1e-12)
    assert entropy(np.full(p.shape, 1 / p.size)) == pytest.approx(math.log(p.size))


# 2.3, exercise 2


@many
@given(SEEDS)
def test_gibbs_inequality(seed):
    rng = np.random.default_rng(seed)
    p, q = distribution(rng, 6), distribution(rng, 6)
    assert divergence(p, q) >= -1e-12
    assert divergence(p, p) == pytest.approx(0, abs=1e-12)
    assert (divergence(p, q) < 1e-9) == (np.abs(p - q).max() < 1e-9)
    seen = p > 0
    if (q[seen] > 0).all():
        assert divergence(p, q) == pytest.approx(-entropy(p) - (p[seen] * np.log(q[seen])).sum())
    else:
        assert divergence(p, q) == np.inf


@many
@given(SEEDS)
def test_identities_of_mutual_information(seed):
    joint = distribution(np.random.default_rng(seed), 3, 4)
    x, y = joint.sum(1), joint.sum(0)
    found = mutual_information(joint)
    assert found == pytest.approx(mutual_information(joint.T), abs=1e-12)
    assert found == pytest.approx(entropy(x) + entropy(y) - entropy(joint), abs=1e-12)
    assert found >= -1e-12
    assert found <= min(entropy(x), entropy(y)) + 1e-12
    assert (found < 1e-12) == (np.abs(joint - np.outer(x, y)).max() < 1e-9)
    assert mutual_information(np.outer(x, y)) == pytest.approx(0, abs=1e-12)


@many
@given(SEEDS)
def test_more_variables_tell_no_less(seed):
    rng = np.random.default_rng(seed)
    joint = distribution(rng, 3, 2, 4)  # X, Y, Z
    both, one = mutual_information(joint.reshape(3, -1)), mutual_information(joint.sum(2))
    assert both >= one - 1e-12
    # the chain rule: what Z adds is what it tells of X given Y
    added = sum(p * mutual_information(joint[:, y] / p) for y, p in enumerate(joint.sum((0, 2))))
    assert both - one == pytest.approx(added, abs=1e-12)
    # equality when X and Z are independent given Y
    x_given, z_given, y = distribution(rng, 3), distribution(rng, 4), distribution(rng, 2)
    chain = np.einsum("x,y,z->xyz", x_given, y, z_given)
    chain[:, 0] = np.outer(distribution(rng, 3), distribution(rng, 4)) * y[0]
    alike = mutual_information(chain.sum(2))
    assert mutual_information(chain.reshape(3, -1)) == pytest.approx(alike, abs=1e-12)


# 3, exercises 3 to 5


@few
@given(SEEDS)
def test_the_likelihood_is_information_less_entropy(seed):
    codes, levels = records(seed)
    score, rows = scores.log_likelihood(codes, levels), len(codes)
    for dag in list(enumerate_dags(4))[seed % 40 :: 40]:
        expected = 0.0
        for i in range(4):
            expected += information(codes, levels, i, np.flatnonzero(dag[:, i]))
            expected -= rows * entropy(np.bincount(codes[:, i]) / rows)
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
    surplus = mutual_information(empirical(codes, levels)) - math.log(rows) / (2 * rows)
    assert gain == pytest.approx(rows * surplus, abs=1e-8)
    assert (gain > 1e-8) == (rows * surplus > 1e-8)
