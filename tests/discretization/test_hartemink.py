"""Hartemink's discretization against a slow twin and what must not matter."""

import numpy as np
import pytest
from policy_twins import information

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.hartemink import hartemink
from cutpoint.kernels.hartemink import entropy_table


def merged(codes, j, level):
    codes = codes.copy()
    codes[:, j] -= codes[:, j] > level
    return codes


def slow(codes, discrete, bins):
    """Merge as the text says, all mutual informations from contingency tables each time."""
    n = codes.shape[1]

    def total(rows):
        return sum(information(rows.tolist(), i, [j]) for i in range(n) for j in range(i)) / len(rows)

    for count in range(codes.max(), bins - 1, -1):  # levels that are left after the round
        for j in np.flatnonzero(~discrete & (codes.max(axis=0) >= count)):
            kept = [total(merged(codes, j, level)) for level in range(codes[:, j].max())]
            best = next(level for level, mi in enumerate(kept) if mi >= max(kept) - 1e-7)
            codes = merged(codes, j, best)
    return codes


def ranks(values):
    return np.stack([np.unique(x, return_inverse=True)[1] for x in values.T], 1)


def random_table(rng, records):
    """Return columns that depend on each other, with many ties, few or none, and which are discrete."""
    N, n = rng.integers(2, records), rng.integers(1, 6)
    hidden = rng.normal(size=(N, 1))
    values = hidden * rng.choice([0, 1, 3], n) + rng.normal(size=(N, n))
    for j, digits in enumerate(rng.choice([0, 1, 8], n)):
        values[:, j] = values[:, j].round(digits)
    discrete = rng.random(n) < 0.25
    return np.where(discrete, ranks(values.round()), values), discrete


def codes_of(values, discrete, **options):
    return encode(values, hartemink(values, discrete, **options))


@pytest.mark.parametrize(("tables", "records"), [(30, 20), pytest.param(2, 70, marks=pytest.mark.slow)])
def test_levels_are_those_of_the_slow_twin(tables, records):
    rng = np.random.default_rng(0)
    for _ in range(tables):
        values, discrete = random_table(rng, records)
        bins = int(rng.integers(1, 5))
        assert np.array_equal(codes_of(values, discrete, bins=bins), slow(ranks(values), discrete, bins))


def test_initial_levels_are_those_of_equal_frequency():
    rng = np.random.default_rng(5)
    for _ in range(10):
        values, discrete = random_table(rng, 40)
        start = encode(values, equal_frequency(values, discrete, bins=6))
        expected = slow(ranks(start), discrete, 3)
        codes = codes_of(values, discrete, initial=6)
        assert np.array_equal(np.where(discrete, ranks(codes), codes), expected)


def test_the_table_of_m_ln_m_is_near_and_keeps_products():
    f = entropy_table(3000, 2.0**38)
    m = np.arange(1, 3001)
    np.testing.assert_allclose(f[1:] / 2.0**38, m * np.log(m), rtol=1e-10)
    assert f[0] == f[1] == 0
    assert all(f[a * b] == a * f[b] + b * f[a] for a, b in [(2, 2), (6, 35), (50, 60), (11, 13)])


@pytest.mark.parametrize("bins", [40, 10**9, 10**30])
def test_more_levels_than_values_keep_all_of_them(bins):
    values = np.random.default_rng(3).normal(size=(40, 3))
    assert [len(cuts) for cuts in hartemink(values, np.zeros(3, bool), bins=bins)] == [39] * 3
