import numpy as np
import policy_twins as twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.discretization.greedy import Greedy, local_and_total_rise, local_rise
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.kernels import blankets, sweep

RULES = {"friedman": sweep.FRIEDMAN, "monti": sweep.MONTI, "steck": sweep.STECK}


def case(seed, *, rows=None, **options):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 60)) if rows is None else rows
    values, thresholds, dag, discrete = twin.random_case(rng, rows=rows, ties=seed % 2 == 1, **options)
    discrete[0] = False
    if not np.array_equal(values[:, 0], values[:, 0].round()):
        return values, thresholds, dag, discrete
    mids = np.array(twin.candidates(values[:, 0].tolist()))
    thresholds[0] = mids[rng.random(len(mids)) < 0.3]
    return values, thresholds, dag, discrete


def as_lists(values, thresholds):
    return values.tolist(), [t.tolist() for t in thresholds]


class Columns:
    """The kernels' view of variable 0."""

    def __init__(self, name, values, thresholds, dag, discrete, ess):
        self.method = Greedy(values, discrete, RULES[name], ess=ess)
        self.data, self.rule, self.rows = self.method.columns, RULES[name], len(values)
        graph = Neighbourhood(dag)
        self.view = self.method.view(0, graph.families[0], Discretization(values, thresholds))
        self.parts = np.empty(len(graph.families[0]) + 1)
        # room for few values, so that the tables begin anew again and again
        self.tables = np.zeros(4), np.zeros((3, 5), np.int64), np.empty(self.rows + 2)

    def value(self, cuts):
        self.method.evaluate(0, self.view, np.array(cuts), self.parts)
        return self.parts.sum()

    def scan(self, cuts):
        """Where levels begin and end, their score as those of one more, and what the scan leaves of every record."""
        bounds, edges = self.data.levels(0, np.array(cuts))
        marks = np.zeros((bounds.size, self.view.columns[2][-1]), np.int32)
        before = sweep.count_on_grid(self.view.columns, self.rows)
        for k in range(1, bounds.size):
            sweep.mark(self.view.columns, before, marks[k], bounds[k])
        gains, scratch = np.full((2, bounds.size), sweep.STALE), (np.zeros((2, self.rows)), np.zeros(self.rows))
        start, levels = (self.rule, self.view.columns, self.method.ess, self.tables), bounds.size - 1
        most = self.data.distinct[0], self.view.slope, self.parts
        sweep.evaluate(*start, levels + 1, levels, bounds, edges, marks, *most)
        sweep.scan_levels(*start, self.data.sorted(0), levels, bounds, edges, marks, gains, scratch)
        return bounds, edges, self.parts.sum(), scratch[1]

    def values_of_candidates(self, cuts):
        """Score of the list with each further threshold, by threshold."""
        bounds, edges, base, differences = self.scan(cuts)
        places = [p for p in self.data.candidates(0) if p not in bounds]
        gains = [self.gain(p, bounds, edges, differences) for p in places]
        return dict(zip(self.data.cuts(0, np.array(places, int)).tolist(), base + np.array(gains), strict=True))

    def gain(self, p, bounds, edges, differences):
        """What the threshold before record p adds, from the differences of the records."""
        k = int(np.searchsorted(bounds, p)) - 1
        first, last, low, high = bounds[k], bounds[k + 1], edges[k], edges[k + 1]
        gain = differences[first:p].sum()
        if self.rule == sweep.MONTI:
            (cut,) = self.data.cuts(0, np.array([p]))
            gain += (last - first) * np.log(high - low)
            gain -= (p - first) * np.log(cut - low) + (last - p) * np.log(high - cut)
        return gain


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("seed", range(8))
def test_every_candidate_of_every_level(name, seed):
    values, thresholds, dag, discrete = case(seed, arcs=0.3 + 0.05 * seed)
    ess = 1.0 if seed % 3 else 4.0
    fast = Columns(name, values, thresholds, dag, discrete, ess)
    rows, lists = as_lists(values, thresholds)

    def score(cuts):
        return twin.local_score(name, rows, [cuts, *lists[1:]], dag, 0, ess, discrete)

    constant = fast.value(lists[0]) - score(lists[0])
    candidates = fast.values_of_candidates(lists[0])
    assert sorted([*candidates, *lists[0]]) == pytest.approx(twin.candidates([v[0] for v in rows]))
    for t, value in candidates.items():
        assert value - constant == pytest.approx(score(sorted([*lists[0], t])), rel=1e-10, abs=1e-8)
    assert fast.value([]) - constant == pytest.approx(score([]), rel=1e-10, abs=1e-8)


