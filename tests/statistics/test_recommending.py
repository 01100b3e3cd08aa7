"""Which row is taken and what is as good, against t intervals written out, and the nearest kind of data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.statistics.recommending import MARGIN, centres_of, nearest, pooled, recommended


def slow(losses):
    """Return the best row and the rows that are as good, by a paired t test each."""
    means = losses.mean(1)
    best = int(means.argmin())
    as_good = []
    for row in range(len(losses)):
        difference = losses[row] - losses[best]
        if row == best or difference.mean() > MARGIN:
            continue
        agree = np.ptp(difference) == 0
        p = 1.0 if agree else stats.ttest_1samp(difference, 0, alternative="greater").pvalue
        if p >= 0.025:
            as_good.append(row)
    return best, sorted(as_good, key=lambda row: means[row])


@given(seed=st.integers(0, 2000), networks=st.integers(3, 12))
def test_the_best_and_what_is_as_good_are_those_of_paired_t_tests(seed, networks):
    rng = np.random.default_rng(seed)
    losses = rng.normal(size=(1, networks)) + rng.uniform(0, 0.05, (6, 1)) + 0.02 * rng.normal(size=(6, networks))
    found = recommended(losses)
    assert (found.best, list(found.as_good)) == slow(losses)
    assert found.networks == networks
    assert found.loss.value == pytest.approx(losses.mean(1))
    assert found.above.value == pytest.approx(losses.mean(1) - losses.mean(1).min())


@given(seed=st.integers(0, 500))
def test_what_all_networks_share_changes_only_the_level(seed):
    rng = np.random.default_rng(seed)
    losses = rng.uniform(0, 0.1, (5, 6))
    shifted = recommended(losses + rng.normal(size=6))
    found = recommended(losses)
    assert (shifted.best, shifted.as_good) == (found.best, found.as_good)
    assert shifted.above.value == pytest.approx(found.above.value, abs=1e-9)


def test_the_nearest_centre_is_that_of_the_least_distance_in_units_of_the_spread(rng):
    features, centres = rng.normal(size=(20, 3)), rng.normal(size=(4, 3))
    spread = np.array([0.1, 1.0, 10.0])
    slow_ = [min(range(4), key=lambda c: sum(((x - centres[c]) / spread) ** 2)) for x in features]
    assert nearest(features, centres, spread).tolist() == slow_
    unknown = features.copy()
    unknown[:, 1] = np.nan
    assert nearest(unknown, centres, spread).tolist() == nearest(unknown[:, ::2], centres[:, ::2], spread[::2]).tolist()
    assert (
        nearest(features, centres, np.array([0.1, 0.0, 10.0])).tolist()
        == nearest(features[:, ::2], centres[:, ::2], spread[::2]).tolist()
    )


def test_centres_are_means_over_networks_and_the_spread_is_within_kinds(rng):
    features = rng.normal(size=(2, 3, 5, 4))
    means, spread = centres_of(features)
    assert means == pytest.approx(features.mean(2))
    assert spread == pytest.approx(np.sqrt(((features - features.mean(2, keepdims=True)) ** 2).mean((0, 1, 2))))


def test_the_score_is_the_mean_of_three_losses(rng):
    losses, alike = rng.normal(size=(4, 2, 3, 5)), np.array([True, False, True, False, False])
    found, nobody = pooled(losses, alike), pooled(losses, np.zeros(5, bool))
    for row, kind, size in np.ndindex(4, 2, 3):
        cell = losses[row, kind, size]
        rest = cell.mean() + losses[row, kind].mean()
        assert found[row, kind, size] == pytest.approx((cell[[0, 2]].mean() + rest) / 3)
        assert nobody[row, kind, size] == pytest.approx((cell.mean() + rest) / 3)
    chosen = recommended(losses[:, 0, 0], found[:, 0, 0])
    assert chosen.best == found[:, 0, 0].argmin()
    assert chosen.above.value[chosen.best] == 0
