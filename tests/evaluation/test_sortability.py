"""Sortability against an enumeration of paths, regressions, and generators that do and do not give the order away."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.bench.evaluation.sortability import explained, r2_sortability, sortability, var_sortability
from cutpoint.bench.simulation.structural_equations import draw_equations, sample_equations
from cutpoint.networks.random_networks import random_network

DAGS = st.integers(1, 6).flatmap(lambda n: arrays(bool, (n, n))).map(lambda bits: np.triu(bits, 1))


def slow_sortability(scores, dag):
    """Return the same by walking along every path: (start, end, length) counts once."""
    paths = set()

    def walk(start, node, length):
        for child in np.flatnonzero(dag[node]):
            paths.add((start, int(child), length + 1))
            walk(start, child, length + 1)

    for start in range(len(dag)):
        walk(start, start, 0)
    rises = [1.0 if scores[a] < scores[b] else 0.5 if scores[a] == scores[b] else 0.0 for a, b, _ in paths]
    return sum(rises) / len(rises) if rises else None


@given(DAGS, st.data())
def test_sortability_is_that_of_an_enumeration_of_paths(dag, data):
    scores = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(dag), max_size=len(dag))), float)
    share, slow = sortability(scores, dag), slow_sortability(scores, dag)
    assert np.isnan(share) if slow is None else share == pytest.approx(slow)


def test_explained_variance_is_that_of_least_squares():
    values = np.random.default_rng(0).standard_normal((50, 4)) @ np.random.default_rng(1).standard_normal((4, 4))
    for j, share in enumerate(explained(values)):
        others = np.column_stack([np.ones(50), np.delete(values, j, 1)])
        rest = values[:, j] - others @ np.linalg.lstsq(others, values[:, j], rcond=None)[0]
        assert share == pytest.approx(1 - rest.var() / values[:, j].var())


def test_what_others_determine_is_explained_altogether_and_a_constant_not_at_all():
    a, b, c = np.random.default_rng(0).standard_normal((3, 50))
    np.testing.assert_allclose(explained(np.column_stack([a, a, b, c, b + c])), 1, atol=1e-6)
    np.testing.assert_allclose(explained(np.column_stack([a, np.ones(50)])), 0, atol=1e-9)


def networks(count=60):
    return [random_network(seed, nodes=(12, 12), density=(1.5, 1.5), arcs=(18, 18)).dag for seed in range(count)]


@pytest.mark.parametrize(
    "options",
    [{}, {"length": 1.0}, {"length": 1.0, "joint": True}, {"spread": 0.5, "errors": "laplace"}],
    ids=["linear", "additive", "nonadditive", "spread"],
)
def test_internally_standardised_equations_give_no_order_away(options):
    by_variance, by_r2 = sortabilities(
        lambda dag, rng: sample_equations(draw_equations(dag, rng, **options), 1000, rng)
    )
    np.testing.assert_allclose(by_variance, 0.5)
    assert abs(np.mean(by_r2) - 0.5) < 0.1


def sortabilities(make):
    """Both sortabilities of data that are made of each network and a generator."""
    sets = [(make(dag, np.random.default_rng(seed)), dag) for seed, dag in enumerate(networks())]
    return [[of(*each) for each in sets] for of in (var_sortability, r2_sortability)]


def test_equations_that_are_not_standardised_do():
    def values(dag, rng):
        weights, errors = draw_equations(dag, rng).weights, rng.standard_normal((1000, 12))
        return errors @ np.linalg.inv(np.eye(12) - weights)

    by_variance, by_r2 = sortabilities(values)
    assert np.mean(by_variance) > 0.85
    assert np.mean(by_r2) > 0.65