def grown_by_scanning_all(fast, most):
    """The greedy list and its calls when every level is scanned in every round."""
    cuts, calls, score = np.empty(0), 0, fast.value([])
    while len(cuts) + 1 < most:
        values = fast.values_of_candidates(cuts)
        inside = [t for t in values if fast.rule != sweep.FRIEDMAN or not len(cuts) or fast.low < t < fast.high]
        calls += len(inside)
        best = max(values.values(), default=-np.inf)
        if not best > score + 1e-6:
            break
        cut, score = min(t for t, value in values.items() if value > best - sweep.TIE), best
        fast.low, fast.high = max(cuts[cuts < cut], default=-np.inf), min(cuts[cuts > cut], default=np.inf)
        cuts = np.sort(np.append(cuts, cut))
    return cuts, calls


@given(seed=st.integers(0, 10**6), name=st.sampled_from(list(RULES)), ess=st.sampled_from([0.1, 1.0, 30.0]))
def test_passing_over_runs_and_levels_changes_no_list(seed, name, ess):
    rng = np.random.default_rng(seed)
    values, thresholds, dag, discrete = case(seed, rows=int(rng.integers(100, 1500)), arcs=0.6)
    fast = Columns(name, values, thresholds, dag, discrete, ess)
    grown, calls = fast.method.grow(0, fast.view, Discretization(values, thresholds), max_levels=8)
    cuts, expected = grown_by_scanning_all(fast, min(8, int(fast.data.distinct[0])))
    np.testing.assert_array_equal(fast.data.cuts(0, grown), cuts)
    assert calls == expected


@given(seed=st.integers(0, 10**6), share=st.floats(0, 1))
def test_counts_from_the_grid_are_those_of_all_records(seed, share):
    values, thresholds, dag, discrete = case(seed, rows=1 + seed % 2000, arcs=0.6)
    fast = Columns("steck", values, thresholds, dag, discrete, 1.0)
    (cells, _, firsts, _, _, _), stop = fast.view.columns, int(share * fast.rows)
    counts = np.full(firsts[-1], -1, np.int32)
    sweep.mark(fast.view.columns, sweep.count_on_grid(fast.view.columns, fast.rows), counts, stop)
    for c, size in enumerate(np.diff(firsts)):
        own = np.zeros(stop, int) if size == 1 else cells[c, :stop]
        assert counts[firsts[c] : firsts[c + 1]].tolist() == np.bincount(own, minlength=size).tolist()


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_the_greedy_list_and_its_acceptance(name, seed):
    values, thresholds, dag, discrete = case(100 + seed, rows=(20, 24)[seed % 2], arcs=0.6)
    rows, lists = as_lists(values, thresholds)
    accepts = local_and_total_rise if name == "monti" else local_rise
    method = Greedy(values, discrete, RULES[name], accepts)
    for i in np.flatnonzero(~discrete)[:2]:
        expected, calls = twin.greedy(name, rows, lists, dag, i, 1.0, discrete)
        fresh = [expected if v == i else t for v, t in enumerate(lists)]
        rise = [
            twin.local_score(name, rows, t, dag, i, 1.0, discrete) if name != "friedman"
            else -twin.description_length(rows, t, dag, discrete)
            for t in (lists, fresh)
        ]  # fmt: skip
        better = rise[1] > rise[0] + 1e-6
        if name == "monti":
            total = [twin.monti(rows, t, dag, 1.0, discrete) for t in (lists, fresh)]
            better = better and total[1] > total[0] + 1e-6
        policy, graph = Discretization(values, thresholds), Neighbourhood(dag)
        for _ in range(2):  # the second time it is looked up
            proposal = method.propose(int(i), graph, policy)
            assert proposal.calls == calls
            assert (proposal.thresholds is not None) == better
            if better:
                np.testing.assert_allclose(proposal.thresholds, expected)


@pytest.mark.parametrize("name", RULES)
def test_more_cells_than_are_counted_densely(name):
    rng = np.random.default_rng(5)
    values = rng.standard_normal((50, 9))
    thresholds = [np.quantile(x, np.arange(1, 7) / 7) for x in values.T]
    dag = np.zeros((9, 9), bool)
    dag[1:6, 0] = dag[0, 6] = dag[7:, 6] = True
    discrete = np.zeros(9, bool)
    fast = Columns(name, values, thresholds, dag, discrete, 1.0)
    rows, lists = as_lists(values, thresholds)
    constant = fast.value([]) - twin.local_score(name, rows, [[], *lists[1:]], dag, 0, 1.0, discrete)
    for t, value in list(fast.values_of_candidates(lists[0]).items())[::5]:
        expected = twin.local_score(name, rows, [sorted([*lists[0], t]), *lists[1:]], dag, 0, 1.0, discrete)
        assert value - constant == pytest.approx(expected, rel=1e-10)


