"""Compiled steps between equivalence classes against the functions for all graphs and patterns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import random_dag

from cutpoint.graphs import patterns
from cutpoint.kernels import classes


@given(st.integers(0, 12), st.sampled_from([0.1, 0.3, 0.6, 0.9]), st.integers(0, 10**6))
def test_patterns_and_extensions_are_those_of_any_graph(n, density, seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, density)
    pattern = classes.cpdag(dag)
    np.testing.assert_array_equal(pattern, patterns.cpdag(dag))
    changed = pattern.copy()
    for i, j in rng.integers(n, size=(2, 2)) if n else ():
        changed[i, j] ^= i != j
    for pdag in (pattern, changed):
        expected, exact = patterns.consistent_extension(pdag)
        extension, found, order = classes.extension(pdag)
        assert found == exact
        if exact:
            np.testing.assert_array_equal(extension, expected)
            assert not np.triu(extension[np.ix_(order, order)]).any()


@pytest.mark.parametrize("n", [100, 300])
def test_large_graphs(n):
    dag = random_dag(np.random.default_rng(n), n, 3 / n)
    pattern = classes.cpdag(dag)
    np.testing.assert_array_equal(pattern, patterns.cpdag(dag))
    np.testing.assert_array_equal(classes.extension(pattern)[0], patterns.consistent_extension(pattern)[0])
