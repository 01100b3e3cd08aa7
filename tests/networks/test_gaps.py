"""Missing cells come as often and where the mechanism says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.simulation.gaps import with_gaps

RECORDS = 20_000


def gapped(mechanism, share, n=4, columns=0.5, seed=0):
    values = np.random.default_rng(seed).normal(size=(RECORDS, n))
    return values, with_gaps(values, np.random.default_rng(seed), mechanism=mechanism, share=share, columns=columns)


@given(st.sampled_from(["mcar", "mar"]), st.floats(0, 0.5), st.integers(2, 6), st.floats(0.05, 1), st.integers(0, 99))
def test_as_many_columns_and_cells_as_asked_for(mechanism, share, n, columns, seed):
    values, gappy = gapped(mechanism, share, n, columns, seed)
    holes = np.isnan(gappy)
    np.testing.assert_array_equal(gappy[~holes], values[~holes])
    count = holes.any(axis=0).sum()
    assert count <= min(max(round(columns * n), 1), n - 1)
    shares = holes.mean(axis=0)[holes.any(axis=0)]
    np.testing.assert_allclose(shares, share, atol=5 * 0.5 / np.sqrt(RECORDS))  # 5 standard deviations


def test_completely_at_random_says_nothing_of_other_columns_and_at_random_does():
    for mechanism in ("mcar", "mar"):
        values, gappy = gapped(mechanism, 0.3)
        holes = np.isnan(gappy)
        (full,) = [np.flatnonzero(~holes.any(axis=0))]
        for i in np.flatnonzero(holes.any(axis=0)):
            apart = [values[holes[:, i], k].mean() - values[~holes[:, i], k].mean() for k in full]
            if mechanism == "mcar":
                assert np.abs(apart).max() < 0.08
            else:  # the chance of a missing cell grows with one of the full columns alone
                assert max(apart) > 0.5
                assert sorted(np.abs(apart))[-2] < 0.08
            # in itself the column is not selected
            assert np.nanmean(gappy[:, i]) == pytest.approx(values[:, i].mean(), abs=0.05)


def test_the_chance_at_random_runs_from_nothing_to_twice_the_share():
    values, gappy = gapped("mar", 0.4, n=2)
    (i,) = np.flatnonzero(np.isnan(gappy).any(axis=0))
    hole = np.isnan(gappy[:, i])[np.argsort(values[:, 1 - i])].reshape(10, -1).mean(axis=1)
    np.testing.assert_allclose(hole, 0.8 * (np.arange(10) + 0.5) / 10, atol=0.06)
