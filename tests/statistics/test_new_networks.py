"""What a comparison says about other networks: the mixed model of statsmodels, and coverage."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

from cutpoint.bench.statistics.new_networks import new_networks
from cutpoint.statistics.estimates import Estimate, jackknife


def differences(rng, networks=8, sizes=3, replicates=5, between=0.1, interaction=0.05, error=0.08):
    """Log ratios [networks, sizes, replicates] of two methods."""
    shape = networks, sizes, replicates
    values = 0.05 + rng.normal(0, between, (networks, 1, 1)) + rng.normal(0, interaction, (networks, sizes, 1))
    return values + 0.1 * np.arange(sizes)[:, None] + rng.normal(0, error, shape)


def fitted(values):
    """REML of y = size + network + network:size + error: mean over sizes, its error, variance between networks."""
    networks, sizes, replicates = values.shape
    network, size = (np.repeat(axis.ravel(), replicates) for axis in np.indices((networks, sizes)))
    fixed = np.column_stack([np.ones(len(size)), *((size == s) - 1 / sizes for s in range(1, sizes))])
    frame = pd.DataFrame({"cell": size})
    model = MixedLM.from_formula(
        "y ~ 0 + " + " + ".join(f"x{i}" for i in range(sizes)),
        frame.assign(y=values.ravel(), network=network, **{f"x{i}": fixed[:, i] for i in range(sizes)}),
        groups="network",
        re_formula="1",
        vc_formula={"size": "0 + C(cell)"},
    )
    found = model.fit(reml=True, method="lbfgs")
    return found.fe_params["x0"], found.bse_fe["x0"], float(found.cov_re.iloc[0, 0]), float(found.vcomp[0])


@pytest.mark.parametrize("seed", [2, 3])
def test_the_mixed_model_of_statsmodels(seed):
    values = differences(np.random.default_rng(seed), interaction=0.1, error=0.05)
    found = new_networks(jackknife(values[None]).mean(2)[0].estimate())
    mean, error, network, cell = fitted(values)
    assert found.mean.value == pytest.approx(mean, abs=1e-6)
    assert found.mean.error == pytest.approx(error, rel=1e-3)
    # what differs between networks in these sizes: the network, and its interaction with each size
    assert found.between == pytest.approx(np.sqrt(network + cell / 3), rel=1e-3)


def test_by_hand():
    effects = Estimate(
        np.array([[0.0, 0.2, 0.4, np.nan], [1, 1, 1, 1]]), *np.full((3, 2, 4), [[[0.1]], [[4.0]], [[5]]])
    )
    found = new_networks(effects)
    np.testing.assert_allclose(found.mean.value, [0.2, 1])
    np.testing.assert_allclose(found.mean.low[0], 0.2 - stats.t.ppf(0.975, 2) * 0.2 / np.sqrt(3))
    np.testing.assert_allclose(found.prediction.high[0], 0.2 + stats.t.ppf(0.975, 2) * 0.2 * np.sqrt(4 / 3))
    np.testing.assert_allclose(found.between, [np.sqrt(0.03), 0])
    np.testing.assert_array_equal(found.networks, [3, 4])
    assert found.mean.low[1] == pytest.approx(1 - stats.t.ppf(0.975, 3) * 0.1 / 2)  # they agree but for their errors
    equal = new_networks(Estimate(np.ones(4), np.zeros(4), np.full(4, np.nan), np.full(4, 5)))
    assert np.isnan([equal.mean.low, equal.prediction.low]).all()  # they agree exactly


def test_networks_that_agree_better_than_their_errors_allow():
    """Their spread is that of the errors: what is unsure of these networks is not surer of others."""
    close = Estimate(np.array([0.02, 0.01, 0.0, 0.01]), np.full(4, 0.04), np.full(4, 12.0), np.full(4, 5))
    found = new_networks(close)
    assert found.between == 0
    assert found.mean.error == pytest.approx(0.04 / 2)
    assert found.prediction.error == pytest.approx(0.04 * np.sqrt(1.25))
    np.testing.assert_array_equal(found.mean.freedom, 3)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 5), st.floats(0, 0.2))
def test_such_networks_are_never_surer_than_these(seed, networks, replicates, between):
    rng = np.random.default_rng(seed)
    values = jackknife(differences(rng, networks, 2, replicates, between, 0)[None]).mean(2)
    these, such = values.mean(1).estimate()[0], new_networks(values[0].estimate())
    one = such.prediction
    assert one.low <= such.mean.low <= these.low + 1e-12
    assert these.high - 1e-12 <= such.mean.high <= one.high


def test_one_network_says_nothing_of_others():
    found = new_networks(Estimate(*np.array([[0.3, np.nan], [0.1, np.nan], [4, np.nan], [5, 0]])))
    assert found.mean.value == pytest.approx(0.3)
    assert np.isnan([found.mean.low, found.prediction.low, found.between]).all()


@pytest.mark.parametrize("networks", [4, 12])
def test_intervals_for_other_networks_cover(networks):
    """The mean of all networks, and the same runs on one more; 1000 studies, a standard error of 0.007."""
    rng, hits, trials = np.random.default_rng(networks), np.zeros(2), 1000
    for _ in range(trials):
        *known, new = differences(rng, networks + 1, replicates=2)
        found = new_networks(jackknife(np.array(known)[None]).mean(2)[0].estimate())
        hits += [found.mean.low < 0.15 < found.mean.high, found.prediction.low < new.mean() < found.prediction.high]
    assert (np.abs(hits / trials - 0.95) < 0.021).all()
