"""Scores against brute force, pyAgrum and their own invariants."""

import math

import numpy as np
import pytest
import references
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.kernels import counting
from cutpoint.learners import scores


def random_codes(rng, rows=40, cardinalities=(2, 3, 4, 2, 1)):
    levels = np.array(cardinalities)
    return rng.integers(0, levels, (rows, len(levels))).astype(np.int32), levels


FAMILIES = [(0, []), (1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (4, [1]), (0, [4]), (2, [0, 1, 3, 4])]


@pytest.mark.parametrize(("child", "parents"), FAMILIES)
@pytest.mark.parametrize("ess", [1.0, 10.0])
def test_bdeu_equals_the_formula(rng, child, parents, ess):
    codes, levels = random_codes(rng)
    found = scores.bdeu(codes, levels, ess=ess).family(child, parents)
    assert found == pytest.approx(references.bdeu(codes, levels, child, parents, ess), abs=1e-9)


@pytest.mark.parametrize(("child", "parents"), FAMILIES)
def test_penalised_scores_equal_their_formulas(rng, child, parents):
    codes, levels = random_codes(rng)
    rows, n = codes.shape
    ll = references.log_likelihood(codes, child, parents)
    p = references.parameters(levels, child, parents)
    full = references.parameters(levels, child, parents, full=True)
    assert scores.log_likelihood(codes, levels).family(child, parents) == pytest.approx(ll)
    assert scores.aic(codes, levels).family(child, parents) == pytest.approx(ll - p)
    assert scores.bic(codes, levels).family(child, parents) == pytest.approx(ll - p * math.log(rows) / 2)
    found = scores.bic(codes, levels, parameters="full").family(child, parents)
    assert found == pytest.approx(ll - full * math.log(rows) / 2)
    for base in (math.e, 2):
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


def test_both_ways_of_counting_agree(rng, monkeypatch):
    codes, levels = random_codes(rng, 300, (3, 3, 2, 4))
    score = scores.bdeu(codes, levels)
    cells = counting._cell_sets(score.bits, score.first, score.cardinalities, 0, np.array([1]), 300)
    by_sets = np.zeros((3 * 4, 3), np.int64)
    counting._count_sets(cells, 3, score.bits[score.first[3] : score.first[4]], by_sets)
    index, count = counting.configuration_index(score.codes, score.cardinalities, np.array([1]))
    by_records = np.zeros((count * 4, 3), np.int64)
    counting._count_records(index * 4, score.codes[:, 3], score.codes[:, 0], by_records)
    assert sorted(by_sets.ravel()) == sorted(by_records.ravel())
    assert by_sets.sum() == 300


def test_agreement_with_pyagrum(rng):
    gum = pytest.importorskip("pyagrum")
    import pandas as pd

    levels = np.array([2, 3, 2, 4])
    codes = rng.integers(0, levels, (500, 4)).astype(np.int32)
    codes[:, 1] = (codes[:, 0] + codes[:, 1]) % 3
    frame = pd.DataFrame({f"v{i}": codes[:, i].astype(str) for i in range(4)})
    learner = gum.BNLearner(frame)
    learner.useScoreBIC()
    ours = scores.bic(codes, levels)
    for child, parents in [(0, []), (1, [0]), (3, [0, 1]), (2, [1, 3])]:
        theirs = learner.score(f"v{child}", [f"v{p}" for p in parents]) * math.log(2)
        assert ours.family(child, parents) == pytest.approx(theirs, rel=1e-6)
    learner = gum.BNLearner(frame)
    learner.useScoreBDeu()
    ours = scores.bdeu(codes, levels)
    for child, parents in [(0, []), (1, [0]), (3, [0, 1]), (2, [1, 3])]:
        theirs = learner.score(f"v{child}", [f"v{p}" for p in parents]) * math.log(2)
        # pyAgrum's log-gamma is an approximation
        assert ours.family(child, parents) == pytest.approx(theirs, rel=2e-3)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_renaming_variables_permutes_scores(seed):
    rng = np.random.default_rng(seed)
    codes, levels = random_codes(rng, 60, (2, 3, 4, 2))
    order = rng.permutation(4)
    place = np.argsort(order)
    for make in (scores.bdeu, scores.bic):
        score, renamed = make(codes, levels), make(codes[:, order], levels[order])
        for child, parents in [(0, [1, 2]), (3, []), (2, [3])]:
            there = renamed.family(place[child], sorted(place[parents]))
            assert there == pytest.approx(score.family(child, parents), abs=1e-9)


def test_row_order_changes_nothing(rng):
    codes, levels = random_codes(rng, 200)
    mixed = codes[rng.permutation(200)]
    assert scores.bdeu(codes, levels).family(1, [0, 2]) == pytest.approx(
        scores.bdeu(mixed, levels).family(1, [0, 2]), abs=1e-9
    )


def test_one_level_scores_nothing(rng):
    codes, levels = random_codes(rng)
    score = scores.bdeu(codes, levels)
    assert score.family(4, [0, 1]) == pytest.approx(0, abs=1e-12)
    assert score.gains(0, [])[4] == pytest.approx(0, abs=1e-12)


def test_bad_options_are_named(rng):
    codes, levels = random_codes(rng)
    with pytest.raises(InputError, match="ess"):
        scores.bdeu(codes, levels, ess=0)
    for base in (1, 0.5, 0, -2, np.nan, np.inf):
        with pytest.raises(InputError, match="base: logarithms need a base above 1"):
            scores.mdl(codes, levels, base=base)
    with pytest.raises(InputError, match="parameters"):
        scores.bic(codes, levels, parameters="some")
