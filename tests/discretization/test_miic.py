"""MIIC: its lists against all lists, its information against the definition, and what patterns it finds."""

import math
from itertools import chain, combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import log_complexity

from cutpoint.base.checking import read_yaml
from cutpoint.discretization.miic import RISE, Blocks, Information, LeveledCodes, miic

SIZES = {"records": st.integers(2, 24), "seed": st.integers(0, 2**32)}


def sizes(*codes):
    """Return how many records each configuration that occurs has."""
    return [list(zip(*codes, strict=True)).count(each) for each in set(zip(*codes, strict=True))]


def entropy(*codes):
    """Return N times the entropy, nats."""
    return sum(-n * math.log(n / len(codes[0])) for n in sizes(*codes))


def choices(k, m):
    """Return what k thresholds of m candidates take, which does not fall with k."""
    return max(math.log(math.comb(m, fewer)) for fewer in range(k + 1))


def slow_information(x, y, thresholds, candidates):
    """Return I' of two lists of codes; thresholds and candidates are those of the two, None of a discrete one."""
    n, (r_x, r_y) = len(x), (max(codes) + 1 for codes in (x, y))
    cost = sum(log_complexity(m, r_y) for m in sizes(x)) - log_complexity(n, r_y)
    cost += sum(log_complexity(m, r_x) for m in sizes(y)) - log_complexity(n, r_x)
    taken = sum(choices(k, m) for k, m in zip(thresholds, candidates, strict=True) if m is not None)
    return entropy(x) + entropy(y) - entropy(x, y) - cost / 2 - taken


def slow_length(target, others, thresholds, candidates):
    """Return the length of the code of a variable given others, and of their thresholds."""
    conditions = others or [[0] * len(target)]
    length = entropy(target, *conditions) - entropy(*conditions)
    length += sum(log_complexity(m, max(target) + 1) for m in sizes(*conditions))
    return length + sum(choices(k, m) for k, m in zip(thresholds, candidates, strict=True))


def all_codes(x):
    """Return the codes of all lists of thresholds of a column."""
    values = sorted(set(x))
    lists = chain.from_iterable(combinations(values[1:], k) for k in range(len(values)))
    return [([sum(v >= cut for cut in cuts) for v in x], len(cuts)) for cuts in lists]


