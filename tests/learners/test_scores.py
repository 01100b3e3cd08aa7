"""Scores against brute force, pyAgrum and their own invariants."""

import math

import numpy as np
import pytest
import references
from families import DISCRETE, classes, dependent, make
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.learners import scores
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.order import exact
from cutpoint.method.functions import resolve
from cutpoint.method.registry import SCORES

FAMILIES = [(0, []), (1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (4, [1]), (0, [4]), (2, [0, 1, 3, 4])]


@pytest.mark.parametrize(("child", "parents"), FAMILIES)
@pytest.mark.parametrize("ess", [1.0, 10.0])
def test_bdeu_equals_the_formula(child, parents, ess):
    codes, levels = dependent(1, 40, (2, 3, 4, 2, 1))
    score = scores.bdeu(codes, levels, ess=ess).family(child, parents)
    assert score == pytest.approx(references.bdeu(codes, levels, child, parents, ess), abs=1e-9)


@pytest.mark.parametrize(("child", "parents"), FAMILIES)
def test_penalised_scores_equal_their_formulas(child, parents):
    codes, levels = dependent(1, 40, (2, 3, 4, 2, 1))
    rows, n = codes.shape
    ll = references.log_likelihood(codes, child, parents)
    p = references.parameters(levels, child, parents)
    full = references.parameters(levels, child, parents, full=True)
    assert scores.log_likelihood(codes, levels).family(child, parents) == pytest.approx(ll)
    assert scores.aic(codes, levels).family(child, parents) == pytest.approx(ll - p)
    assert scores.bic(codes, levels).family(child, parents) == pytest.approx(ll - p * math.log(rows) / 2)
    total = scores.bic(codes, levels, parameters="full").family(child, parents)
    assert total == pytest.approx(ll - full * math.log(rows) / 2)
    for base in (math.e, 2):
        total = scores.bic(codes, levels, base=base).family(child, parents)
        assert total == pytest.approx(ll - p * math.log(rows, base) / 2)
        for root in (True, False):
            length = (
                math.log(levels[child], base)
                + (1 + len(parents)) * math.log(n, base)
                + math.log(rows, base) / 2 * (p if parents or root else 0)
                - ll / math.log(base)
            )
            score = scores.mdl(codes, levels, base=base, root_parameters=root)
            assert score.family(child, parents) == pytest.approx(-length)
    assert scores.k2(codes, levels).family(child, parents) == pytest.approx(
        references.k2(codes, levels, child, parents)
    )


@pytest.mark.parametrize(("child", "parents"), FAMILIES)
def test_fnml_is_the_likelihood_less_the_complexity_of_every_configuration(child, parents):
    codes, levels = dependent(1, 40, (2, 3, 4, 2, 1))
    _, counts = np.unique(codes[:, parents], axis=0, return_counts=True)
    regret = math.fsum(references.log_complexity(int(count), int(levels[child])) for count in counts)
    score = scores.fnml(codes, levels)
    assert score.family(child, parents) == pytest.approx(references.log_likelihood(codes, child, parents) - regret)
    order = np.array([3, 1, 4, 0, 2])
    place = np.argsort(order)
    assert score.reordered(order).family(place[child], place[parents]) == pytest.approx(score.family(child, parents))


@pytest.mark.parametrize("name", SCORES)
def test_a_prior_of_structures_takes_as_much_for_each_arc(name):
    codes, levels = dependent(1, 40, (2, 3, 4, 2, 3))
    make = resolve(SCORES[name])
    plain, sparse = make(codes, levels), make(codes, levels, arc_probability=1e-9)
    cost = math.log(1e9 - 1)
    for child, parents in FAMILIES:
        expected = plain.family(child, parents) - len(parents) * cost
        assert sparse.family(child, parents) == pytest.approx(expected)
    expected = plain.gains(0, [1])[1:] + cost * np.array([1, -1, -1, -1])
    np.testing.assert_allclose(sparse.gains(0, [1])[1:], expected)
    best = exact(sparse)
    assert best.score == pytest.approx(scores.network_score(sparse, best.dag))
    assert best.score >= hill_climbing(sparse).score - 1e-6
    assert best.dag.sum() < exact(plain).dag.sum()


def test_agreement_with_pyagrum(rng):
    gum = pytest.importorskip("pyagrum")
    import pandas as pd

    levels = np.array([2, 3, 2, 4])
    codes = rng.integers(0, levels, (500, 4)).astype(np.int32)
    codes[:, 1] = (codes[:, 0] + codes[:, 1]) % 3
    frame = pd.DataFrame({f"v{i}": codes[:, i].astype(str) for i in range(4)})
    # pyAgrum's log-gamma is an approximation
    for ours, choose, rel in ((scores.bic, "useScoreBIC", 1e-6), (scores.bdeu, "useScoreBDeu", 2e-3)):
        learner, score = gum.BNLearner(frame), ours(codes, levels)
        getattr(learner, choose)()
        for child, parents in [(0, []), (1, [0]), (3, [0, 1]), (2, [1, 3])]:
            theirs = learner.score(f"v{child}", [f"v{p}" for p in parents]) * math.log(2)
            assert score.family(child, parents) == pytest.approx(theirs, rel=rel)


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
    score = make(kind, 5, 200, LEVELS[:4])
    assert len(classes(4)) == 185
    for members in classes(4).values():
        assert np.ptp([scores.network_score(score, dag) for dag in members]) < 1e-6
