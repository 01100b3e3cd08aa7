"""Candidate parent sets against all sets, and the bounds that stop their enumeration."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from families import DISCRETE, all_families, dependent, make
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.kernels import orders
from cutpoint.kernels import subsets as kernel
from cutpoint.learners import scores
from cutpoint.learners.parents import candidate_parents


def listed(sets, child):
    """Return the candidate parent sets of a child with their scores, in their order."""
    rows = range(sets.first[child], sets.first[child + 1])
    return {tuple(sets.parents(row).tolist()): sets.scores[row] for row in rows}


@pytest.mark.parametrize("max_parents", [0, 2, None])
@pytest.mark.parametrize("kind", [*DISCRETE, "gaussian", "kgv"])
def test_candidates_are_the_sets_that_no_subset_matches(kind, max_parents):
    score = make(kind)
    candidates = candidate_parents(score, max_parents=max_parents)
    families = all_families(score, 4 if max_parents is None else max_parents)
    for child, family in enumerate(families):
        undominated = {}
        for members, value in family.items():
            if all(value > undominated[q] + score.epsilon for q in undominated if set(q) < set(members)):
                undominated[members] = value
        assert listed(candidates, child) == pytest.approx(undominated, abs=1e-8)
    assert candidates.calls == sum(map(len, families))
    assert candidates.evaluations <= candidates.calls


@pytest.mark.parametrize("kind", [*DISCRETE, "gaussian"])
def test_pruning_leaves_every_order_its_best_sets(kind):
    score = make(kind, seed=3)
    candidates = candidate_parents(score, max_parents=3)
    families = all_families(score, 3)
    for order in permutations(range(5)):
        rows = orders.best_rows(candidates.first, candidates.masks, np.array(order))
        for place, child in enumerate(order):
            before = set(order[:place])
            best = max(value for members, value in families[child].items() if set(members) <= before)
            assert candidates.scores[rows[child]] == pytest.approx(best, abs=2 * score.epsilon)
            assert set(candidates.parents(rows[child]).tolist()) <= before


@pytest.mark.parametrize(("kind", "options"), [("bdeu", {"ess": 0.1}), ("bdeu", {"ess": 50.0}), ("k2", {})])
@given(seed=st.integers(0, 10_000))
def test_no_superset_exceeds_the_bound_of_bayesian_scores(kind, options, seed):
    codes, levels = dependent(seed, rows=30)
    score = getattr(scores, kind)(codes, levels, **options)
    for child, family in enumerate(all_families(score, 4)):
        for members in family:
            observed = len(np.unique(codes[:, members], axis=0)) if members else 1
            above = [value for others, value in family.items() if set(members) <= set(others)]
            assert max(above) <= -observed * math.log(levels[child]) + 1e-9


@pytest.mark.parametrize(("kind", "copies"), [("bic", 2), ("k2", 1), ("bdeu", 1)])
def test_a_set_that_reaches_its_bound_is_found(kind, copies):
    bits = np.indices((2, 2, 2)).reshape(3, 8).T
    codes = np.tile(np.column_stack([bits, bits.sum(axis=1) % 2]), (copies, 1))  # parity: no pair tells anything
    candidates = candidate_parents(getattr(scores, kind)(codes, np.full(4, 2)))
    bound = -8 * math.log(8 * copies) / 2 if kind == "bic" else -8 * math.log(2)
    assert listed(candidates, 3)[0, 1, 2] == pytest.approx(bound)
    assert set(listed(candidates, 3)) == {(), (0, 1, 2)}


def test_the_best_comes_first_and_of_equals_the_smaller_set():
    codes, levels = dependent(4)
    codes = np.column_stack([codes, codes[:, 1], codes[:, 1] * 0])
    levels = np.append(levels, [levels[1], 1])
    candidates = candidate_parents(scores.bdeu(codes, levels), max_parents=2)
    for child in range(7):
        sets = listed(candidates, child)
        values = list(sets.values())
        assert all(a > b - 1e-6 for a, b in pairwise(values))
        assert () in sets
        for first, second in pairwise(sets):
            if abs(sets[first] - sets[second]) < 1e-7:
                assert (len(first), first[::-1]) < (len(second), second[::-1])
        assert all(6 not in members for members in sets)  # which explains nothing
    copies = [members for members in listed(candidates, 0) if {1, 5} & set(members)]
    assert copies
    assert all(not {1, 5} <= set(members) for members in copies)


@pytest.mark.parametrize("rows", [3, 1000])
@pytest.mark.parametrize("length", [2, 2000])
def test_counts_of_sets_and_short_tables_are_right(rows, length):
    codes, levels = dependent(6, rows=rows, levels=(2, 3, 7, 9, 9, 9))
    score = scores.bdeu(codes, levels)
    sets = kernel.subsets(6, 3)
    alphas, row = np.array([0.3]), np.zeros((20, 1), np.int64)
    table = kernel.cell_terms(kernel.BY_LGAMMA, alphas, length)
    selected = np.arange(20) % 3 != 1
    arguments = (levels, sets, selected, kernel.BY_LGAMMA, alphas, table, row)
    terms, observed = kernel.count_sets(score.codes, *arguments)
    for s, members in enumerate(sets):
        _, counts = np.unique(codes[:, members], axis=0, return_counts=True)
        expected = sum(math.lgamma(0.3 + count) - math.lgamma(0.3) for count in counts)
        assert terms[s, 0] == pytest.approx(expected if selected[s] else 0)
        assert observed[s] == (len(counts) if selected[s] else 0)


def test_too_much_is_refused_before_it_starts():
    codes = np.zeros((10, 200), np.int32)
    score = scores.bic(codes, np.full(200, 2))
    with pytest.raises(
        InputError, match=r"up to 5 parents of 200 variables .* those with 3 need .* max_parents 2 would fit"
    ):
        candidate_parents(score, max_parents=5)
    with pytest.raises(
        InputError, match=r"those with 0 need about 0.02 MB .* is 0.01; not even 0 parents fit, raise memory_mb"
    ):
        candidate_parents(score, max_parents=0, memory_mb=0.01)
