"""The statements and exercises of Mauá's lecture notes (2018), as properties of what the package computes."""

import math
from itertools import permutations

import numpy as np
import pytest
from all_dags import enumerate_dags
from cutpoint.bench.studies.maua2018.study import bits
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cutpoint.discretization.objectives import information
from cutpoint.graphs import dags
from cutpoint.learners import scores
from cutpoint.learners.information import conditional_information, divergence, entropy, mutual_information

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


@many
@given(SEEDS)
def test_entropy_adds_up_exactly_when_variables_are_independent(seed):
    rng = np.random.default_rng(seed)
    x, y = distribution(rng, 3), distribution(rng, 4)
    assert entropy(np.outer(x, y)) == pytest.approx(entropy(x) + entropy(y))
    joint = distribution(rng, 3, 4)
    apart = np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).max()
    less = entropy(joint.sum(1)) + entropy(joint.sum(0)) - entropy(joint)
    assert less >= -1e-12
    assert (less < 1e-12) == (apart < 1e-9)


@many
@given(SEEDS, st.floats(0, 1))
def test_entropy_is_concave_and_that_of_a_binary_variable_symmetric(seed, share):
    rng = np.random.default_rng(seed)
    p, q = distribution(rng, 5), distribution(rng, 5)
    assert entropy(share * p + (1 - share) * q) >= share * entropy(p) + (1 - share) * entropy(q) - 1e-12
    assert bits(share) == pytest.approx(bits(1 - share), abs=1e-9)
    assert 0 <= bits(share) <= bits(0.5) == pytest.approx(1)


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
    assert both - one == pytest.approx(conditional_information(joint.transpose(0, 2, 1)), abs=1e-12)
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
            expected += information(codes, levels, i, dags.parents(dag, i))
            expected -= rows * entropy(np.bincount(codes[:, i]) / rows)
        assert scores.network_score(score, dag) == pytest.approx(expected, abs=1e-8)


@few
@given(SEEDS)
def test_adding_an_arc_never_lowers_the_likelihood(seed):
    codes, levels = records(seed)
    score = scores.log_likelihood(codes, levels)
    for child in range(4):
        for parents in ([], [(child + 1) % 4], [(child + 1) % 4, (child + 2) % 4]):
            gains = np.delete(score.gains(child, parents), [child, *parents])
            assert (gains >= -1e-9).all()


@few
@given(SEEDS)
def test_of_equal_likelihoods_the_smaller_graph_is_preferred(seed):
    codes, levels = records(seed)
    codes[:, 2] = codes[:, 0]  # then 2 tells 1 nothing that 0 does not
    same = scores.log_likelihood(codes, levels)
    assert same.family(1, [0, 2]) == pytest.approx(same.family(1, [0]))
    for make in (scores.bic, scores.aic, scores.mdl):
        score = make(codes, levels)
        assert score.family(1, [0]) > score.family(1, [0, 2])


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


@pytest.mark.parametrize("dependence", [0.0, 0.2])
def test_bic_is_consistent_for_two_variables(dependence):
    # Exercise 4.2: the threshold ln(N) / (2 N) falls to 0, more slowly than the information of independent samples.
    rng = np.random.default_rng(1)
    right = []
    for _ in range(20):
        x = rng.random(20_000) < 0.5
        y = np.where(rng.random(20_000) < dependence, x, rng.random(20_000) < 0.5)
        score = scores.bic(np.column_stack([x, y]).astype(np.int32), np.array([2, 2]))
        right.append((score.gains(1, [])[0] > 0) == (dependence > 0))
    assert sum(right) >= 19


def exact_records(rng, dag, levels, copies=6):
    """Records whose shares are exactly those of a network with the graph: the limit of infinite data."""
    tables = [rng.integers(1, 3, (*levels[dags.parents(dag, i)], levels[i])) for i in range(len(dag))]
    weight = np.ones(levels, dtype=object)
    for i, table in enumerate(tables):
        axes = [*dags.parents(dag, i).tolist(), i]
        # every row sums to the same number, so that weights are proportional to probabilities
        row = table * (math.lcm(*table.sum(-1).ravel().tolist()) // table.sum(-1, keepdims=True))
        shape = [levels[v] if v in axes else 1 for v in range(len(dag))]
        weight = weight * row.transpose(np.argsort(axes)).reshape(shape)
    configurations = np.array(list(np.ndindex(*levels)))
    return np.repeat(configurations, weight.ravel().astype(int), axis=0).astype(np.int32)


@pytest.mark.parametrize("seed", range(6))
def test_with_infinite_data_no_graph_is_likelier_than_the_true_one(seed):
    rng = np.random.default_rng(seed)
    dags = list(enumerate_dags(3))
    true, levels = dags[int(rng.integers(len(dags)))], np.array([2, 2, 2])
    codes = exact_records(rng, true, levels)
    score = scores.log_likelihood(codes, levels)
    best = scores.network_score(score, true)
    others = np.array([scores.network_score(score, dag) for dag in dags])
    assert (others <= best + 1e-8).all()
    assert others.max() == pytest.approx(best)


# 7.3


@pytest.mark.parametrize("make", [scores.bic, scores.bdeu, scores.k2])
def test_the_best_graph_is_the_best_order_with_the_best_parents(make):
    codes, levels = records(7)
    score = make(codes, levels)
    best = max(scores.network_score(score, dag) for dag in enumerate_dags(4))
    subsets = {i: [[p for p in range(4) if mask >> p & 1] for mask in range(16) if not mask >> i & 1] for i in range(4)}
    family = {(i, tuple(s)): score.family(i, s) for i in range(4) for s in subsets[i]}

    def of_order(order):
        before = {v: set(order[:k]) for k, v in enumerate(order)}
        return sum(max(family[i, tuple(s)] for s in subsets[i] if set(s) <= before[i]) for i in order)

    assert max(map(of_order, permutations(range(4)))) == pytest.approx(best)
