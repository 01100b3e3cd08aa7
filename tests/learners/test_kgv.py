"""KGV against full Gram matrices, and what must not change it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.kgv import kgv


def dense_features(column, discrete, width=0.8, tolerance=0.01):
    if discrete:
        gram = (column[:, None] == column).astype(float)
    else:
        standard = (column - column.mean()) / column.std()
        gram = np.exp(-((standard[:, None] - standard) ** 2) / (2 * width**2))
    centring = np.eye(column.size) - 1 / column.size
    eigenvalues, vectors = np.linalg.eigh(centring @ gram @ centring)
    return vectors[:, eigenvalues >= tolerance * column.size]


def dense_score(values, discrete, child, parents, **options):
    features = [dense_features(values[:, v], discrete[v], **options) for v in (child, *parents)]
    joint = np.column_stack(features)
    d_child = features[0].shape[1]
    others = joint[:, d_child:]
    ratio = np.linalg.slogdet(joint.T @ joint)[1] - np.linalg.slogdet(others.T @ others)[1]
    return -(len(values) * ratio + d_child * others.shape[1] * math.log(len(values))) / 2


def mixed(seed, records=60):
    """Two continuous chains and a discrete column that depends on them."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(records)
    b = np.sin(2 * a) + 0.5 * rng.standard_normal(records)
    c = rng.standard_t(2, records)
    d = np.searchsorted([-0.7, 0.9], b + 0.3 * rng.standard_normal(records)).astype(float)
    e = c * a + rng.standard_normal(records)
    return np.column_stack([a, b, c, d, e]), np.array([False, False, False, True, False])


FAMILIES = [(0, ()), (1, (0,)), (3, (1,)), (4, (0, 2)), (1, (0, 3)), (2, (4,)), (0, (1, 4)), (3, (0, 1))]


@pytest.mark.parametrize(
    ("seed", "far", "options"), [(0, 1, {}), (1, 1, {"width": 1.5, "tolerance": 0.03}), (3, 1e3, {})]
)
def test_families_equal_those_of_full_gram_matrices(seed, far, options):
    values, discrete = mixed(seed)
    values[:3, 0] *= far
    score = kgv(values, discrete, **options)
    for child, parents in FAMILIES:
        expected = dense_score(values, discrete, child, parents, **options)
        assert score.family(child, parents) == pytest.approx(expected, abs=1e-4)


def test_columns_without_variation_are_legal():
    values, discrete = mixed(0)
    values[:, 0], values[:, 3] = 0.1, 2.0
    score = kgv(values, discrete)
    assert score.dimensions[0] == score.dimensions[3] == 0
    assert score.family(0, [1]) == score.family(1, [0]) == score.family(1, [3]) == 0
    assert score.gains(0, [])[1] == 0
    assert score.gains(1, [0])[0] == 0
    assert score.family(1, [0, 2]) == score.family(1, [2])


def test_duplicated_columns_give_large_finite_scores():
    values, discrete = mixed(1, records=300)
    doubled, flags = np.column_stack([values, values, -values[:, 0]]), np.append(np.tile(discrete, 2), False)
    score = kgv(doubled, flags)
    assert 1e4 < score.family(5, [0]) < 1e5
    assert score.family(5, [0]) == pytest.approx(score.family(0, [5]), rel=1e-6)
    for parents in ([0, 5], [0, 5, 10], list(range(10))):
        assert np.isfinite(score.family(10 if 10 not in parents else 1, parents))
        assert np.isfinite(np.delete(score.gains(1, [p for p in parents if p != 1]), 1)).all()
    assert hill_climbing(score, max_steps=500).dag[[0, 5], [5, 0]].any()


@pytest.mark.parametrize("records", [3, 15, 300])
def test_searches_end_among_columns_that_determine_one_another(records):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        values = rng.standard_normal((records, 5)) @ np.triu(rng.uniform(-1, 1, (5, 5)))
        near = values[:, :2] + 1e-5 * rng.standard_normal((records, 2))
        levels = np.searchsorted([-0.5, 0.5], values[:, [0, 0]]).astype(float)
        values = np.column_stack([values, values[:, 0] ** 2, near, levels])
        score = kgv(values, np.arange(10) >= 8)
        dag = hill_climbing(score, max_steps=300).dag
        for child in range(10):
            parents = np.flatnonzero(dag[:, child])
            for x, gain in enumerate(score.gains(child, parents)):
                if x != child:
                    toggled = np.setxor1d(parents, [x])
                    difference = score.family(child, toggled) - score.family(child, parents)
                    assert gain == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("size", [1e200, 1e-200, 5e-310])
def test_numbers_of_any_size_have_the_same_score(size):
    values, discrete = mixed(3)
    values = np.round(values * 4096) / 4096  # so that a product with a tiny number loses little
    ordinary, moved = kgv(values, discrete), kgv(np.where(discrete, values, values * size), discrete)
    assert moved.correlation.shape == ordinary.correlation.shape
    np.testing.assert_allclose(moved.correlation, ordinary.correlation, atol=1e-6)
    assert hill_climbing(moved).dag.sum() > 0


@given(child=st.integers(0, 4), chosen=st.sets(st.integers(0, 4), max_size=4), records=st.integers(12, 300))
def test_few_records_pay_more_for_a_parent(child, chosen, records):
    values, discrete = mixed(2, records=records)
    plain, parents = kgv(values, discrete), sorted(chosen - {child})
    score, d = plain.corrected(), plain.dimensions
    left = records - d[parents].sum() - d[child] - 2
    more = d[parents].sum() * d[child] * math.log(records) / 2 * (records / max(left, 0.1) - 1)
    assert score.family(child, parents) == pytest.approx(plain.family(child, parents) - more)
    for x in {*range(5)} - {child}:
        toggled = score.family(child, np.setxor1d(parents, [x]).astype(int)) - score.family(child, parents)
        assert score.gains(child, parents)[x] == pytest.approx(toggled, abs=1e-6)
