"""Scores that look up what they share with the one before give what they give alone."""

from itertools import pairwise

import numpy as np
from families import dependent
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.learners import scores
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.method.method import Successive

KINDS = ("bdeu", "bic", "k2", "mdl")


def turns(seed, count):
    """Codes of one table after the other, each with some columns of the one before."""
    rng = np.random.default_rng(seed)
    codes, levels = dependent(seed, 200)
    for _ in range(count):
        yield codes, levels
        codes, levels = codes.copy(), levels.copy()
        for i in np.flatnonzero(rng.random(len(levels)) < rng.random()):
            if rng.random() < 0.5:
                levels[i] += 1  # an empty level changes BDeu, too
            else:
                codes[:, i] = rng.permuted(codes[:, i])


@given(seed=st.integers(0, 500), kind=st.sampled_from(KINDS), search=st.sampled_from([hill_climbing, tabu]))
def test_searches_that_follow_one_another_are_those_alone(seed, kind, search):
    successive, make = Successive(), getattr(scores, kind)
    for codes, levels in turns(seed, 4):
        alone, following = search(make(codes, levels)), search(successive.follow(make(codes, levels)))
        np.testing.assert_array_equal(following.dag, alone.dag)
        assert (following.score, following.calls, following.steps) == (alone.score, alone.calls, alone.steps)
        assert following.evaluations <= following.calls == alone.evaluations


@given(seed=st.integers(0, 500), kind=st.sampled_from(KINDS))
def test_looked_up_gains_are_those_of_columns_that_stayed(seed, kind):
    rng, make, successive = np.random.default_rng(seed), getattr(scores, kind), Successive()
    families = [(child, np.flatnonzero(rng.random(5) < 0.4).tolist()) for child in (0, 4)]
    for number, ((before, old), (codes, levels)) in enumerate(pairwise([(None, None), *turns(seed, 4)])):
        score = successive.follow(make(codes, levels))
        for child, chosen in families:
            parents = [p for p in chosen if p != child]
            start = score.looked_up
            np.testing.assert_array_equal(score.gains(child, parents), make(codes, levels).gains(child, parents))
            stayed = [number > 0 and (before[:, i] == codes[:, i]).all() and old[i] == levels[i] for i in range(5)]
            expected = sum(stayed) - stayed[child] if all(stayed[i] for i in (child, *parents)) else 0
            assert score.looked_up - start == expected


def test_scores_of_another_kind_or_table_are_not_looked_up():
    codes, levels = dependent(3)
    successive = Successive()
    tables = [scores.bdeu(codes, levels), scores.bdeu(codes, levels, ess=2.0), scores.bic(codes, levels)]
    tables += [scores.bic(codes[:50], levels), scores.bic(codes[:50, :4], levels[:4])]
    for score in tables:
        assert hill_climbing(successive.follow(score)).evaluations == hill_climbing(score).calls
    own = object()
    assert successive.follow(own) is own
