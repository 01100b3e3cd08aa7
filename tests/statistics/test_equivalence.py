"""The Bayesian signed-rank test: a loop over weights, published software, invariants and sample sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.bench.statistics.equivalence import ROPE, networks_needed, preferences

DIFFERENCES = np.array([-0.13, 0.02, -0.08, -0.05, 0.01, -0.2, 0.03, -0.04, -0.07, 0.06, -0.01, -0.09])


def found(differences, seed=1, samples=20_000, **options):
    rows = np.atleast_2d(differences)
    each = preferences(rows, np.zeros(rows.shape), np.random.default_rng(seed), samples=samples, **options)
    return np.array([each.better[0], each.equivalent[0], each.worse[0]])


def needed(differences):
    """Networks needed by numbers that are known without an error."""
    return networks_needed(differences, np.zeros(differences.shape))


def looped(differences, rope, weight, samples, seed):
    """The same by a loop over pairs, each observation with a weight of its own."""
    rng = np.random.default_rng(seed)
    values = [0.0, *differences]
    wins = np.zeros(3)
    for _ in range(samples):
        weights = rng.dirichlet([0.5, *[weight] * len(differences)])
        shares = np.zeros(3)
        for a, x in zip(weights, values, strict=True):
            for b, y in zip(weights, values, strict=True):
                middle = (x + y) / 2
                if abs(middle) == rope:
                    shares[[1, 1 + int(np.sign(middle))]] += a * b / 2
                else:
                    shares[1 + int(np.sign(middle)) * (abs(middle) > rope)] += a * b
        wins[shares.argmax()] += 1
    return wins / samples


@pytest.mark.parametrize("count", [3, 6])
def test_by_a_loop(count):
    """1500 draws: a standard error of at most 0.013."""
    differences = DIFFERENCES[:count]
    np.testing.assert_allclose(found(differences, rope=0.025), looped(differences, 0.025, 1, 1500, 2), atol=0.04)


@pytest.mark.parametrize(("count", "expected"), [(12, (0.87602, 0.12064, 0.00334)), (4, (0.86894, 0.13106, 0.0))])
def test_as_baycomp_finds(count, expected):
    """baycomp 1.0.3, SignedRankTest.probs(0, differences, rope=0.025), 50,000 draws: a standard error of 0.002."""
    np.testing.assert_allclose(found(DIFFERENCES[:count], rope=0.025), expected, atol=0.015)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-0.3, 0.3), min_size=1, max_size=8))
def test_invariants(values):
    values = np.array(values)
    there = found(values, samples=500)
    assert there.sum() == pytest.approx(1)
    np.testing.assert_allclose(found(-values, samples=500), there[::-1], atol=1e-12)
    rows = np.stack([values, np.full(len(values), np.nan)])
    both = preferences(rows, np.zeros(rows.shape), np.random.default_rng(1), samples=500)
    assert np.isnan([both.better[1], both.equivalent[1], both.worse[1], both.needed[1]]).all()
    np.testing.assert_array_equal(needed(values[None]), needed(-values[None]))


def test_missing_networks_play_no_part():
    """The draws differ, the distribution does not."""
    gaps = np.append(DIFFERENCES, [np.nan, np.nan])
    np.testing.assert_allclose(found(gaps), found(DIFFERENCES), atol=0.02)
    assert needed(gaps[None]) == needed(DIFFERENCES[None])


def test_what_is_clear():
    assert found(np.full(12, -0.2))[0] > 0.99
    assert found(np.full(12, 0.2))[2] > 0.99
    assert found(np.tile([0.001, -0.001], 6))[1] > 0.99


@pytest.mark.parametrize(
    ("count", "mean", "deviation", "error"),
    [(12, 0.03, 0.1, 0), (30, 0.02, 0.1, 0), (12, 0.04, 0.2, 0), (12, 0.03, 0.08, 0.05)],
)
def test_networks_needed_make_it_probable(count, mean, deviation, error):
    """With so many networks that differ as those seen, each counting needed / count times, it is 95 % probable."""
    rng = np.random.default_rng(5)
    seen = rng.normal(0, deviation, count)
    seen += mean - seen.mean()
    more = networks_needed(seen[None], np.full((1, count), error))[0]
    assert count < more < 1000
    noise = rng.standard_normal((count, 12 if error else 1))
    drawn = (seen[:, None] + error * (noise - noise.mean(1, keepdims=True))).ravel()
    weights = np.random.default_rng(6).dirichlet([0.5, *[more / len(drawn)] * len(drawn)], 20_000)
    padded = np.append(0, drawn)
    above = (padded[:, None] + padded) / 2 > ROPE
    below = (padded[:, None] + padded) / 2 < -ROPE
    high, low = (((weights @ side) * weights).sum(1) for side in (above, below))
    assert np.mean((high > low) & (high > 1 - high - low)) == pytest.approx(0.95, abs=0.03)


def test_networks_needed_at_the_ends():
    assert needed(np.full((1, 6), 0.3))[0] == 2
    symmetric = np.geomspace(0.1, 3, 8)
    assert needed(np.r_[symmetric, -symmetric][None])[0] == np.inf


def test_numbers_with_errors_are_less_sure():
    """Four networks whose numbers agree by chance better than their errors allow."""
    values, errors = np.array([[0.005, -0.004, 0.01, -0.002]]), np.full((1, 4), 0.04)
    rng = np.random.default_rng
    sure, unsure = (preferences(values, scale * errors, rng(1)) for scale in (0, 1))
    assert sure.equivalent[0] > 0.99 > 0.9 > unsure.equivalent[0] > 0.5
    assert sure.needed[0] == 2 < unsure.needed[0]
    # by a loop over draws of the numbers, each with few weights
    drawn = [looped(values[0] + rng(k).normal(0, 0.04, 4), ROPE, 1, 5, k) for k in range(400)]
    np.testing.assert_allclose(np.mean(drawn, 0)[1], unsure.equivalent[0], atol=0.06)
