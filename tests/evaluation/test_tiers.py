"""Arcs against tiers: counted edge by edge, what random directions break, and the tables of real data sets."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.data.tiers import TIERS
from cutpoint.bench.evaluation.tiers import tier_arcs, tier_numbers
from cutpoint.data.registry import load_registry
from cutpoint.graphs.dags import find_cycle
from cutpoint.knowledge.knowledge import Knowledge

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
        if find_cycle(dag) is None:
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
