"""Latent levels against enumeration and formulas, and what the method promises."""

import copy
import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
import references
from scipy.stats import skewnorm

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.intervals import in_intervals, latent_intervals
from cutpoint.discretization.latent import BINS, Blanket, Chain, Emission, latent
from cutpoint.kernels import latent as kernels
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search
from cutpoint.learners.scores import bdeu

LEVELS = np.array([2, 3, 2, 2])
DAG = np.zeros((4, 4), bool)
DAG[[0, 0, 1, 3], [1, 2, 2, 1]] = True  # 0 -> 1 -> 2, 0 -> 2, 3 -> 1; 3 is discrete


def chain(records=400, dag=DAG, seed=0):
    """Return a chain whose graph stays as it is, and the values of its columns, which overlap."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, LEVELS, (records, 4))
    codes[:, 2] = np.where(rng.random(records) < 0.8, (codes[:, 0] + codes[:, 1]) % 2, codes[:, 2])
    values = codes + 0.6 * rng.standard_normal((records, 4))
    emissions = {i: Emission(values[:, i], "normal", 4) for i in range(3)}
    start = np.ascontiguousarray(codes.T, np.int32)
    return Chain(emissions, start, LEVELS.copy(), lambda *_, **__: Search(dag, 0.0, 1, 1, 0), rng, 1.0), values


def theta(codes, child):
    """Return P(child | parents) by configuration and level, from counts with the prior of BDeu."""
    parents = np.flatnonzero(DAG[:, child]).tolist()
    counts, q, r = references.counts(codes, child, parents), math.prod(LEVELS[parents].tolist()), int(LEVELS[child])
    rows = itertools.product(*(range(LEVELS[p]) for p in parents))
    row = {key: counts.get(key, {}) for key in rows}
    return {
        key: [(one.get(k, 0) + 1 / (q * r)) / (sum(one.values()) + 1 / q) for k in range(r)] for key, one in row.items()
    }


def test_gibbs_sampling_has_the_posterior_of_full_enumeration(monkeypatch):
    fitted, _ = chain()
    codes, copies = fitted.codes.T.copy(), 20_000
    fixed = {i: fitted.blanket(i).counts(fitted.codes[i], LEVELS[i]) for i in range(3)}
    probabilities = [theta(codes, i) for i in range(4)]
    record = 7
    log = {i: one.log_density(fixed[i][-BINS:])[one.places[record]] for i, one in fitted.emissions.items()}
    states = list(itertools.product(*(range(r) for r in LEVELS[:3])))
    weights = np.zeros(len(states))
    for s, state in enumerate(states):
        full = (*state, int(codes[record, 3]))
        for i in range(4):
            key = tuple(full[p] for p in np.flatnonzero(DAG[:, i]))
            weights[s] += math.log(probabilities[i][key][full[i]]) + (log[i][full[i]] if i < 3 else 0)
    weights = np.exp(weights - weights.max())
    many = copy.copy(fitted)
    many.codes = np.tile(fitted.codes[:, [record]], copies)
    many.emissions = {i: copy.copy(one) for i, one in fitted.emissions.items()}
    for i, one in many.emissions.items():
        one.places, one.variable = np.full(copies, one.places[record], np.int32), i
    monkeypatch.setattr(Blanket, "counts", lambda self, *_: fixed[self.emission.variable])
    for _ in range(15):
        for i in range(3):
            many.draw(i)
    places = np.ravel_multi_index(tuple(many.codes[:3]), LEVELS[:3])
    shares = np.bincount(places, minlength=len(states)) / copies
    np.testing.assert_allclose(shares, weights / weights.sum(), atol=0.015)


def test_expected_counts_and_likelihood_are_those_of_the_formula_with_many_factors_too():
    rng = np.random.default_rng(1)
    table, rows = rng.random((60, 3)) ** 20 + 1e-9, rng.integers(0, 60, (20, 300)).astype(np.int32)
    products = np.log(table)[rows].sum(axis=0)
    totals = np.logaddexp.reduce(products, axis=1)
    shares = np.exp(products - totals[:, None])
    counts, expected = np.empty_like(table), np.zeros_like(table)
    for row in rows:
        np.add.at(expected, row, shares)
    assert kernels.expect(rows, table, counts) == pytest.approx(totals.sum())
    np.testing.assert_allclose(counts, expected, rtol=1e-9, atol=1e-9)
    entropy = -(shares * np.log(np.maximum(shares, 1e-300))).sum()
    assert kernels.expect(rows, table, table[:0]) == pytest.approx(entropy, rel=1e-6)


def test_the_evidence_of_whole_counts_is_bdeu():
    one, _ = chain()
    score = bdeu(one.codes.T, LEVELS)
    for i in range(3):
        blanket = one.blanket(i)
        counts = blanket.counts(one.codes[i], LEVELS[i])
        values = [factor.evidence(counts[factor.part], 1.0) for factor in blanket.factors]
        wanted = [score.family(v, np.flatnonzero(DAG[:, v])) for v in (i, *np.flatnonzero(DAG[i]))]
        np.testing.assert_allclose(values, wanted, rtol=1e-9)


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


def test_the_blanket_tells_the_levels_where_the_variable_alone_has_one_mode():
    rng = np.random.default_rng(3)
    z = rng.integers(0, 2, 3000)
    children = np.where(rng.random((2, 3000)) < 0.95, z, 1 - z)
    values = np.array([z + 0.7 * rng.standard_normal(3000), *children]).T
    learned = latent(
        values, np.array([False, True, True]), initial=[np.array([-1.0]), *[np.array([0.5])] * 2], search=search
    )
    assert len(Emission(values[:, 0], "normal", 8).alone.means) == 2
    np.testing.assert_allclose(learned.thresholds[0], [0.5], atol=0.15)


def search(codes, levels, **options):
    return boss(bdeu(codes, levels), **options)


def noisy(name="sachs", sigma=0.35, records=1500, seed=1):
    network = cp.network(name)
    codes = cp.sample(network, n=records, seed=seed)
    return codes + sigma * np.random.default_rng(seed).standard_normal(codes.shape), network


def test_noisy_codes_are_read_better_than_by_thresholds_and_alike_each_time():
    values, network = noisy()
    one, again = cp.learn(values, "latent"), cp.learn(values, "latent")
    hard = cp.learn(values, "steck3", learner="boss")
    assert cp.shd(one, network, "standard") < 0.5 * cp.shd(hard, network, "standard")
    one.discretize_seconds, one.learn_seconds = again.discretize_seconds, again.learn_seconds
    assert one == again
    agreed = one.uncertainty
    assert one.score == max(agreed.evidences) > agreed.of_thresholds
    assert [len(cuts) for cuts in agreed.spreads] == [len(cuts) for cuts in one.thresholds]
    assert agreed.edges.variables == one.variables
    np.testing.assert_allclose(one.thresholds, np.tile([0.5, 1.5], (11, 1)), atol=0.35)


def test_thresholds_stay_where_latent_levels_do_not_pay():
    network = cp.network("asia")
    codes = cp.sample(network, n=1000, seed=2)
    values = in_intervals(codes, latent_intervals(codes, network.cardinalities), np.random.default_rng(0))
    learned, hard = (cp.learn(values, row, learner="boss", order="stable") for row in ("latent", "steck3"))
    np.testing.assert_array_equal(learned.dag, hard.dag)
    assert learned.thresholds == hard.thresholds
    assert max(learned.uncertainty.evidences) <= learned.score == learned.uncertainty.of_thresholds


@pytest.mark.parametrize("options", [{"emission": "skew", "chains": 1}, {"rounds": 1, "learner": "hill_climbing"}])
def test_mixed_columns_and_options(options):
    values, _ = noisy("asia", records=200)
    frame = {f"c{i}": column for i, column in enumerate(values.T)}
    frame |= {"c0": (values[:, 0] > 0.5).astype(str), "c3": np.round(values[:, 3])}
    learned = cp.learn(pa.table(frame), "latent", continuous=["c3"], max_levels=3, **options)
    assert learned.thresholds.states.keys() == {"c0"}
    assert max(map(len, learned.thresholds)) <= 2
    moved = cp.learn(pa.table(dict(reversed(frame.items()))), "latent", continuous=["c3"], max_levels=3, **options)
    np.testing.assert_array_equal(learned.cpdag, moved.cpdag[::-1, ::-1])
    np.testing.assert_array_equal(learned.uncertainty.edges.adjacent, moved.uncertainty.edges.adjacent[::-1, ::-1])


def test_an_unknown_density_is_refused():
    values, _ = noisy("asia", records=50)
    with pytest.raises(InputError, match="emission"):
        cp.learn(values, "latent", emission="cauchy")
