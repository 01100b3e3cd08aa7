"""K2 in the order of the columns against its slow twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import k2 as k2_family

from cutpoint.learners.k2_search import k2_search
from cutpoint.learners.scores import bdeu, k2


def slow(codes, cardinalities, most):
    """Return the parents of every variable, one after the other by the score of the whole family."""
    sets = []
    for child in range(codes.shape[1]):
        parents, reached = [], k2_family(codes, cardinalities, child, [])
        while len(parents) < most:
            scores = {
                p: k2_family(codes, cardinalities, child, [*parents, p]) for p in range(child) if p not in parents
            }
            best = next((p for p in scores if scores[p] > max(scores.values()) - 1e-6), None)
            if best is None or scores[best] <= reached + 1e-6:
                break
            parents, reached = [*parents, best], scores[best]
        sets.append(sorted(parents))
    return sets


@given(seed=st.integers(0, 2**32), most=st.integers(0, 3))
def test_it_is_its_slow_twin(seed, most):
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, 4, 4)
    codes = rng.integers(0, levels, (12, 4))
    codes[:, 3] = np.minimum(codes[:, 0] + codes[:, 1], levels[3] - 1)
    learned = k2_search(k2(codes, levels), max_parents=most)
    assert [np.flatnonzero(learned.dag[:, i]).tolist() for i in range(4)] == slow(codes, levels, most)
    assert learned.score == pytest.approx(
        sum(k2_family(codes, levels, i, np.flatnonzero(learned.dag[:, i])) for i in range(4))
    )
    assert learned.steps == learned.best_step == learned.dag.sum()


def test_after_a_move_the_score_to_beat_is_that_of_the_move():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (60, 3))
    codes[:, 2] = codes[:, 0] ^ (rng.random(60) < 0.1)
    levels = np.full(3, 2)
    graphs = []
    # From the first move on the last variable is constant: its families score 0, above all that was reached.
    constant = k2(codes * [1, 1, 0], np.array([2, 2, 1]))

    def after_move(dag):
        graphs.append(dag)
        return constant

    learned = k2_search(k2(codes, levels), after_move=after_move)
    assert [np.argwhere(dag).tolist() for dag in graphs] == [[[0, 2]], [[0, 2], [1, 2]]]
    assert learned.score == pytest.approx(constant.marginal(0) + constant.marginal(1))


def test_parents_come_first_and_their_number_has_no_limit_of_its_own():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (400, 5))
    codes[:, 4] = codes[:, :4].sum(axis=1) > 1
    levels = np.full(5, 2)
    assert k2_search(bdeu(codes, levels), max_parents=None).dag[:, 4].sum() == 4
    assert k2_search(bdeu(codes, levels), max_parents=2).dag[:, 4].sum() == 2
    assert not np.tril(k2_search(bdeu(codes, levels)).dag).any()
