"""The exact search against enumeration of all graphs, and never below the others."""

from functools import cache

import numpy as np
import pytest
from families import DISCRETE, LEVELS, all_families, dependent, make
from references import enumerate_dags

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag
from cutpoint.kernels import orders as kernel
from cutpoint.learners import scores
from cutpoint.learners.exact import exact
from cutpoint.learners.parents import candidate_parents
from cutpoint.learners.scores import network_score


@cache
def parent_masks(n):
    """Return the parents of each variable in every DAG, one bit a parent, int64 [DAGs, n]."""
    return np.array([(1 << np.arange(n)) @ dag for dag in enumerate_dags(n)])


def best_of_all(score, max_parents=None):
    """Return the highest score of any DAG."""
    n = score.n
    limit = n - 1 if max_parents is None else max_parents
    table = np.full((n, 1 << n), -np.inf)
    for child, family in enumerate(all_families(score, limit)):
        for members, value in family.items():
            table[child, sum(1 << p for p in members)] = value
    return table[np.arange(n), parent_masks(n)].sum(axis=1).max()


@pytest.mark.parametrize("kind", [*DISCRETE, "gaussian", "kgv"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_nothing_beats_it_among_all_graphs_of_five_variables(kind, seed):
    score = make(kind, seed)
    learned = exact(score)
    assert is_dag(learned.dag)
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    assert learned.score == pytest.approx(best_of_all(score), abs=10 * score.epsilon)


@pytest.mark.parametrize("max_parents", [0, 1, 2])
def test_the_limit_of_parents_is_kept_and_used(max_parents):
    score = make("aic", 4)
    learned = exact(score, max_parents=max_parents)
    assert learned.dag.sum(axis=0).max() <= max_parents
    assert learned.score == pytest.approx(best_of_all(score, max_parents), abs=1e-5)
    assert learned.steps == 2**5


@pytest.mark.parametrize("low", [0, 1, 3, 6])
def test_blocks_change_nothing(low):
    sets = candidate_parents(scores.aic(*dependent(8, levels=(*LEVELS[:4], 2, 3, 2))), max_parents=None)
    whole, blocks = np.empty(2**7), np.empty(2**7)
    sinks = np.zeros((2, 2**7), np.uint8)
    kernel.best_sinks(sets.first, sets.masks, sets.scores, 7, 1e-6, whole, sinks[0])
    kernel.best_sinks(sets.first, sets.masks, sets.scores, low, 1e-6, blocks, sinks[1])
    assert blocks == pytest.approx(whole, abs=1e-5)
    assert all(subset >> sink & 1 for subset, sink in enumerate(sinks[1].tolist()) if subset)


def test_one_variable_and_constant_columns():
    assert exact(scores.bic(*dependent(1, levels=(3,)))).dag.tolist() == [[False]]
    codes, levels = dependent(1)
    codes[:, 2], levels[2] = 0, 1
    learned = exact(scores.bdeu(codes, levels))
    assert not learned.dag[2].any()
    assert not learned.dag[:, 2].any()


def test_too_many_variables_are_refused_before_anything_starts():
    codes = np.zeros((10, 40), np.int32)
    score = scores.bic(codes, np.full(40, 2))
    with pytest.raises(InputError, match=r"40 variables need 9895605 MB .* 28 variables would fit"):
        exact(score)
    small = scores.bic(*dependent(1))
    with pytest.raises(InputError, match=r"5 variables need 0.00029 MB and memory_mb is 1e-06; none would fit"):
        exact(small, memory_mb=1e-6)
    exact(small, memory_mb=0.1)
