import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.columns import choose_targets, in_order
from cutpoint.bench.simulation.intervals import Intervals, draw_intervals, in_intervals, latent_intervals
from cutpoint.bench.simulation.measurement import Measurement, measure, with_gaps
from cutpoint.bench.simulation.noise import Origin, check_noise, gaussian, make_continuous
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import markov_blanket
from cutpoint.networks.network import network, sample


def test_noise_is_normal_around_the_codes():
    codes = np.asfortranarray(np.tile(np.arange(4, dtype=np.int32), (20_000, 1)))
    noise = gaussian(codes, 0.35, np.random.default_rng(0)) - codes
    np.testing.assert_allclose(noise.mean(axis=0), 0, atol=5 * 0.35 / np.sqrt(20_000))
    np.testing.assert_allclose(noise.std(axis=0), 0.35, rtol=0.02)
    assert np.abs(np.corrcoef(noise.T) - np.eye(4)).max() < 0.03
    assert (np.abs(noise) < 0.35 * 1.959964).mean() == pytest.approx(0.95, abs=0.005)


RANGES = st.tuples(st.floats(1e-3, 10), st.floats(1, 5)).map(lambda pair: (pair[0], pair[0] * pair[1]))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 10**6), RANGES, st.none() | RANGES)
def test_values_are_in_the_intervals_of_their_codes(cardinalities, seed, lengths, sd):
    rng = np.random.default_rng(seed)
    codes = rng.integers(cardinalities, size=(200, len(cardinalities)))
    intervals = draw_intervals(cardinalities, rng, lengths=lengths, sd=sd)
    values = in_intervals(codes, intervals, rng)
    assert values.flags.f_contiguous
    for i, interval in enumerate(intervals):
        assert interval.edges[0] == 0
        widths = np.diff(interval.edges)
        np.testing.assert_array_less(lengths[0] * (1 - 1e-9), widths)
        np.testing.assert_array_less(widths, lengths[1] * (1 + 1e-9))
        assert (interval.edges[codes[:, i]] <= values[:, i]).all()
        assert (values[:, i] < interval.edges[codes[:, i] + 1]).all()
        assert len(interval.means) == len(interval.sds) == (0 if sd is None else cardinalities[i])
        if sd is not None:
            assert (interval.edges[:-1] <= interval.means).all()
            assert (interval.means <= interval.edges[1:]).all()
            assert (sd[0] * widths * (1 - 1e-9) <= interval.sds).all()
            assert (interval.sds <= sd[1] * widths * (1 + 1e-9)).all()
    np.testing.assert_array_equal(encode(values, [interval.edges[1:-1] for interval in intervals]), codes)


@pytest.mark.parametrize("sd", [1e-3, 0.3, 2.0])
@pytest.mark.parametrize("place", [0.0, 0.7, 1.0])
def test_normal_densities_are_truncated_to_their_intervals(sd, place):
    interval = Intervals(np.array([0.0, 1.5, 2.0]), np.array([1.5 * place, 1.5 + 0.5 * place]), np.array([sd, sd / 2]))
    codes = np.repeat([[0], [1]], 5_000, axis=0)
    values = in_intervals(codes, [interval], np.random.default_rng(7))[:, 0]
    assert np.isfinite(values).all()
    for k in (0, 1):
        (low, high), mean, scale = interval.edges[k : k + 2], interval.means[k], interval.sds[k]
        expected = stats.truncnorm((low - mean) / scale, (high - mean) / scale, loc=mean, scale=scale)
        assert stats.kstest(values[codes[:, 0] == k], expected.cdf).pvalue > 1e-3
    uniform = in_intervals(codes, [Intervals(interval.edges, np.empty(0), np.empty(0))], np.random.default_rng(2))[:, 0]
    for k, (low, high) in enumerate(pairwise(interval.edges)):
        assert stats.kstest(uniform[codes[:, 0] == k], stats.uniform(low, high - low).cdf).pvalue > 1e-3


def test_beta_densities_have_their_shapes_in_their_intervals():
    interval = Intervals(np.array([0.0, 1.5, 2.0]), shapes=np.array([[0.5, 3.0], [2.0, 3.0]]))
    codes = np.repeat([[0], [1]], 5_000, axis=0)
    values = in_intervals(codes, [interval], np.random.default_rng(7))[:, 0]
    for k, (low, high) in enumerate(pairwise(interval.edges)):
        expected = stats.beta(*interval.shapes[:, k], loc=low, scale=high - low)
        assert stats.kstest(values[codes[:, 0] == k], expected.cdf).pvalue > 1e-3


