"""Latent levels against enumeration and formulas, and what the method promises."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
import references
from scipy.special import log_ndtr, logsumexp, softmax
from scipy.stats import skewnorm

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.intervals import in_intervals, latent_intervals
from cutpoint.bench.simulation.noise import gaussian
from cutpoint.discretization import mixtures
from cutpoint.discretization.latent import BINS, Blanket, Chain, Emission
from cutpoint.kernels import latent as kernels
from cutpoint.learners.greedy import Search
from cutpoint.learners.mean_score import mean_over
from cutpoint.learners.scores import bdeu

LEVELS = np.array([2, 3, 2, 2])
DAG = np.zeros((4, 4), bool)
DAG[[0, 0, 1, 3], [1, 2, 2, 1]] = True  # 0 -> 1 -> 2, 0 -> 2, 3 -> 1; 3 is discrete


def chain():
    """Return a chain whose graph stays as it is; densities of levels overlap."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, LEVELS, (400, 4))
    codes[:, 2] = np.where(rng.random(400) < 0.8, (codes[:, 0] + codes[:, 1]) % 2, codes[:, 2])
    values = codes + 0.6 * rng.standard_normal((400, 4))
    emissions = {i: Emission(values[:, i], "normal", 4) for i in range(3)}
    start = np.ascontiguousarray(codes.T, np.int32)
    found = Search(DAG, 0.0, 1, 1, 0)
    return Chain(emissions, start, LEVELS.copy(), lambda *_, **__: found, found, rng, 1.0)


def probability(codes, child, state):
    """Return P(child | parents) in a state of all variables, from counts with the prior of BDeu."""
    parents = np.flatnonzero(DAG[:, child]).tolist()
    row = references.counts(codes, child, parents).get(tuple(state[p] for p in parents), {})
    q = math.prod(LEVELS[parents].tolist())
    return (row.get(state[child], 0) + 1 / (q * LEVELS[child])) / (sum(row.values()) + 1 / q)


def test_gibbs_sampling_has_the_posterior_of_full_enumeration(monkeypatch):
    fitted, record, copies = chain(), 7, 20_000
    fixed = {i: fitted.blanket(i).counts(fitted.codes[i], LEVELS[i]) for i in range(3)}
    codes = fitted.codes.T.copy()
    log = {i: one.log_density(fixed[i][-one.held.size :])[one.places[record]] for i, one in fitted.emissions.items()}
    weights = []
    for state in itertools.product(*map(range, LEVELS[:3])):
        full = (*state, int(codes[record, 3]))
        weights.append(sum(math.log(probability(codes, i, full)) for i in range(4)))
        weights[-1] += sum(log[i][full[i]] for i in range(3))
    fitted.codes = np.tile(fitted.codes[:, [record]], copies)
    for i, one in fitted.emissions.items():
        one.places, one.variable = np.full(copies, one.places[record], np.int32), i
    monkeypatch.setattr(Blanket, "counts", lambda self, *_: fixed[self.emission.variable])
    for i in [0, 1, 2] * 15:
        fitted.draw(i)
    states = np.ravel_multi_index(tuple(fitted.codes[:3]), LEVELS[:3])
    np.testing.assert_allclose(np.bincount(states, minlength=12) / copies, softmax(weights), atol=0.015)


def test_expected_counts_likelihood_and_evidence_are_those_of_the_formulas():
    rng = np.random.default_rng(1)
    table, rows = rng.random((60, 3)) ** 20 + 1e-9, rng.integers(0, 60, (20, 300)).astype(np.int32)
    products = np.log(table)[rows].sum(axis=0)
    counts, expected = np.empty_like(table), np.zeros_like(table)
    for held in (np.ones(300, int), rng.integers(1, 4, 300)):
        value = kernels.expect(rows, held, table, counts)
        assert value == pytest.approx((held * logsumexp(products, axis=1)).sum())
        expected[:] = 0.0
        for row in rows:
            np.add.at(expected, row, held[:, None] * softmax(products, axis=1))
        np.testing.assert_allclose(counts, expected, rtol=1e-9, atol=1e-9)
    one = chain()
    score = bdeu(one.codes.T, LEVELS)
    for i in range(3):
        blanket = one.blanket(i)
        counts = blanket.counts(one.codes[i], LEVELS[i])
        table = blanket.table(counts)[0]
        grouped, whole = blanket.grouped().expected(table), blanket.expected(table)
        assert len(blanket.grouped().held) < len(blanket.held)
        np.testing.assert_allclose(grouped[0], whole[0], rtol=1e-9)
        assert grouped[1] == pytest.approx(whole[1])
        value = kernels.evidence(counts, np.ones_like(counts), blanket.families, blanket.priors)
        families = [score.family(v, np.flatnonzero(DAG[:, v])) for v in (i, *np.flatnonzero(DAG[i]))]
        assert value == pytest.approx(sum(families), rel=1e-9)