def columns_of(seed, records, n):
    """Return n columns of few values, each following the one before it."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 5, records)]
    for _ in range(n - 1):
        columns.append(np.where(rng.random(records) < 0.2, rng.integers(0, 5, records), (columns[-1] * 2) % 5))
    return [column.astype(float) for column in columns]


def measured(columns, discrete=()):
    return Information([Blocks(x, i in discrete, 100) for i, x in enumerate(columns)], 100)


@settings(max_examples=25, deadline=None)
@given(**SIZES)
def test_no_other_list_of_one_of_a_pair_tells_more(records, seed):
    x, y = columns_of(seed, records, 2)
    pair = measured([x, y]).pair(0, 1)
    candidates = [len(set(column)) - 1 for column in (x, y)]
    codes = [levels.codes.tolist() for levels in pair.levels]
    lists = [levels.n_levels - 1 for levels in pair.levels]
    assert pair.information == pytest.approx(slow_information(*codes, lists, candidates), abs=1e-6)
    for other, k in all_codes(x.tolist()):
        assert slow_information(other, codes[1], [k, lists[1]], candidates) <= pair.information + 2 * RISE
    for other, k in all_codes(y.tolist()):
        assert slow_information(codes[0], other, [lists[0], k], candidates) <= pair.information + 2 * RISE


@settings(max_examples=15, deadline=None)
@given(**SIZES)
def test_a_discrete_variable_keeps_its_levels(records, seed):
    x, y = columns_of(seed, records, 2)
    pair = measured([x, y], discrete={1}).pair(0, 1)
    assert pair.levels[1].codes.tolist() == np.unique(y, return_inverse=True)[1].tolist()
    best = max(
        slow_information(other, pair.levels[1].codes.tolist(), [k, None], [len(set(x)) - 1, None])
        for other, k in all_codes(x.tolist())
    )
    assert pair.information == pytest.approx(best, abs=1e-5)


@settings(max_examples=15, deadline=None)
@given(**SIZES)
def test_one_other_variable_explains_as_well_as_the_best_list_of_all_and_two_as_well_as_their_turns(records, seed):
    columns = columns_of(seed, records, 4)
    information = measured(columns)
    target = information.pair(0, 1).levels[0].codes.tolist()
    every = [all_codes(x.tolist()) for x in columns]
    candidates = [len(set(x)) - 1 for x in columns]

    def length(others, chosen):
        codes, lists = zip(*chosen, strict=True)
        return slow_length(target, list(codes), lists, [candidates[v] for v in others])

    one = information._explanation((0, 1), 0, (2,))
    assert -one.worth == pytest.approx(min(length((2,), [each]) for each in every[2]), abs=1e-5)
    two = information._explanation((0, 1), 0, (2, 3))
    held = [(levels.codes.tolist(), levels.n_levels - 1) for levels in two.levels]
    assert -two.worth == pytest.approx(length((2, 3), held), abs=1e-6)
    for first, second in [*product(every[2], held[1:]), *product(held[:1], every[3])]:
        assert length((2, 3), [first, second]) >= -two.worth - 2 * RISE
    saved = [
        information._explanation((0, 1), t, (2, 3)).worth - information._explanation((0, 1), t, (2, 3, 1 - t)).worth
        for t in (0, 1)
    ]
    assert information.conditional(0, 1, (2, 3)) == pytest.approx(-sum(saved) / 2)
    assert max(saved) <= 0  # no threshold at all is among the lists


def eight_columns(records):
    """Return five continuous columns, one of them independent and one of tied values, and three discrete ones."""
    rng = np.random.default_rng(records)
    a, independent, *e = rng.standard_normal((6, records))
    linear, square = a + 0.8 * e[0], a**2 + 0.5 * e[1]
    tied = np.round(3 * (linear + 0.5 * e[2]))
    three = np.digitize(a + 0.7 * e[3], [-0.7, 0.5])
    four = np.where(rng.random(records) < 0.5, three, rng.integers(0, 4, records))
    columns = [a, linear, square, independent, tied, three, four, linear > 0.5]
    most = AUTHORS["most"][records]
    return Information([Blocks(x.astype(float), i > 4, most) for i, x in enumerate(columns)], 30), columns


AUTHORS = read_yaml(Path(__file__).parent / "miic_authors.yaml")


def levels_between(x, cuts):
    """Return the levels of a column with so many of its smallest records before each cut; None keeps all values."""
    bounds = np.unique(x)[:-1] if cuts is None else np.sort(x)[np.array(cuts, int) - 1]
    return LeveledCodes(np.searchsorted(bounds, x), len(bounds) + 1)


@pytest.mark.parametrize(("records", "x", "y", "published", "cuts_x", "cuts_y"), AUTHORS["pairs"])
def test_information_under_the_authors_thresholds_is_theirs(records, x, y, published, cuts_x, cuts_y):
    information, columns = eight_columns(records)
    ours = information.value(x, y, levels_between(columns[x], cuts_x), levels_between(columns[y], cuts_y))
    assert ours == pytest.approx(published, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize(("records", "x", "y", "published"), [row[:4] for row in AUTHORS["pairs"]])
def test_our_thresholds_tell_nearly_as_much_as_the_authors_or_more(records, x, y, published):
    information, _ = eight_columns(records)
    assert information.pair(x, y).information > 0.85 * published - RISE


@pytest.mark.parametrize(("records", "x", "y", "z", "published"), AUTHORS["triples"])
def test_information_of_discrete_variables_given_another_is_the_authors(records, x, y, z, published):
    information, _ = eight_columns(records)
    assert max(0.0, information.conditional(x, y, (z,))) == pytest.approx(published, rel=1e-10)


def test_variables_without_anything_in_common_have_no_edge():
    values = np.random.default_rng(2).standard_normal((500, 12))
    assert not miic(values, np.zeros(12, bool)).cpdag.any()


@pytest.mark.parametrize("records", [20, 30, 50])
def test_few_pairs_of_short_columns_without_anything_in_common_tell_of_each_other(records):
    rng = np.random.default_rng(records)
    columns = [Blocks(x, False, round(5 * records ** (1 / 3))) for x in rng.standard_normal((20, records))]
    information = Information(columns, 30)
    dependent = [information.pair(*pair).information > RISE for pair in combinations(range(20), 2)]
    assert np.mean(dependent) < 0.05  # 0.24 to 0.98 where ln C(m, r - 1) falls to 0


def chain_and_collider(records=3000):
    """Return a -> b -> c with a square and b -> d <- e, of which e is discrete, and the pattern."""
    rng = np.random.default_rng(3)
    a, e, *noise = rng.standard_normal((5, records))
    b = a + 0.3 * noise[0]
    c = b**2 + 0.3 * noise[1]
    e = (e > 0).astype(float)
    d = b + 3 * e + 0.3 * noise[2]
    pattern = np.zeros((5, 5), bool)
    for i, j in ((0, 1), (1, 0), (1, 2), (2, 1), (1, 3), (4, 3)):
        pattern[i, j] = True
    return np.column_stack([a, b, c, d, e]), np.arange(5) == 4, pattern


def test_a_chain_that_is_not_monotone_and_a_collider_with_a_discrete_parent():
    values, discrete, pattern = chain_and_collider()
    assert np.array_equal(miic(values, discrete).cpdag, pattern)


@settings(max_examples=8, deadline=None)
@given(order=st.permutations(range(5)))
def test_neither_the_order_of_the_columns_nor_what_their_ranks_leave_open_matters(order):
    values, discrete, _ = chain_and_collider(400)
    learned = miic(values, discrete)
    turned = np.column_stack([np.exp(values[:, i]) if k % 2 else 3 * values[:, i] for k, i in enumerate(order)])
    moved = miic(turned, discrete[np.array(order)])
    assert np.array_equal(moved.cpdag, learned.cpdag[np.ix_(order, order)])
    assert moved.score_calls == learned.score_calls


def test_constant_columns_and_single_records_have_no_edge():
    values = np.column_stack([np.arange(30.0), np.ones(30), np.arange(30.0)])
    assert not miic(values, np.zeros(3, bool)).cpdag[1].any()
    assert not miic(values[:1], np.zeros(3, bool)).cpdag.any()