def test_latent_values_are_normal_and_show_no_threshold():
    child = network("child")
    levels = dict(zip(child.variables, child.cardinalities.tolist(), strict=True))
    codes = sample(child, 4000, 5)
    origin = ORIGIN._replace(network="child", n=4000)
    noisy = make_continuous(codes, levels, {"kind": "latent_normal"}, origin, child)
    np.testing.assert_array_equal(encode(noisy.values, noisy.thresholds), codes)
    distances = [stats.kstest(column, "norm").statistic for column in noisy.values.T]
    assert max(distances) < 0.04  # of the sample and of the reference, 1.6 / sqrt(4000) each at most
    other = make_continuous(codes[:50], levels, {"kind": "latent_normal"}, origin._replace(n=50), child)
    for one, two in zip(noisy.thresholds, other.thresholds, strict=True):
        np.testing.assert_array_equal(one, two)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3), st.integers(0, 10**6))
def test_latent_thresholds_stand_at_the_quantiles_of_the_shares(cardinalities, seed):
    codes = np.random.default_rng(seed).integers(cardinalities, size=(30, len(cardinalities)))
    for r, column, interval in zip(cardinalities, codes.T, latent_intervals(codes, cardinalities), strict=True):
        for k in range(r - 1):
            share = (sum(code <= k for code in column) + 0.5 * (k + 1)) / (30 + 0.5 * r)
            assert interval.edges[k + 1] == pytest.approx(stats.norm.ppf(share))
        assert (np.diff(interval.edges) > 0).all()


def test_a_share_of_the_variables_stays_discrete_the_same_for_all_noises_and_one_at_least_does_not():
    options = {"targets": 0, "discrete": 0.4}
    kept = [
        continuous(kind=kind, **options, **more)[1].discrete
        for kind, more in {"uniform": {}, "gaussian": {"sigma": 0.3}, "latent_normal": {}}.items()
    ]
    assert len(kept[0]) == 3
    assert kept[0] == kept[1] == kept[2]
    assert len({tuple(continuous(ORIGIN._replace(replicate=r), **options)[1].discrete) for r in range(9)}) > 3
    assert len(continuous(**options | {"discrete": 0.99})[1].discrete) == 7


class Ends(np.random.Generator):
    """The smallest and the largest number that a generator gives, in turn."""

    def random(self, size):
        return np.resize([0, 1 - 2.0**-53], size)


@pytest.mark.parametrize("sds", [[], [1e-3, 1e-3], [50.0, 50.0]])
def test_the_ends_of_the_uniform_numbers_stay_inside(sds):
    edges = np.array([0.0, 0.7, 1e3])
    for means in (edges[:-1], edges[1:]):
        interval = Intervals(edges, means[: len(sds)], np.array(sds))
        values = in_intervals(np.array([[0], [0], [1], [1]]), [interval], Ends(np.random.PCG64(0)))[:, 0]
        assert np.isfinite(values).all()
        assert (edges[[0, 0, 1, 1]] <= values).all()
        assert (values < edges[[1, 1, 2, 2]]).all()


def test_lengths_means_and_standard_deviations_are_uniform_in_their_ranges():
    intervals = draw_intervals([4] * 2000, np.random.default_rng(3), sd=(0.1, 0.5))
    widths = np.concatenate([np.diff(interval.edges) for interval in intervals])
    places = np.concatenate([interval.means - interval.edges[:-1] for interval in intervals]) / widths
    scales = np.concatenate([interval.sds for interval in intervals]) / widths
    drawn = draw_intervals([4] * 2000, np.random.default_rng(3), shapes=(0.5, 4.0))
    logs = np.log(np.concatenate([interval.shapes.ravel() for interval in drawn]))
    assert stats.kstest(logs, stats.uniform(np.log(0.5), np.log(8)).cdf).pvalue > 1e-3
    assert stats.kstest(widths, stats.uniform(0.5, 1.5).cdf).pvalue > 1e-3
    assert stats.kstest(places, stats.uniform().cdf).pvalue > 1e-3
    assert stats.kstest(scales, stats.uniform(0.1, 0.4).cdf).pvalue > 1e-3
    assert np.abs(np.corrcoef([widths, places, scales]) - np.eye(3)).max() < 0.05


