"""Sizes at their extremes: one line that says what to change, before anything is allocated."""

import tracemalloc

import numpy as np
import pytest
from families import dependent, make
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.learners import scores
from cutpoint.learners.constraint import pc_g2
from cutpoint.learners.kgv import kgv
from cutpoint.learners.sizes import MOST_LEVELS, check_memory, counted

SMALL = np.array([[0, 1], [1, 0], [1, 1]])
INT64 = np.iinfo(np.int64)


@given(
    highest=st.sampled_from([0, 1, 2, MOST_LEVELS - 1, MOST_LEVELS, 10**6, 2**31 - 1, 2**31, 2**40, 2**62, INT64.max]),
    more=st.sampled_from([0, 1, 10**6, 2**31, 2**40, 2**62]),
    lowest=st.sampled_from([0, 0, 0, -1, INT64.min]),
)
def test_codes_and_cardinalities_of_any_size_are_counted_or_refused_in_one_line(highest, more, lowest):
    codes = np.array([[lowest, 0], [highest, 1], [0, 1]])
    levels = np.array([min(highest + 1 + more, INT64.max), 2])
    legal = lowest == 0 and levels[0] <= MOST_LEVELS
    scores.bdeu(SMALL, np.array([2, 2])).family(1, [0])  # kernels are loaded before memory is counted
    pc_g2(SMALL, np.array([2, 2]))
    tracemalloc.start()
    for call in (lambda: scores.bdeu(codes, levels).family(1, [0]), lambda: pc_g2(codes, levels).score_calls):
        if legal:
            assert np.isfinite(call())
        else:
            with pytest.raises(InputError, match=r"^[^\n]+$"):
                call()
    assert tracemalloc.get_traced_memory()[1] < 2e7
    tracemalloc.stop()


def test_public_functions_tell_levels_that_are_too_many():
    with pytest.raises(InputError, match=r"cardinalities: column 1 has 4611686018427387904 levels, and 65536 is the"):
        cp.score(SMALL, np.zeros((2, 2), bool), "bdeu", cardinalities=[2**62, 2])
    wide = np.column_stack([np.arange(10**5), np.arange(10**5) % 2])
    for call in (lambda: cp.hill_climb(wide), lambda: cp.score(wide, np.zeros((2, 2), bool), "bic")):
        with pytest.raises(InputError, match=r"column 1 has 100000 levels.*merge levels, or leave the column out"):
            call()
    with pytest.raises(InputError, match="65536 is the most"):
        cp.hill_climb(SMALL, cardinalities=[10**6, 2])


def test_tables_that_would_not_fit_are_told_before_they_are_made():
    codes = np.array([[0, 0], [MOST_LEVELS - 1, MOST_LEVELS - 1]])
    with pytest.raises(InputError, match="65536 and 65536 levels need about 17180 MB, and 2000 MB is the most; merge"):
        scores.bdeu(codes, np.array([MOST_LEVELS, MOST_LEVELS]))
    with pytest.raises(InputError, match="a discrete column with 100001 levels need"):
        kgv(np.array([[0.0], [1e5]]), np.array([True]))
    with pytest.raises(InputError, match="need about 2500 MB, and 2000 MB is the most; wait"):
        check_memory("things", 2_500_000_000, "wait")


@pytest.mark.parametrize("ess", [0, 5e-324, 1e-101, 1e7, 1e308])
def test_sample_sizes_that_rounding_would_spoil_are_refused(ess):
    with pytest.raises(InputError, match=r"ess: an equivalent sample size from 1e-100 to 1e\+06 is expected"):
        scores.bdeu(*dependent(0), ess=ess)


@given(ess=st.sampled_from([1e-100, 1e-9, 1.0, 1e6]), seed=st.integers(0, 5), parents=st.integers(0, 4))
def test_scores_of_extreme_sample_sizes_are_numbers(ess, seed, parents):
    score = scores.bdeu(*dependent(seed), ess=ess)
    assert np.isfinite(score.family(4, range(parents)))
    assert np.isfinite(score.gains(4, range(parents))[:4]).all()


def test_families_with_more_configurations_than_a_number_holds_have_scores():
    codes = np.random.default_rng(0).integers(0, 2, (30, 1100))
    for name in ("bdeu", "k2", "log_likelihood", "aic", "mdl"):
        score = getattr(scores, name)(codes, np.full(1100, 3))
        value = score.family(0, np.arange(1, 1100))
        assert np.isfinite(value), name


@given(
    seed=st.integers(0, 1000),
    rows=st.sampled_from([1, 2, 63, 64, 65, 200, 3000]),
    wide=st.sampled_from([3, 17, 90, 700]),
)
def test_sets_tables_and_sorted_records_give_the_same_gains(seed, rows, wide):
    """One variable with many levels is counted record by record, the same with few by sets of records."""
    rng = np.random.default_rng(seed)
    codes, levels = dependent(seed, rows)
    parents = rng.permutation(4)[: rng.integers(0, 4)]
    for kind in ("bdeu", "bic", "k2"):
        score = getattr(scores, kind)(codes, levels)
        padded = np.append(levels, wide)  # the last column has one level in all records: a parent without effect
        with_wide = getattr(scores, kind)(np.column_stack([codes, np.zeros(rows, int)]), padded)
        assert np.allclose(score.gains(4, parents), with_wide.gains(4, parents)[:5], atol=1e-9, equal_nan=True)
        for child, others in ((5, [0, 1]), (0, [5, 1])):
            gains = with_wide.gains(child, others)
            base = with_wide.family(child, others)
            for x in range(6):
                if x != child:
                    toggled = sorted({*others} ^ {x})
                    assert gains[x] == pytest.approx(with_wide.family(child, toggled) - base, abs=1e-8)


def test_counted_codes_are_the_codes():
    codes, levels = counted(np.array([[0, 5], [MOST_LEVELS - 1, 2]]), np.array([MOST_LEVELS, 6]))
    assert (codes.dtype, levels.dtype) == (np.uint16, np.int64)
    assert codes.flags.f_contiguous
    assert codes.tolist() == [[0, 5], [65535, 2]]


@pytest.mark.parametrize("kind", ["kgv", "gaussian"])
def test_records_in_blocks_give_the_same_scores(kind, monkeypatch):
    from cutpoint.learners import kgv as module

    whole = make(kind, rows=300)
    monkeypatch.setattr(module, "_BLOCK", 400)
    parts = make(kind, rows=300)
    assert np.array_equal(whole.starts, parts.starts)
    assert np.allclose(whole.correlation, parts.correlation, atol=1e-10)


def test_correlations_in_blocks_are_the_same(rng, monkeypatch):
    from cutpoint.learners import constraint

    values = np.cumsum(rng.standard_normal((100, 6)), axis=1) * 10.0 ** np.arange(6)
    values[:, 2] = 7
    whole = constraint.correlations(values)
    monkeypatch.setattr(constraint, "_BLOCK", 60)
    assert np.allclose(constraint.correlations(values), whole, atol=1e-14)
