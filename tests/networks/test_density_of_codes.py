"""The density of values that stand for codes, against sums over all codes one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm, truncnorm

from cutpoint.bench.simulation.density import around_codes, inside_intervals, log_density
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.networks.network import Network, network, sample


def small(rng, n=4):
    """A random network of up to 3 states and 2 parents, the variables in an order of their own."""
    order, sizes = rng.permutation(n), rng.integers(2, 4, n)
    parents = [()] * n
    for place, i in enumerate(order):
        chosen = rng.permutation(order[:place])[: rng.integers(0, 3)]
        parents[i] = tuple(int(j) for j in chosen)
    tables = [rng.dirichlet(np.ones(sizes[i]), [sizes[j] for j in parents[i]]) for i in range(n)]
    states = tuple(tuple(map(str, range(r))) for r in sizes)
    return Network("small", tuple("abcd"[:n]), states, tuple(parents), tuple(tables))


def slow(source, record, density):
    total = 0.0
    for codes in product(*(range(len(states)) for states in source.states)):
        share = 1.0
        for i, code in enumerate(codes):
            share *= source.tables[i][(*(codes[j] for j in source.parents[i]), code)] * density(i, code, record[i])
        total += share
    return np.log(total)


@given(seed=st.integers(0, 2**32))
def test_sums_over_all_codes(seed):
    rng = np.random.default_rng(seed)
    source = small(rng)
    values = rng.normal(1, 2, (300 if seed % 5 == 0 else 3, 4))
    found = log_density(source, around_codes(values, source.cardinalities.tolist(), 0.4))
    for record, number in zip(values[-3:], found[-3:], strict=True):
        assert number == pytest.approx(slow(source, record, lambda i, code, x: norm.pdf(x, code, 0.4)))


@pytest.mark.parametrize("options", [{}, {"sd": (0.1, 0.5)}, {"shapes": (0.5, 4.0)}], ids=str)
def test_values_in_intervals(options, rng):
    source = small(rng)
    intervals = draw_intervals(source.cardinalities, rng, **options)

    def density(i, code, x):
        each = intervals[i]
        low, high = each.edges[code : code + 2]
        if not low <= x < high:
            return 0.0
        if not options:
            return 1 / (high - low)
        if "shapes" in options:
            return beta.pdf((x - low) / (high - low), *each.shapes[:, code]) / (high - low)
        mean, spread = each.means[code], each.sds[code]
        return truncnorm.pdf(x, (low - mean) / spread, (high - mean) / spread, mean, spread)

    values = in_intervals(sample(source, 20, 1), intervals, rng)
    found = log_density(source, inside_intervals(values, intervals))
    np.testing.assert_allclose(found, [slow(source, record, density) for record in values])
    beyond = values[:1] * 0 + 1e6
    assert log_density(source, inside_intervals(beyond, intervals)).tolist() == [-np.inf]


def test_the_density_of_two_variables_has_mass_1(rng):
    source = small(rng, 2)
    grid = np.linspace(-3, 5, 161)
    values = np.array([*product(grid, grid)])
    found = log_density(source, around_codes(values, source.cardinalities.tolist(), 0.35))
    assert np.exp(found).sum() * (grid[1] - grid[0]) ** 2 == pytest.approx(1, abs=1e-6)


def test_a_large_network_is_no_obstacle():
    alarm = network("alarm")
    values = sample(alarm, 5, 1) + 0.1
    assert np.isfinite(log_density(alarm, around_codes(values, alarm.cardinalities.tolist(), 0.35))).all()
