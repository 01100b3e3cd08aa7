"""What orders give away: arcs against tiers, counted edge by edge, and sortability against an enumeration of paths."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.bench.evaluation.run_metrics import explained, r2_sortability, sortability, var_sortability
from cutpoint.bench.evaluation.tiers import TIERS, tier_arcs, tier_numbers
from cutpoint.bench.simulation.structural_equations import draw_equations, sample_equations
from cutpoint.data.registry import load_registry
from cutpoint.graphs.dags import find_cycle
from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.networks.random_networks import random_network

REGISTRY = load_registry(Path(__file__).parents[2] / "config" / "datasets.yaml")
EDGES = st.sampled_from(["none", "forth", "back", "undirected"])


def slow(edges, tiers):
    """Return the same, edge by edge, of edges by pair of variables."""
    counts = [0, 0, 0]
    for (i, j), kind in edges.items():
        if kind == "none" or -1 in (tiers[i], tiers[j]) or tiers[i] == tiers[j]:
            continue
        counts[0] += 1
        if kind != "undirected":
            start, end = (i, j) if kind == "forth" else (j, i)
            counts[1] += 1
            counts[2] += tiers[start] > tiers[end]
    return tuple(counts)


def matrix(edges, n):
    pattern = np.zeros((n, n), bool)
    for (i, j), kind in edges.items():
        pattern[i, j] = kind in ("forth", "undirected")
        pattern[j, i] = kind in ("back", "undirected")
    return pattern


@given(st.integers(1, 5), st.data())
def test_edges_arcs_and_breaks_are_those_counted_one_by_one(n, data):
    edges = {pair: data.draw(EDGES) for pair in combinations(range(n), 2)}
    tiers = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)))
    counts = tier_arcs(matrix(edges, n), tiers)
    assert counts == slow(edges, tiers)
    assert counts.broken == (counts.breaks / counts.arcs if counts.arcs else None)
    backwards = tier_arcs(matrix(edges, n).T, tiers)
    assert backwards == (counts.edges, counts.arcs, counts.arcs - counts.breaks)


@given(st.integers(2, 5), st.data())
def test_random_directions_break_one_half(n, data):
    """Over all acyclic orientations of a skeleton, each as likely."""
    pairs = [pair for pair in combinations(range(n), 2) if data.draw(st.booleans())]
    tiers = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)))
    breaks = arcs = 0
    for kinds in product(["forth", "back"], repeat=len(pairs)):
        dag = matrix(dict(zip(pairs, kinds, strict=True)), n)
        if not find_cycle(dag):
            counts = tier_arcs(dag, tiers)
            arcs, breaks = arcs + counts.arcs, breaks + counts.breaks
    assert 2 * breaks == arcs


def test_tables_are_about_columns_that_are_kept():
    assert len(TIERS) >= 15
    for name, tiers in TIERS.items():
        entry = REGISTRY[name]
        kept = set(entry.columns) - set(entry.dropped)
        named = [column for tier in tiers for column in tier.columns]
        assert len(named) == len(set(named)), name
        assert set(named) <= kept, name
        assert len(tiers) >= 2
        assert all(tier.why for tier in tiers)


@pytest.mark.parametrize("name", TIERS)
def test_breaks_are_the_arcs_that_knowledge_of_the_tiers_forbids(name, rng):
    variables = sorted(column for column in REGISTRY[name].columns if column not in REGISTRY[name].dropped)
    tiers = [[*tier.columns] for tier in TIERS[name]]
    arcs = Knowledge(tiers=tiers).arcs(variables)
    dag = np.triu(rng.random((len(variables), len(variables))) < 0.5, 1)
    dag = dag[np.ix_(*[rng.permutation(len(variables))] * 2)]
    assert tier_arcs(dag, tier_numbers(variables, tiers)).breaks == (dag & ~arcs.allowed).sum()


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