def test_levels_are_capped_and_a_capped_round_scores_nothing():
    x = np.linspace(0, 1, 200)
    values = np.column_stack([x, x])
    dag = np.array([[False, True], [False, False]])
    policy = Discretization(values, [np.empty(0), np.linspace(0.1, 0.9, 9)])
    free = Greedy(values, np.zeros(2, bool), sweep.STECK).propose(0, Neighbourhood(dag), policy)
    capped = Greedy(values, np.zeros(2, bool), sweep.STECK, max_levels=3).propose(0, Neighbourhood(dag), policy)
    assert len(free.thresholds) > 2
    assert len(capped.thresholds) == 2
    assert capped.calls == 199 + 198


def test_ties_go_to_the_lowest_threshold():
    values = np.column_stack([np.arange(8.0), [0, 0, 1, 1, 1, 1, 0, 0]])
    dag = np.array([[False, True], [False, False]])
    discrete = np.array([False, True])
    policy = Discretization(values, [np.empty(0), np.array([0.5])])
    fast = Columns("friedman", values, policy.thresholds, dag, discrete, 1.0)
    gains = fast.values_of_candidates([])
    assert gains[1.5] == pytest.approx(gains[5.5])
    x, steps = np.arange(4.0), np.array([1.0, 1e-12, -1, 0])
    assert sweep.best_of(sweep.FRIEDMAN, x, steps, 0, 4, 0.0, 3.0)[0] == 1


@given(st.one_of(st.floats(max_value=1e-101), st.floats(min_value=1.1e9), st.just(np.nan)))
def test_sample_sizes_without_digits_are_refused(ess):
    with pytest.raises(InputError, match=r"ess: an equivalent sample size from 1e-100 to 1e\+09 is expected, got"):
        Greedy(np.arange(4.0)[:, None], np.array([False]), sweep.STECK, ess=ess)


@given(st.integers(1, 10**30))
def test_a_cap_of_levels_takes_no_memory_of_its_own(most):
    values = np.column_stack([np.arange(40.0), np.arange(40) % 4])
    policy = Discretization(values, [np.empty(0), np.arange(3) + 0.5])
    graph = Neighbourhood(np.array([[False, True], [False, False]]))
    proposal = Greedy(values, np.array([False, True]), sweep.MONTI, max_levels=most).propose(0, graph, policy)
    assert proposal.thresholds is None or len(proposal.thresholds) < min(most, 40)


def first_seen(*columns):
    """Number the rows by first occurrence."""
    numbers = {}
    return [numbers.setdefault(row, len(numbers)) for row in zip(*columns, strict=True)]


@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([1, 2, 30]), st.sampled_from([3, 40, 10**7]))
@settings(max_examples=30)
def test_cells_are_split_the_same_with_few_levels_and_many(seed, rows, size, levels):
    rng = np.random.default_rng(seed)
    source, codes = rng.integers(0, size, rows).astype(np.uint32), rng.integers(0, levels, rows).astype(np.int32)
    codes[rng.random(rows) < 0.5] = 1
    order, target = rng.permutation(rows).astype(np.int32), np.empty(rows, np.uint32)
    count = blankets.refine(source, size, codes, levels, order, target)
    expected = first_seen(source.tolist(), codes[order].tolist())
    assert blankets.compact(target, count) == max(expected) + 1
    assert target.tolist() == expected


def test_cells_times_levels_may_exceed_an_integer_and_memory():
    rows, levels = 140_000, 70_000  # of which the square exceeds 2^32, and a table of so many would take 39 GB
    rng = np.random.default_rng(0)
    codes = rng.permutation(rows).astype(np.int32)
    order, cells = np.arange(rows, dtype=np.int32), np.zeros(rows, np.uint32)
    size = blankets.refine(cells, 1, codes // 2, levels, order, cells)
    size = blankets.refine(cells, size, codes % 3, levels, order, cells)
    expected = first_seen((codes // 2).tolist(), (codes % 3).tolist())
    assert (size, cells.tolist()) == (max(expected) + 1, expected)
