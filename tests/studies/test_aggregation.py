"""Groups of neighbouring values by DL_local: all discretizations by brute force, and Tran's search among them."""

import math

import numpy as np
import policy_twins as twin
import pytest
from cutpoint.bench.studies.tran2013.aggregation import Aggregation, discretizations

from cutpoint.base.errors import InputError


def case(seed, rows=80, levels=(5, 3, 2, 3)):
    rng = np.random.default_rng(seed)
    n, levels = len(levels), np.array(levels)
    dag = np.triu(rng.random((n, n)) < 0.6, 1)
    order = rng.permutation(n)
    codes = rng.integers(0, levels, (rows, n))
    codes[:, 1] = (codes[:, 0] + codes[:, 1]) % levels[1]
    return codes, levels, dag[np.ix_(order, order)]


def length(aggregation, keep):
    """Return DL_local of one discretization."""
    kept = discretizations(len(aggregation.values))
    return aggregation.lengths()[(kept == keep).all(1).argmax()]


def grouped(keep, levels):
    """Return the thresholds of a discretization of variable 0, all other variables as they are."""
    return [(np.flatnonzero(keep) + 0.5).tolist(), *((np.arange(r - 1) + 0.5).tolist() for r in levels[1:])]


def full_length(codes, thresholds, dag, i):
    """(3.13) with r parameters for each configuration, as Table 5.1 is printed."""
    r = [len(t) + 1 for t in thresholds]
    more = sum(math.prod(r[p] for p in twin.parents_of(dag, j)) for j in [i, *twin.children_of(dag, i)])
    return twin.local_length(codes.tolist(), thresholds, dag, i) + math.log(len(codes)) / 2 * more


@pytest.mark.parametrize("seed", range(8))
def test_all_lengths_are_those_of_the_formula(seed):
    codes, levels, dag = case(seed)
    free = Aggregation(codes, levels, dag, 0)
    full = Aggregation(codes, levels, dag, 0, base=2.0, parameters="full")
    for keep, one, other in zip(discretizations(5), free.lengths(), full.lengths(), strict=True):
        thresholds = grouped(keep, levels)
        assert one == pytest.approx(twin.local_length(codes.tolist(), thresholds, dag, 0), abs=1e-8)
        assert other == pytest.approx(full_length(codes, thresholds, dag, 0) / math.log(2), abs=1e-8)


@pytest.mark.parametrize("parameters", ["free", "full"])
@pytest.mark.parametrize("seed", range(8))
def test_one_pass_compares_single_removals_with_the_full_list(seed, parameters):
    codes, levels, dag = case(seed, rows=300)
    aggregation = Aggregation(codes, levels, dag, 0, parameters=parameters)
    whole = length(aggregation, np.ones(4, bool))
    expected = [length(aggregation, np.arange(4) != j) > whole + 1e-7 for j in range(4)]
    assert aggregation.one_pass().tolist() == expected


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weight", [1.0, 1e4])
def test_the_shortest_discretizations_are_those_of_smallest_length(seed, weight):
    codes, levels, dag = case(seed, rows=200)
    aggregation = Aggregation(codes, levels, dag, 0, weight=weight)
    lengths = aggregation.lengths()
    # equals differ by rounding alone, others by much more than the bound
    expected = lengths - lengths.min() < 1e-3
    assert [aggregation.is_shortest(keep) for keep in discretizations(5)] == expected.tolist()
    assert not expected.all()


def test_removal_one_after_the_other_keeps_the_smallest_length_on_the_way():
    for seed in range(8):
        aggregation = Aggregation(*case(seed, rows=120), 0)
        way = [np.ones(4, bool)]
        while way[-1].any():
            shorter = [way[-1] & (np.arange(4) != j) for j in np.flatnonzero(way[-1])]
            way.append(min(shorter, key=lambda keep: length(aggregation, keep)))
        kept = aggregation.iterated()
        assert length(aggregation, kept) == pytest.approx(min(length(aggregation, keep) for keep in way), abs=1e-8)


def test_weights_are_repeated_records():
    codes, levels, dag = case(4)
    weighted = Aggregation(codes, levels, dag, 0, weight=3.0)
    repeated = Aggregation(np.repeat(codes, 3, axis=0), levels, dag, 0)
    np.testing.assert_allclose(weighted.lengths(), repeated.lengths())
    np.testing.assert_array_equal(weighted.one_pass(), repeated.one_pass())
    np.testing.assert_array_equal(weighted.iterated(), repeated.iterated())


def test_values_that_do_not_occur_have_no_thresholds():
    codes, levels, dag = case(5)
    codes[codes[:, 0] == 2, 0] = 3
    aggregation = Aggregation(codes, levels, dag, 0)
    assert aggregation.values.tolist() == [0, 1, 3, 4]
    assert aggregation.one_pass().shape == aggregation.iterated().shape == (3,)
    assert len(aggregation.lengths()) == 8
    codes[:, 0] = 1
    alone = Aggregation(codes, levels, dag, 0)
    assert alone.one_pass().shape == alone.iterated().shape == (0,)
    assert alone.lengths().shape == (1,)


def test_all_discretizations_are_listed_once_and_the_last_keeps_all():
    kept = discretizations(5)
    assert len({row.tobytes() for row in kept}) == len(kept) == 16
    assert kept[-1].all()
    assert discretizations(1).shape == (1, 0)
    with pytest.raises(InputError, match="too many"):
        discretizations(17)
    with pytest.raises(InputError, match="'free'"):
        Aggregation(*case(0), 0, parameters="some")
