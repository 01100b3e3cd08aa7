import numpy as np
import pytest

from cutpoint.encoding import encode
from cutpoint.errors import InputError
from cutpoint.networks import network, sample
from cutpoint.noise import code_thresholds, gaussian


def test_noise_is_normal_around_the_codes():
    codes = np.asfortranarray(np.tile(np.arange(4, dtype=np.int32), (50_000, 1)))
    noise = gaussian(codes, 0.35, np.random.default_rng(0)) - codes
    np.testing.assert_allclose(noise.mean(axis=0), 0, atol=5 * 0.35 / np.sqrt(50_000))
    np.testing.assert_allclose(noise.std(axis=0), 0.35, rtol=0.02)
    assert np.abs(np.corrcoef(noise.T) - np.eye(4)).max() < 0.03
    assert (np.abs(noise) < 0.35 * 1.959964).mean() == pytest.approx(0.95, abs=0.005)


def test_values_are_contiguous_columns_of_floats_and_the_same_for_a_seed():
    codes = sample(network("asia"), 100, 1)
    values = gaussian(codes, 0.35, np.random.default_rng(5))
    assert values.dtype == np.float64
    assert values.shape == (100, 8)
    assert values.flags.f_contiguous
    np.testing.assert_array_equal(values, gaussian(codes, 0.35, np.random.default_rng(5)))
    assert (values != gaussian(codes, 0.35, np.random.default_rng(6))).all()
    # column by column: the first columns do not depend on how many follow
    np.testing.assert_array_equal(values[:, :3], gaussian(codes[:, :3], 0.35, np.random.default_rng(5)))


def test_true_thresholds_recover_codes_under_small_noise():
    child = network("child")
    codes = sample(child, 1000, 2)
    thresholds = code_thresholds(child.cardinalities)
    assert [len(t) + 1 for t in thresholds] == child.cardinalities.tolist()
    assert thresholds[3].tolist() == [0.5, 1.5]
    assert code_thresholds([1])[0].size == 0
    for sigma in (0, 0.05):
        values = gaussian(codes, sigma, np.random.default_rng(0))
        np.testing.assert_array_equal(encode(values, thresholds), codes)


@pytest.mark.parametrize("sigma", [-0.1, np.nan, np.inf])
def test_bad_sigma_is_named(sigma):
    with pytest.raises(InputError, match=f"sigma must be a number of at least 0, not {sigma}$"):
        gaussian(np.zeros((2, 2), np.int32), sigma, np.random.default_rng(0))
