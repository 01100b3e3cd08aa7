import numpy as np
import pytest

from cutpoint.base.errors import InputError
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.mixtures import Clustering, ruichu

pytestmark = pytest.mark.filterwarnings("error")


def case(seed=0, rows=500, n=4):
    """Columns of truncated Gaussians under the graph 1 -> 0 <- 2, 3 apart; 0 depends on 1 and 2."""
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 3, (rows, n))
    z[:, 0] = np.where(rng.random(rows) < 0.8, (z[:, 1] + z[:, 2]) % 3, z[:, 0])
    values = np.asfortranarray(1.5 * z + np.clip(rng.normal(0.75, 0.4, (rows, n)), 0, 1.49))
    dag = np.zeros((n, n), bool)
    dag[[1, 2], 0] = True
    return values, Neighbourhood(dag), [np.array([1.5, 3.0])] * n


def none_discrete(values):
    return np.zeros(values.shape[1], bool)


def test_the_blanket_tells_levels_apart_that_the_column_alone_does_not():
    rng = np.random.default_rng(4)
    z = rng.integers(0, 2, 2000)
    values = np.column_stack([rng.normal(1.5 * z, 1.0), z])
    dag = np.array([[False, True], [False, False]])
    policy = Discretization(values, [np.empty(0), np.array([0.5])])
    proposal = Clustering(values, np.array([False, True]), min_levels=1).propose(0, Neighbourhood(dag), policy)
    np.testing.assert_allclose(proposal.thresholds, [0.75], atol=0.15)
    assert ruichu(values, np.array([False, True]), min_levels=1)[0].size == 0


def test_no_proposal_when_the_codes_stay():
    values, graph, truth = case()
    policy = Discretization(values, truth)
    clustering = Clustering(values, none_discrete(values))
    first = clustering.propose(0, graph, policy)
    policy.replace(0, first.thresholds)
    assert clustering.propose(0, graph, policy).thresholds is None
    column = np.sort(values[:, 0])
    above = column[np.searchsorted(column, first.thresholds)]
    policy.replace(0, 0.5 * (first.thresholds + above))  # other thresholds, no value between the two
    assert clustering.propose(0, graph, policy).thresholds is None
    policy.replace(0, np.append(-9.0, first.thresholds))  # the same division, other codes
    np.testing.assert_array_equal(clustering.propose(0, graph, policy).thresholds, first.thresholds)


def test_an_empty_blanket_is_ruichu_by_bic():
    values, _, truth = case()
    clustering = Clustering(values, none_discrete(values))
    graph = Neighbourhood(np.zeros((4, 4), bool))
    for i, cuts in enumerate(ruichu(values, none_discrete(values), criterion="bic")):
        thresholds = clustering.propose(i, graph, Discretization(values, truth)).thresholds
        np.testing.assert_array_equal(thresholds, cuts)


def test_only_observed_configurations_count():
    values, _, truth = case(rows=300, n=40)
    dag = np.zeros((40, 40), bool)
    dag[1:, 0] = True  # 3^39 nominal configurations, each record its own
    clustering = Clustering(values, none_discrete(values))
    thresholds = clustering.propose(0, Neighbourhood(dag), Discretization(values, truth)).thresholds
    assert thresholds.size == 1
    assert np.isfinite(thresholds).all()
    # Twins of one parent add configurations that do not occur.
    twins = np.asfortranarray(values[:, [0, 1, 2, 1, 1, 2]])
    dag = np.zeros((6, 6), bool)
    dag[1:, 0] = True
    many = Clustering(twins, none_discrete(twins)).propose(0, Neighbourhood(dag), Discretization(twins, truth[:6]))
    dag[3:, 0] = False
    few = Clustering(twins, none_discrete(twins)).propose(0, Neighbourhood(dag), Discretization(twins, truth[:6]))
    np.testing.assert_array_equal(many.thresholds, few.thresholds)


def test_bad_input_is_named():
    values, _, _ = case()
    for method in (Clustering, ruichu):
        with pytest.raises(InputError, match="min_levels"):
            method(values, none_discrete(values), min_levels=9)
    values[0, 0] = np.inf
    with pytest.raises(InputError, match="infinite"):
        Clustering(values, none_discrete(values))