@pytest.mark.parametrize("kind", ["normal", "shared", "skew"])
def test_densities_are_those_of_the_level(kind):
    emission = Emission(np.linspace(-1, 1, 500), kind, 4)
    emission.middles, emission.spreads = np.linspace(-8, 8, BINS), np.zeros(BINS)
    level = skewnorm(2.0 if kind == "skew" else 0.0, loc=0.5, scale=1.2)
    counts = 1e7 * level.pdf(np.array([emission.middles, emission.middles - 1])).T
    density = np.exp(emission.log_density(counts)) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(density * 1e7, counts, atol=1e4)
    parameters = {"normal": 4, "shared": 3, "skew": 6}[kind]
    assert emission.penalty(2) == pytest.approx(parameters * math.log(500) / 2)


def test_skew_densities_have_their_digits_far_from_the_level():
    z = np.linspace(-300, 10, 3001)
    np.testing.assert_allclose([kernels._log_share(x) for x in z.tolist()], log_ndtr(z), rtol=1e-14, atol=1e-15)


def test_thresholds_stand_between_values_that_repeat():
    levels = np.repeat([0, 1, 2], 50)
    emission = Emission(levels.astype(float), "normal", 8)
    counts = np.bincount(emission.places * 3 + levels, minlength=3 * emission.held.size).reshape(-1, 3).astype(float)
    np.testing.assert_allclose(emission.cuts(counts), [0.5, 1.5])


def test_values_that_repeat_are_spread_over_the_gaps_between_them():
    rng = np.random.default_rng(0)
    few = rng.integers(0, 5, 1000)
    for unit in (1.0, 1e-6):
        emission = Emission(unit * few + 7.0, "normal", 8)
        counts = np.bincount(emission.places * 5 + few, minlength=5 * emission.held.size).reshape(-1, 5).astype(float)
        np.testing.assert_allclose(emission.moments(counts)[1] * emission.column.scale, unit / math.sqrt(12), rtol=0.01)
        highest = emission.log_density(counts).max() - math.log(2 * math.pi) / 2
        assert -0.2 < highest - math.log(emission.column.scale / unit) < 0.0  # of a density of one record for each unit
    plain = Emission(values := rng.standard_normal(1000), "normal", 8)
    np.testing.assert_array_equal(plain.column.x, mixtures.StandardizedValues(values).x)
    places, _, spreads = mixtures.StandardizedValues(values).bins(BINS)
    np.testing.assert_array_equal(plain.spreads, spreads[np.unique(places)])
    assert len(Emission(np.full(9, 3.0), "normal", 8).alone.means) == 1


@pytest.mark.parametrize(("name", "records"), [("child", 5000), ("alarm", 2000)])
def test_rounding_hardly_raises_the_error(name, records):
    network = cp.network(name)
    values = gaussian(cp.sample(network, n=records, seed=1), 0.35, np.random.default_rng(1))
    exact, rounded = (cp.learn(x, "latent") for x in (values, values.round(1)))
    assert rounded.score > rounded.uncertainty.of_thresholds
    assert cp.shd(rounded, network, "standard") <= cp.shd(exact, network, "standard") + 0.1 * network.dag.sum()


def test_the_blanket_tells_the_levels_where_the_variable_alone_has_one_mode():
    rng = np.random.default_rng(3)
    z = rng.integers(0, 2, 3000)
    children = np.where(rng.random((2, 3000)) < 0.95, z, 1 - z).astype(str)
    table = pa.table({"x": z + 0.7 * rng.standard_normal(3000), "a": children[0], "b": children[1]})
    learned = cp.learn(table, "latent", initial={"equal_frequency": 4})
    np.testing.assert_allclose(learned.thresholds[0], [0.5], atol=0.15)