def test_targets_have_a_blanket_of_at_least_two():
    dag = network("child").dag
    blankets = [len(markov_blanket(dag, i)) for i in range(len(dag))]
    drawn = [choose_targets(dag, 3, np.random.default_rng(seed)) for seed in range(200)]
    assert all(len(set(targets)) == 3 and targets == sorted(targets) for targets in drawn)
    assert {i for targets in drawn for i in targets} == {i for i, size in enumerate(blankets) if size >= 2}
    assert min(blankets) == 1
    assert choose_targets(dag, 0, np.random.default_rng(0)) == []
    assert drawn[0] == choose_targets(dag, 3, np.random.default_rng(0))


def test_codes_outside_their_intervals_are_named(rng):
    with pytest.raises(InputError, match="column 0 has codes outside its 2"):
        in_intervals(np.array([[2]]), draw_intervals([2], rng), rng)


UNIFORM = {"kind": "uniform", "lengths": [0.5, 2.0], "targets": 2}
ORIGIN = Origin(1, "mabrouk2015", "asia", 60, 0, "noise")


def continuous(origin=ORIGIN, **options):
    asia = network("asia")
    codes = sample(asia, 60, 3)
    levels = dict(zip(asia.variables, asia.cardinalities.tolist(), strict=True))
    return codes, make_continuous(codes, levels, UNIFORM | options, origin, asia)


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "gaussian", "sigma": 0.05, "targets": 0},
        {},
        {"kind": "truncated_gaussian", "sd": [0.1, 0.5]},
        {"kind": "beta", "shapes": [0.5, 4.0]},
        {"kind": "latent_normal"},
        {"kind": "latent_normal", "targets": 0, "discrete": 0.25},
        {"kind": "beta", "measured": {"skew": [0.5, 1.0]}},
    ],
    ids=str,
)
def test_true_thresholds_recover_the_codes_of_every_noise(options):
    codes, noisy = continuous(**options)
    assert [len(cuts) + 1 for cuts in noisy.thresholds] == [2] * 8
    np.testing.assert_array_equal(encode(noisy.values, noisy.thresholds), codes)
    kept = [
        name for name, x, k in zip(network("asia").variables, noisy.values.T, codes.T, strict=True) if (x == k).all()
    ]
    assert kept == sorted(noisy.discrete, key=network("asia").variables.index)
    assert len(kept) == (0 if options.get("kind") == "gaussian" else 2)


@pytest.mark.parametrize("changed", [{"n": 61}, {"part": "test"}])
def test_intervals_and_targets_belong_to_the_network_and_the_replicate(changed):
    (_, one), (_, other) = continuous(), continuous(ORIGIN._replace(**changed))
    assert one.discrete == other.discrete
    for ours, theirs in zip(one.thresholds, other.thresholds, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (one.values != other.values).any()
    _, far = continuous(ORIGIN._replace(replicate=1))
    assert any(not np.array_equal(a, b) for a, b in zip(one.thresholds, far.thresholds, strict=True))


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


@given(COLUMNS, st.integers(2, 12))
def test_answers_are_steps_of_equal_width(x, answers):
    seen, cuts = measure(x, Measurement(answers=answers), 0.0, np.array([-9.0, 0.0, 0.01, 9.0]) * (x.std() or 1))
    width = 3 / max(answers - 2, 1)
    z = (x - x.mean()) / (x.std() or 1.0)
    slow = [sum(a > -1.5 + k * width for k in range(answers - 1)) for a in z]
    assert {*seen} <= {*range(answers)}
    assert np.abs(seen - slow).max() <= 1  # a value at a place may fall to either side
    assert np.mean(seen == slow) >= 0.9 or x.std() < 1e-6
    assert (np.diff(cuts) >= 1).all()


def test_counts_have_the_rates_that_follow_the_values():
    x = np.repeat([-1.0, 1.0], 20_000)
    seen, _ = measure(x, Measurement(counts=3), 0.0, rng=np.random.default_rng(0))
    low, high = seen[:20_000], seen[20_000:]
    assert seen.mean() == pytest.approx(3, rel=0.02)
    assert high.mean() / low.mean() == pytest.approx(np.exp(1.4), rel=0.04)
    assert [each.var() / each.mean() for each in (low, high)] == pytest.approx([1, 1], rel=0.05)


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        ({"kind": "linear_sem", "measured": {"answers": 5, "counts": 3}}, "keep one"),
        ({"kind": "gaussian", "sigma": 0.3, "measured": {"counts": 3}}, "levels have no rates"),
    ],
)
def test_what_a_column_cannot_be_at_once_is_refused(noise, words):
    with pytest.raises(InputError, match=words):
        check_noise(noise)


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
