"""The rules of Sturges, Scott, and Freedman and Diaconis against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.discretization.histogram_rules import freedman_diaconis, scott, sturges

RULES = {"sturges": sturges, "scott": scott, "fd": freedman_diaconis}


def columns(seed, records):
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(records)
    return [normal, np.exp(normal), np.round(normal), np.where(normal > 0.5, normal, 0.0), 1e9 + normal]


@pytest.mark.parametrize("rule", RULES)
@given(seed=st.integers(0, 2**32), records=st.integers(2, 300))
def test_edges_are_those_of_numpy(rule, seed, records):
    for x in columns(seed, records):
        edges = np.histogram_bin_edges(x, rule)[1:-1] if np.ptp(x) else np.empty(0)
        if len(edges) < 60:
            np.testing.assert_allclose(RULES[rule](x[:, None], np.array([False]))[0], edges, rtol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_there_are_at_most_max_levels_of_equal_width(rule):
    x = np.append(np.linspace(0, 1, 400), 1e9)
    (cuts,) = RULES[rule](x[:, None], np.array([False]), max_levels=5)
    if rule != "sturges":
        assert len(np.histogram_bin_edges(x[:-1], rule)) > 6
    np.testing.assert_allclose(cuts, [2e8, 4e8, 6e8, 8e8])
