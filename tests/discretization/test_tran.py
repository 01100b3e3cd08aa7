"""Top-down removal of thresholds against twins that count every record anew."""

import numpy as np
import policy_twins as twin
import pytest

from cutpoint.discretization import top_down
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.top_down import LocalLength, TopDown
from cutpoint.kernels.blankets import FRIEDMAN
from cutpoint.kernels.removal import removal_path

METHODS = ("onepass", "iterated")


def case(seed, rows=30, n=4, **options):
    rng = np.random.default_rng(seed)
    values, thresholds, dag, discrete = twin.random_case(rng, rows=rows, n=n, arcs=0.7, **options)
    return values, thresholds, dag, discrete


def slow_learn(name, values, thresholds, dag, i, full):
    """Return the thresholds that removal from the full list keeps, every list measured by its formula."""

    def length(cuts):
        return twin.local_length(values, [cuts if v == i else t for v, t in enumerate(thresholds)], dag, i)

    if name == "onepass":
        return [t for t in full if length([u for u in full if u != t]) > length(full) + 1e-7]
    cuts, path = list(full), [(length(full), full)]
    while cuts:
        shorter = [[u for u in cuts if u != t] for t in cuts]
        # lists of one length differ by their information alone
        lengths = [length(each) for each in shorter]
        first = lengths[0], 0
        for k, value in enumerate(lengths):
            if value < first[0] - 1e-7:
                first = value, k
        cuts = shorter[first[1]]
        path.append((first[0], cuts))
    best = min(value for value, _ in path)
    return [cuts for value, cuts in path if value <= best + 1e-7][-1]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", range(8))
def test_a_proposal_is_what_the_formulas_say(name, seed):
    values, thresholds, dag, discrete = case(seed, rows=16 + seed, n=3, ties=seed % 2 == 1, discrete=0.2)
    method = TopDown(values, discrete, FRIEDMAN, iterated=name == "iterated")
    graph, policy = Neighbourhood(dag), Discretization(values, thresholds)
    lists = [t.tolist() for t in thresholds]
    for i in np.flatnonzero(~discrete):
        full = twin.candidates(values[:, i].tolist())
        expected = slow_learn(name, values.tolist(), lists, dag, i, full)
        proposal = method.propose(int(i), graph, policy)
        k = len(full) + 1
        assert proposal.calls == (k * (k - 1) // 2 if name == "iterated" else k - 1)
        new = twin.local_length(values.tolist(), [expected if v == i else t for v, t in enumerate(lists)], dag, i)
        if new < twin.local_length(values.tolist(), lists, dag, i) - 1e-6:
            np.testing.assert_allclose(proposal.thresholds, expected)
        else:
            assert proposal.thresholds is None


def test_limits_of_levels_are_kept():
    values, _, dag, _ = case(2, rows=300, n=4, discrete=0.0)
    discrete, graph = np.zeros(4, bool), Neighbourhood(dag)
    policy = Discretization(values, equal_frequency(values, discrete, bins=3))
    few = TopDown(values, discrete, FRIEDMAN, iterated=True, start_levels=7)
    assert {few.propose(i, graph, policy).calls for i in range(4)} == {7 * 6 // 2}
    capped = TopDown(values, discrete, FRIEDMAN, iterated=True, max_levels=1)
    for i in range(4):
        positions, _ = capped.find(i, capped.view(i, graph.families[i], policy), policy)
        assert not positions.size


def test_of_equal_removals_the_lowest_goes_first_and_of_equal_lists_the_shortest_stays(monkeypatch):
    # without neighbours no removal loses anything
    values, bounds = np.arange(6.0)[:, None], np.arange(7)
    method = TopDown(values, np.zeros(1, bool), FRIEDMAN, iterated=True)
    local = LocalLength(method.view(0, ((),), Discretization(values, [np.empty(0)])), 6)
    removed = []

    def watched(*arguments):
        removed.append(removal_path(*arguments))
        return removed[-1]

    monkeypatch.setattr(top_down, "removal_path", watched)
    monkeypatch.setattr(local, "length", lambda levels, slope=None: 0.0)
    assert not local.iterated(bounds).any()
    ((thresholds, losses),) = removed
    assert thresholds.tolist() == [0, 1, 2, 3, 4]
    assert not losses.any()
