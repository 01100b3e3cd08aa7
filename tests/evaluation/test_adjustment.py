"""Adjustment distances against interventions counted out in joint distributions of three and four binary variables."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags

from cutpoint.bench.evaluation.run_metrics import adjustment_distances, structure_metrics
from cutpoint.graphs.patterns import cpdag

CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
KITE = np.array([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]], bool)


@cache
def classes(n):
    """The DAGs of n nodes by the bytes of their completed pattern."""
    members = {}
    for graph in enumerate_dags(n):
        members.setdefault(cpdag(graph).tobytes(), []).append(graph)
    return members


def joint_of(dag, rng):
    """A joint distribution [2] * n with random conditional probabilities of a DAG."""
    n = len(dag)
    table = np.ones((2,) * n)
    for i in range(n):
        family = [j for j in range(n) if dag[j, i] or j == i]
        one = rng.uniform(0.1, 0.9, [2 if j in family and j != i else 1 for j in range(n)])
        table = table * np.concatenate([1 - one, one], axis=i)
    return table


def margin(joint, kept):
    return joint.sum(tuple(i for i in range(joint.ndim) if i not in kept), keepdims=True)


def adjusted(joint, t, y, parents):
    """P(y | do(t)), float64 [t, y]: the sum over the parents' states of P(y | t, parents) P(parents)."""
    if y in parents:
        return margin(joint, [y]).ravel() * np.ones((2, 1))
    ratio = margin(joint, [t, y, *parents]) / margin(joint, [t, *parents]) * margin(joint, parents)
    table = margin(ratio, [t, y])
    return table.reshape(2, 2) if t < y else table.reshape(2, 2).T


def same(one, other):
    return np.allclose(one, other, rtol=0, atol=1e-12)


def effects(joint, members, t, y):
    """P(y | do(t)) under each DAG of a class, [members, t, y]: the truncated factorization sums to this."""
    return np.array([adjusted(joint, t, y, np.flatnonzero(dag[:, t]).tolist()) for dag in members])


def parent_aid(true, learned, n, rng):
    """The share of pairs whose effect by the learned parents is not that of every DAG of the true class."""
    ours, theirs = (classes(n)[pattern.tobytes()] for pattern in (true, learned))
    joint, other = joint_of(ours[0], rng), joint_of(theirs[0], rng)
    wrong = 0
    for t, y in permutations(range(n), 2):
        real, read = effects(joint, ours, t, y), effects(other, theirs, t, y)
        identified, claimed = (same(each, each[0]) for each in (real, read))
        parents = np.flatnonzero(learned[:, t] & ~learned[t]).tolist()
        right = identified and same(adjusted(joint, t, y, parents), real[0])
        wrong += not right if claimed else identified
    return wrong / (n * (n - 1))


def patterns(n):
    return [cpdag(members[0]) for members in classes(n).values()]


@pytest.mark.parametrize("n", [3, 4])
def test_the_parent_distance_is_that_of_interventions_counted_out(n):
    rng = np.random.default_rng(n)
    pairs = list(product(patterns(n), repeat=2))
    for k in range(len(pairs)) if n == 3 else rng.choice(len(pairs), 500, replace=False):
        true, learned = pairs[k]
        assert adjustment_distances(learned, true)["parent_aid"] == pytest.approx(parent_aid(true, learned, n, rng))


def test_the_ancestor_distance_of_dags_is_that_of_interventions_counted_out():
    """Between complete patterns without undirected edges, whose ancestors of t are known."""
    rng = np.random.default_rng(5)
    single = [members[0] for members in classes(4).values() if len(members) == 1]
    for true, learned in product(single, repeat=2):
        joint, wrong = joint_of(true, rng), 0
        up = np.linalg.matrix_power(np.eye(4) + learned, 4) > 0
        for t, y in permutations(range(4), 2):
            ancestors = [i for i in range(4) if up[i, t] and i != t]
            real = effects(joint, [true], t, y)[0]
            read = adjusted(joint, t, y, ancestors) if up[t, y] else adjusted(joint, t, y, [y])
            wrong += not same(real, read)
        assert adjustment_distances(learned, true)["ancestor_aid"] == pytest.approx(wrong / 12)


@given(st.integers(0, 10_000))
def test_distances_do_not_depend_on_the_order_of_nodes_and_are_0_for_equal_graphs(seed):
    rng, n = np.random.default_rng(seed), 2 + seed % 7
    true, learned = (np.triu(rng.random((n, n)) < 0.4, 1)[np.ix_(*[rng.permutation(n)] * 2)] for _ in range(2))
    order = rng.permutation(n)
    moved = [graph[np.ix_(order, order)] for graph in (learned, true)]
    distances = adjustment_distances(cpdag(learned), true, whole=True)
    assert adjustment_distances(learned, true) == adjustment_distances(*moved) == distances
    distances = adjustment_distances(cpdag(learned), learned)
    assert distances == {"parent_aid": 0, "ancestor_aid": 0, "extension_exact": True}


def test_a_pattern_stands_for_the_class_of_its_extensions():
    arc_kept = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], bool)  # 0 -> 1 - 2, which extends to 0 -> 1 -> 2 alone
    assert adjustment_distances(arc_kept, CHAIN) == adjustment_distances(CHAIN, CHAIN)
    bidirected = KITE | KITE.T  # a cycle of four without a chord: no DAG has this skeleton and no collider
    metrics = structure_metrics(bidirected, KITE)
    assert (metrics["parent_aid"], metrics["ancestor_aid"], metrics["extension_exact"]) == (None, None, False)
    assert metrics["shd_fu2005"] == 2
    assert adjustment_distances(np.zeros((1, 1), bool), np.zeros((1, 1), bool))["parent_aid"] is None
