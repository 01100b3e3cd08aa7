"""How columns are seen: skewed scales, limits and rounding, record by record; missing cells; their order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.bench.simulation.columns import in_order
from cutpoint.bench.simulation.measurement import Measurement, measure, with_gaps
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.discretization.encoding import encode
from cutpoint.networks.network import network, sample

COLUMNS = st.lists(st.integers(-400, 400), min_size=4, max_size=40).map(lambda x: np.array(x) / 100)
SHARES = st.sampled_from([0.0, 0.1, 0.25, 0.4])


def slow_measure(x, thresholds, how, skew):
    """Return the same record by record."""
    mean, spread = math.fsum(x) / len(x), math.sqrt(math.fsum((a - math.fsum(x) / len(x)) ** 2 for a in x) / len(x))

    def scale(a):
        return (math.exp(skew * (a - mean) / spread) - 1) / skew if skew and spread else a

    seen = [scale(a) for a in x]
    lowest = sorted(seen)[: round(how.below * len(x))]
    highest = sorted(seen, reverse=True)[: round(how.above * len(x))]
    seen = [max([a, *lowest]) for a in seen] if lowest else seen
    seen = [min([a, *highest]) for a in seen] if highest else seen
    if how.step and (step := how.step * float(np.std(seen))):
        seen = [round(a / step) * step for a in seen]
    return seen, [scale(a) for a in thresholds]


@given(COLUMNS, SHARES, SHARES, st.sampled_from([0.0, 0.1, 1.0]), st.sampled_from([-1.5, 0.0, 0.7]))
def test_columns_are_measured_as_record_by_record(x, below, above, step, skew):
    how, thresholds = Measurement(below=below, above=above, step=step), np.array([-0.5, 1.0])
    seen, cuts = measure(x, how, skew, thresholds)
    slow, slow_cuts = slow_measure(x.tolist(), thresholds.tolist(), how, skew)
    if not step:  # a tie of two roundings may fall to either side
        np.testing.assert_allclose(seen, slow, atol=1e-9)
    np.testing.assert_allclose(cuts, slow_cuts, atol=1e-9)
    if step and (width := step * float(np.std(measure(x, Measurement(below=below, above=above), skew)[0]))):
        assert np.abs(seen / width - np.round(seen / width)).max() < 1e-6
        assert np.abs(seen - slow).max() < width * (1 + 1e-9)


@given(COLUMNS, st.sampled_from([-1.5, 0.7, 2.0]))
def test_a_change_of_scale_keeps_every_level(x, skew):
    thresholds = np.array([-1.005, 0.003, 2.001])
    seen, cuts = measure(x, Measurement(), skew, thresholds)
    np.testing.assert_array_equal(encode(seen[:, None], [cuts]), encode(x[:, None], [thresholds]))


def test_scales_are_skewed_to_the_side_of_their_sign():
    x = np.random.default_rng(0).standard_normal(20_000)
    assert stats.skew(measure(x, Measurement(), 0.5)[0]) == pytest.approx(stats.lognorm(0.5).stats("s"), rel=0.15)
    assert stats.skew(measure(x, Measurement(), -0.5)[0]) < -1


def test_skewness_is_drawn_from_its_range_with_both_signs_and_not_at_all_without_one():
    drawn = Measurement(skew=(0.5, 1.0)).scales(400, np.random.default_rng(0))
    assert 0.5 <= np.abs(drawn).min() < 0.52 < 0.98 < np.abs(drawn).max() <= 1
    assert 150 < (drawn > 0).sum() < 250
    assert not Measurement().scales(3, np.random.default_rng(0)).any()


def test_errors_add_their_variance_and_are_their_own_in_each_column():
    asia = network("asia")
    codes = sample(asia, 50_000, 1)
    levels = {name: len(states) for name, states in zip(asia.variables, asia.states, strict=True)}
    origin = Origin(1, "s", "asia", 50_000, 0, "noise")
    exact, seen = (
        make_continuous(codes, levels, {"kind": "gaussian", "sigma": 0.35, "measured": {"error": e}}, origin, asia)
        for e in (0.0, 0.3)
    )
    errors = (seen.values - exact.values) / exact.values.std(0)
    np.testing.assert_allclose(errors.std(0), 0.3, rtol=0.02)
    assert np.abs(np.corrcoef(errors.T) - np.eye(8)).max() < 0.03
    assert seen.thresholds[0].tolist() == exact.thresholds[0].tolist()


RECORDS = 20_000


def gapped(mechanism, share, n=4, columns=0.5, seed=0):
    values = np.random.default_rng(seed).normal(size=(RECORDS, n))
    return values, with_gaps(values, np.random.default_rng(seed), mechanism=mechanism, share=share, columns=columns)


@given(st.sampled_from(["mcar", "mar"]), st.floats(0, 0.5), st.integers(2, 6), st.floats(0.05, 1), st.integers(0, 99))
def test_as_many_columns_and_cells_as_asked_for(mechanism, share, n, columns, seed):
    values, gappy = gapped(mechanism, share, n, columns, seed)
    holes = np.isnan(gappy)
    np.testing.assert_array_equal(gappy[~holes], values[~holes])
    count = holes.any(axis=0).sum()
    assert count <= min(max(round(columns * n), 1), n - 1)
    shares = holes.mean(axis=0)[holes.any(axis=0)]
    np.testing.assert_allclose(shares, share, atol=5 * 0.5 / np.sqrt(RECORDS))  # 5 standard deviations


def test_completely_at_random_says_nothing_of_other_columns_and_at_random_does():
    for mechanism in ("mcar", "mar"):
        values, gappy = gapped(mechanism, 0.3)
        holes = np.isnan(gappy)
        (full,) = [np.flatnonzero(~holes.any(axis=0))]
        for i in np.flatnonzero(holes.any(axis=0)):
            apart = [values[holes[:, i], k].mean() - values[~holes[:, i], k].mean() for k in full]
            if mechanism == "mcar":
                assert np.abs(apart).max() < 0.08
            else:  # the chance of a missing cell grows with one of the full columns alone
                assert max(apart) > 0.5
                assert sorted(np.abs(apart))[-2] < 0.08
            # in itself the column is not selected
            assert np.nanmean(gappy[:, i]) == pytest.approx(values[:, i].mean(), abs=0.05)


def test_the_chance_at_random_runs_from_nothing_to_twice_the_share():
    values, gappy = gapped("mar", 0.4, n=2)
    (i,) = np.flatnonzero(np.isnan(gappy).any(axis=0))
    hole = np.isnan(gappy[:, i])[np.argsort(values[:, 1 - i])].reshape(10, -1).mean(axis=1)
    np.testing.assert_allclose(hole, 0.8 * (np.arange(10) + 0.5) / 10, atol=0.06)


ALARM = network("alarm")


def order(kind, seed=1):
    return in_order(ALARM, np.random.default_rng(seed), columns=kind)


def test_orders_are_those_that_names_files_and_arcs_say():
    assert order("declared") == list(ALARM.variables)
    assert order("alphabetical") == sorted(order("shuffled")) == sorted(ALARM.variables)
    assert order("reversed") == order("topological")[::-1]
    place = {name: i for i, name in enumerate(order("topological"))}
    assert all(place[ALARM.variables[i]] < place[ALARM.variables[j]] for i, j in np.argwhere(ALARM.dag))


def test_a_random_order_knows_nothing_of_the_arcs():
    places = []
    for seed in range(200):
        place = {name: i for i, name in enumerate(order("shuffled", seed))}
        places.append([place[ALARM.variables[j]] > place[ALARM.variables[i]] for i, j in np.argwhere(ALARM.dag)])
    assert order("shuffled", 1) == order("shuffled", 1) != order("shuffled", 2)
    assert abs(np.mean(places) - 0.5) < 0.02  # 46 arcs in 200 orders
