"""Vogel's variant of Monti's score against its formula and a slow search."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_twins import children_of, encode, parents_of
from references import bdeu, random_dag

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.rules import VogelDiscretizer, vogel_score
from cutpoint.kernels.blankets import STECK


def own_term(levels):
    return sum(m * math.log(1 / m) for m in Counter(levels).values())


def slow_score(values, thresholds, dag, discrete):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    total = sum(bdeu(rows, r, i, parents_of(dag, i), 1.0) for i in range(len(dag)))
    return total + sum(own_term([row[i] for row in rows]) for i in range(len(dag)) if not discrete[i])


def slow_list(values, thresholds, dag, i):
    """Return the thresholds of one variable, added one by one while its part of the score rises."""
    distinct = sorted(set(values[:, i].tolist()))
    candidates = [(a + b) / 2 for a, b in pairwise(distinct)]

    def score(cuts):
        lists = [*thresholds[:i], sorted(cuts), *thresholds[i + 1 :]]
        rows, r = encode(values.tolist(), lists), [len(t) + 1 for t in lists]
        families = sum(bdeu(rows, r, j, parents_of(dag, j), 1.0) for j in [i, *children_of(dag, i)])
        return families + own_term([row[i] for row in rows])

    cuts, reached = [], score([])
    while len(cuts) < len(candidates):
        scores = {t: score([*cuts, t]) for t in candidates if t not in cuts}
        best = next(t for t in scores if scores[t] > max(scores.values()) - 1e-7)
        if scores[best] <= reached + 1e-6:
            break
        cuts, reached = [*cuts, best], scores[best]
    return sorted(cuts)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_thresholds_and_score_are_their_slow_twins(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.standard_normal((25, 3)).cumsum(axis=1), 1)
    values[:, 2] = values[:, 2] > 0
    discrete, dag = np.arange(3) == 2, random_dag(rng, 3, 0.8)
    initial = equal_frequency(values, discrete, bins=2)
    discretization = Discretization(values, initial)
    discretizer = VogelDiscretizer(values, discrete, STECK)
    proposal = discretizer.propose(0, Neighbourhood(dag), discretization)
    expected = slow_list(values, [cuts.tolist() for cuts in initial], dag, 0)
    if proposal.thresholds is None:  # the first list is as good or better
        changed = [np.array(expected), *initial[1:]]
        assert slow_score(values, changed, dag, discrete) <= slow_score(values, initial, dag, discrete) + 1e-5
    else:
        np.testing.assert_allclose(proposal.thresholds, expected)
        discretization.replace(0, proposal.thresholds)
    score = vogel_score(discretization.codes.T, discretization.levels, dag, discrete, 1.0)
    assert score == pytest.approx(slow_score(values, discretization.thresholds, dag, discrete))
