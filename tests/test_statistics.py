"""Intervals, verdicts and ranks against plain loops, by hand and under the null."""

import time

import numpy as np
import pytest
from scipy import stats

from cutpoint import statistics as s


def loop_means(values, weights):
    out = np.full((len(weights), *values.shape[:2]), np.nan)
    for d, w in enumerate(weights):
        for m in range(values.shape[0]):
            for c in range(values.shape[1]):
                taken = [v for v, k in zip(values[m, c], w[c], strict=True) for _ in range(int(k)) if np.isfinite(v)]
                if taken:
                    out[d, m, c] = np.mean(taken)
    return out


def test_cell_means_equal_a_loop(rng):
    values = rng.random((4, 3, 5))
    values[rng.random(values.shape) < 0.3] = np.nan
    weights = s.draw_weights(np.ones((3, 5), bool), rng, draws=50)
    np.testing.assert_allclose(s.cell_means(values, weights), loop_means(values, weights))


def test_first_draw_is_the_sample(rng):
    present = np.array([[True, True, False], [True, True, True]])
    weights = s.draw_weights(present, rng, draws=20)
    np.testing.assert_array_equal(weights[0], present)
    np.testing.assert_array_equal(weights.sum(2), np.tile(present.sum(1), (21, 1)))
    assert not weights[:, 0, 2].any()


def test_interval_equals_the_bootstrap_of_a_single_cell(rng):
    x = rng.normal(size=40)
    weights = s.draw_weights(np.ones((1, 40), bool), rng, draws=4000)
    low, high = s.interval(s.cell_means(x[None, None], weights)[1:, 0, 0])
    plain = np.array([rng.choice(x, 40).mean() for _ in range(4000)])
    np.testing.assert_allclose([low, high], np.quantile(plain, [0.025, 0.975]), atol=0.05)


def test_interval_covers_as_often_as_it_says(rng):
    hits, size, trials = 0, 60, 300
    for _ in range(trials):
        x = rng.normal(size=size)
        draws = s.cell_means(x[None, None], s.draw_weights(np.ones((1, size), bool), rng, draws=200))
        low, high = s.interval(draws[1:, 0, 0])
        hits += low <= 0 <= high
    assert 0.89 <= hits / trials <= 0.99


def test_normalise_by_hand():
    means = np.array([[2.0, 9.0, np.nan], [4.0, 3.0, 5.0], [1.0, 6.0, 0.0]])
    ratio = s.normalise(means, 1)
    np.testing.assert_allclose(ratio, [[0.5, 3.0, np.nan], [1, 1, 1], [0.25, 2.0, 0.0]])
    np.testing.assert_allclose(s.mean(ratio, 1), [1.75, 1.0, 0.75])
    assert np.isnan(s.normalise(means, 2)[:, 2]).all()


def test_mean_of_nothing_is_nan():
    assert np.isnan(s.mean(np.array([np.nan, np.nan]), 0))


@pytest.mark.parametrize(
    ("true", "false", "verdict"),
    [
        (950, 50, s.HOLDS),
        (949, 51, s.UNDECIDED),
        (50, 950, s.FAILS),
        (51, 949, s.UNDECIDED),
        (940, 0, s.UNDECIDED),
        (1000, 0, s.HOLDS),
    ],
)
def test_verdict_thresholds(true, false, verdict):
    truths = np.array([1.0] * true + [0.0] * false + [np.nan] * (1000 - true - false))
    assert s.decide(truths, units=5) == s.Verdict(verdict, true / 1000)


def test_verdicts_without_chance_and_without_replicates():
    assert s.decide(np.ones(1), units=None).verdict == s.HOLDS
    assert s.decide(np.zeros(1), units=None).verdict == s.FAILS
    assert s.decide(np.full(1, np.nan), units=None).verdict == s.UNDECIDED
    assert s.decide(np.ones(2000), units=1).verdict == s.UNDECIDED
    assert s.decide(np.empty(0), units=5).verdict == s.UNDECIDED


def test_every_lets_false_win_over_unknown():
    nan = np.nan
    np.testing.assert_array_equal(s.every([[1, 1, nan, nan], [1, 0, 0, 1]]), [1, 0, 0, nan])


def test_null_claims_are_rarely_decided(rng):
    """Two equal methods: "a < b" is called true or false in about 10 % of studies, not much more."""
    decided, trials = 0, 200
    for _ in range(trials):
        values = rng.normal(size=(2, 12, 10))
        draws = s.cell_means(values, s.draw_weights(np.ones((12, 10), bool), rng, draws=200)).mean(2)[1:]
        decided += s.decide((draws[:, 0] < draws[:, 1]).astype(float), units=10).verdict != s.UNDECIDED
    assert decided / trials < 0.2


def test_pairing_removes_what_replicates_share(rng):
    """A difference far below the noise between replicates is seen because both methods share the replicate."""
    shared = rng.normal(scale=10, size=(1, 6, 5))
    values = np.concatenate([shared, shared + 0.1])
    draws = s.cell_means(values, s.draw_weights(np.ones((6, 5), bool), rng))[1:].mean(2)
    assert s.decide((draws[:, 0] < draws[:, 1]).astype(float), units=5).verdict == s.HOLDS


def test_average_ranks_and_friedman():
    values = np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 2.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(s.average_ranks(values)[0], [1, 2.5, 2.5])
    np.testing.assert_array_equal(s.average_ranks(values, lower_is_better=False)[0], [3, 1.5, 1.5])
    found = s.friedman(values)
    assert found.pvalue == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)
    np.testing.assert_allclose(found.ranks, [1.5, 2.125, 2.375])


def test_friedman_leaves_out_what_is_missing():
    values = np.arange(20.0).reshape(4, 5)
    values[:2, 1] = np.nan
    values[3, 0] = np.nan
    found = s.friedman(values)
    assert found.kept.tolist() == [0, 2, 3, 4]
    assert found.blocks == 3
    assert s.friedman(np.empty((0, 5))) is None
    assert s.friedman(values[:, :2]) is None


def test_critical_difference_of_the_textbook():
    """Demsar (2006), Table 5: 2.343 for three classifiers, 2.569 for four; his example has 14 data sets, CD 1.25."""
    assert s.critical_difference(3, 6) == pytest.approx(2.343 * np.sqrt(12 / 36), abs=1e-3)
    assert s.critical_difference(4, 14) == pytest.approx(1.25, abs=0.01)


def test_spearman_of_few_or_constant_is_undefined():
    assert np.isnan(s.spearman(np.ones(2), np.ones(2))[0])
    assert np.isnan(s.spearman(np.ones(5), np.arange(5.0))[0])
    rho, count = s.spearman(np.array([1, 2, 3, np.nan]), np.array([3, 2, 1, 0.0]))
    assert (rho, count) == (pytest.approx(-1), 3)


def test_draws_of_the_published_grid_are_fast(rng):
    start = time.process_time()
    s.cell_means(rng.random((20, 12, 5)), s.draw_weights(np.ones((12, 5), bool), rng))
    assert time.process_time() - start < 1