def test_noisy_codes_are_read_better_than_by_thresholds():
    """In each of three draws, of which the last is looked at further."""
    network = cp.network("child")
    for seed in (3, 2, 1):
        values = gaussian(cp.sample(network, n=3000, seed=seed), 0.35, np.random.default_rng(seed))
        learned, hard = cp.learn(values, "latent"), cp.learn(values, "steck3", learner="boss")
        assert cp.shd(learned, network, "standard") < cp.shd(hard, network, "standard")
    chains = learned.uncertainty
    assert learned.score > chains.of_thresholds
    assert list(map(len, chains.spreads)) == list(map(len, learned.thresholds)) == (network.cardinalities - 1).tolist()
    assert max(abs(cuts - np.arange(len(cuts)) - 0.5).max() for cuts in learned.thresholds) < 0.4
    assert (chains.edges.adjacent > 0.5)[learned.dag].mean() > 0.9


def test_a_mean_over_draws_is_the_mean_of_their_scores():
    """Against single scores; and what one record changes is less than with one draw of each level."""
    rng = np.random.default_rng(1)
    codes, levels = rng.integers(0, LEVELS, (90, 4)), LEVELS
    draws = [codes[:30], codes[30:60], codes[60:]]
    mean, single = mean_over(3, bdeu, codes, levels), [bdeu(one, levels) for one in draws]
    assert mean.family(2, [0, 3]) == pytest.approx(np.mean([one.family(2, [0, 3]) for one in single]))
    np.testing.assert_allclose(mean.gains(2, [0]), np.mean([one.gains(2, [0]) for one in single], axis=0))
    order = np.array([2, 0, 3, 1])
    assert mean.reordered(order).family(0, [1]) == pytest.approx(mean.family(2, [0]))
    network = cp.network("child")
    values = gaussian(cp.sample(network, n=501, seed=2), 0.35, rng)
    pairs = [[cp.learn(values[s : s + 500], "latent", draws=k) for s in (0, 1)] for k in (1, 8)]
    one, several = (cp.shd(a.cpdag, b.cpdag, "standard") for a, b in pairs)
    assert several <= one


def test_thresholds_stay_where_latent_levels_do_not_pay():
    codes = cp.sample(network := cp.network("sachs"), n=1000, seed=2)
    values = in_intervals(codes, latent_intervals(codes, network.cardinalities), np.random.default_rng(0))
    learned, hard = (cp.learn(values, row, learner="boss", order="stable", restarts=20) for row in ("latent", "steck3"))
    np.testing.assert_array_equal(learned.dag, hard.dag)
    assert learned.thresholds == hard.thresholds
    assert (learned.score, None) == (learned.uncertainty.of_thresholds, learned.uncertainty.edges)


@pytest.mark.parametrize("options", [{"emission": "skew"}, {"rounds": 1, "learner": "hill_climbing"}])
def test_mixed_columns_and_options(options):
    values = gaussian(cp.sample(cp.network("asia"), n=200, seed=1), 0.35, np.random.default_rng(1))
    frame = {f"c{i}": column for i, column in enumerate(values.T)}
    frame |= {"c0": (values[:, 0] > 0.5).astype(str), "c3": np.round(values[:, 3])}
    options |= {"continuous": ["c3"], "max_levels": 3}
    learned, again, other = (cp.learn(pa.table(frame), "latent", seed=seed, **options) for seed in (0, 0, 1))
    assert learned.thresholds.states.keys() == {"c0"}
    assert max(map(len, learned.uncertainty.spreads)) <= 2
    assert learned.uncertainty.edges.variables == learned.variables
    assert (repr(learned), learned.thresholds) == (repr(again), again.thresholds)
    for key in ("adjacent", "directed"):
        assert np.array_equal(getattr(learned.uncertainty.edges, key), getattr(again.uncertainty.edges, key))
    assert learned.score != other.score
    with pytest.raises(InputError, match="emission"):
        cp.learn(pa.table(frame), "latent", emission="cauchy")
