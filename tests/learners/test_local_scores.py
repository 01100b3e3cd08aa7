"""What a search may rely on, whatever the score: gains, and equal scores of equivalent graphs."""

import numpy as np
import pytest
from families import DISCRETE, make
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags

from cutpoint.graphs.patterns import cpdag
from cutpoint.learners import scores

EQUIVALENT = ["bic", "bdeu", "aic", "log_likelihood", "gaussian", "kgv", "bge"]
LEVELS = (2, 3, 4, 7, 1, 2)
MANY = (9, 30, 40, 7, 1, 2)  # for tables of two variables that are counted in parts


@pytest.mark.parametrize("kind", [*DISCRETE, "fnml", "gaussian", "kgv", "bge"])
@given(
    seed=st.integers(0, 10_000), rows=st.sampled_from([5, 63, 64, 65, 300]),
    child=st.integers(0, 5), chosen=st.sets(st.integers(0, 5), max_size=4), levels=st.sampled_from([LEVELS, MANY]),
)  # fmt: skip
def test_gains_are_differences_of_families(kind, seed, rows, child, chosen, levels):
    score, parents = make(kind, seed, rows, levels), sorted(chosen - {child})
    gains = score.gains(child, parents)
    assert gains[child] == -np.inf
    for x in set(range(6)) - {child}:
        toggled = sorted(set(parents) ^ {x})
        difference = score.family(child, toggled) - score.family(child, parents)
        assert gains[x] == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("kind", EQUIVALENT)
def test_equivalent_graphs_score_the_same(kind):
    score, classes = make(kind, 5, 200, LEVELS[:4]), {}
    for dag in enumerate_dags(4):
        classes.setdefault(cpdag(dag).tobytes(), []).append(scores.network_score(score, dag))
    assert len(classes) == 185
    assert max(np.ptp(values) for values in classes.values()) < 1e-6
