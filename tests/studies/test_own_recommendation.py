"""Which method is recommended for own data, against counting by hand, and when none is."""

from itertools import combinations

import numpy as np
import pytest
import synthetic_own
from hypothesis import given
from hypothesis import strategies as st
from test_own_study import HIGH, LOW, MIDDLE, gains_of, rows

from cutpoint import advice
from cutpoint.bench.engine.inputs import Method
from cutpoint.bench.engine.show import figures_of
from cutpoint.bench.studies.own import recommendation as own
from cutpoint.bench.studies.own.outcomes import Outcome
from cutpoint.graphs.frequencies import edge_frequencies

NAMES = ("equal_frequency", "hartemink", "bach")  # the last of them has no thresholds


def three(gains, methods=NAMES):
    """Inputs of three methods with some gains on the folds."""
    made = synthetic_own.inputs(6)
    chosen = [m for m in made.methods if m.name in methods]
    return gains_of(made.with_metrics(made.metrics, methods=chosen), gains)


def labels(inputs):
    return [one.method.name for one in own.candidates(inputs)]


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=2, max_size=6))
def test_stability_against_pairs_of_graphs(drawn):
    graphs = np.zeros((len(drawn), 4, 4), bool)
    graphs[:, *np.triu_indices(4, 1)] = drawn
    both = sum(int((a & b).sum()) for a, b in combinations(graphs, 2))
    either = sum(int((a | b).sum()) for a, b in combinations(graphs, 2))
    found = own.stability(edge_frequencies(graphs))
    assert np.isnan(found) if not either else found == pytest.approx(both / either)


def test_stability_of_one_resample_and_of_none_is_unknown():
    for shares in (edge_frequencies(np.ones((1, 3, 3), bool)), None):
        assert np.isnan(own.stability(shares))
        assert np.isnan(own.stability_error(shares))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_error_of_stability_against_many_draws_of_independent_edges(seed):
    rng = np.random.default_rng(seed)
    often = np.zeros((6, 6))
    often[np.triu_indices(6, 1)] = rng.choice([0.0, 0.2, 0.6, 0.9, 1.0], 15)
    drawn = [edge_frequencies(rng.random((60, 6, 6)) < often) for _ in range(300)]
    spread_of_draws = np.std([own.stability(one) for one in drawn])
    assert np.mean([own.stability_error(one) for one in drawn]) == pytest.approx(spread_of_draws, rel=0.12)
    assert own.stability_error(edge_frequencies(np.ones((60, 3, 3), bool))) == 0  # always the same edges


def test_a_method_that_is_surely_better_than_all_others_is_taken_whatever_else():
    made = three([LOW, HIGH, MIDDLE])
    assert labels(made) == ["hartemink", "bach", "equal_frequency"]
    assert [one.equal for one in own.candidates(made)] == [True, False, False]


def of(name, stability=0.8, error=0.01, gains=HIGH, seconds=1.0, equal=True, cuts=True):
    """A candidate of which only what the rule looks at is known."""
    found = Outcome(Method(name, name.title(), ""), None, [] if cuts else None, "ok")
    return own.Candidate(0, found, np.array(gains), equal, stability, error, seconds)


def taken_of(*shown):
    return [one.method.name for one in own.ordered(shown)]


def test_among_equals_thresholds_come_first_then_stability():
    assert taken_of(of("bach", 0.95, cuts=False), of("cheap", 0.7, seconds=0.1), of("stable", 0.8)) == [
        "stable",
        "cheap",
        "bach",
    ]


def test_of_graphs_whose_stability_is_not_told_apart_the_higher_mean_is_taken_and_not_the_cheaper():
    better = [0.02 + gain for gain in HIGH]
    assert taken_of(of("cheap", seconds=0.1), of("better", gains=better)) == ["better", "cheap"]
    assert taken_of(of("cheap", error=0, seconds=0.1), of("better", error=0, gains=better)) == ["better", "cheap"]
    # 0.03 is two errors of a difference of 0.014, but not of 0.028
    for error, order in ((0.01, ["stable", "better"]), (0.02, ["better", "stable"])):
        assert taken_of(of("stable", 0.83, error), of("better", 0.8, error, better)) == order


def test_of_equal_stability_and_means_the_cheaper_is_taken():
    nearly = np.nextafter(HIGH, 1)  # sums in another order of columns
    assert taken_of(of("dear", gains=nearly), of("cheap", 0.8 - 1e-15, seconds=0.1)) == ["cheap", "dear"]


def test_what_is_not_equal_or_not_surely_better_than_none_comes_last_by_its_mean():
    wide = [0.6, -0.2, 0.9, 0.1, 0.4]
    shown = [of("low", 0.99, gains=LOW, equal=False), of("mid", gains=MIDDLE, equal=False), of("wide", gains=wide)]
    assert taken_of(*shown, of("first", 0.1)) == ["first", "wide", "mid", "low"]


@given(st.data())
def test_the_order_of_choice_depends_on_neither_the_order_nor_the_names_of_methods(data):
    # of what two runs measure no two CPU times are the same
    times = data.draw(st.lists(st.integers(1, 99), min_size=2, max_size=6, unique=True))
    stable, errors = st.sampled_from([np.nan, 0.5, 0.55, 0.6, 0.9]), st.sampled_from([0.0, 0.02, 0.1])
    flags = st.booleans()
    rows = [
        (data.draw(stable), data.draw(errors), data.draw(st.sampled_from([HIGH, MIDDLE])), time, True, data.draw(flags))
        for time in times
    ]
    moved = data.draw(st.permutations(range(len(rows))))
    found = taken_of(*(of(str(i), *row) for i, row in enumerate(rows)))
    again = taken_of(*(of(f"m{99 - i}", *rows[i]) for i in moved))
    assert [f"m{99 - int(name)}" for name in found] == again


def test_the_choice_is_told_with_its_rule():
    made = three([HIGH, HIGH, HIGH])
    assert labels(made)[-1] == "bach"
    alike = [
        {**row, "method": name} for row in made.edges.query("method == 'bach'").to_dict("records") for name in NAMES
    ]
    tied = three([HIGH, np.add(HIGH, 0.001), HIGH])
    tied = tied.with_metrics(tied.metrics, edges=alike)
    assert len({(one.stability, one.error) for one in own.candidates(tied)}) == 1
    cost = {one.method.name: one.seconds for one in own.candidates(tied)}
    assert labels(tied)[0] == "hartemink"
    assert cost["hartemink"] > cost["equal_frequency"]


def test_a_discretization_that_is_as_good_as_a_direct_method_is_taken_and_the_other_named():
    made = three([LOW, [0.5, 0.5, 0.53, 0.52, 0.5], HIGH])
    assert labels(made) == ["hartemink", "bach", "equal_frequency"]


def test_a_direct_method_that_wins_alone_names_the_best_with_thresholds():
    made = three([LOW, MIDDLE, HIGH])
    assert own.taken(made).method.name == "bach"
    assert own.model(made).method.name == "hartemink"


@pytest.mark.parametrize("gains", [[0.1, -0.1, 0.2, -0.1, 0.05], [-0.1, -0.11, -0.1, -0.12, -0.1]])
def test_nothing_is_recommended_where_no_graph_is_surely_better_than_none(gains):
    made = three([gains, np.subtract(gains, 0.01), gains])
    assert own.taken(made) is None
    assert own.model(made) is None
    shown = figures_of("own")["figure_recommendation"](made)
    assert any("do not tell" in text.get_text() for text in shown.texts)


def test_of_equals_one_is_taken_that_is_surely_better_than_none():
    wide = [0.6, -0.2, 0.9, 0.1, 0.4]  # as good as the others, and perhaps no better than none
    for gains in ([HIGH, wide, MIDDLE], [wide, HIGH, MIDDLE]):
        made = three(gains)
        assert all(one.equal for one in own.candidates(made) if one.method.name != "bach")
        assert own.taken(made).gain[0] == pytest.approx(np.mean(HIGH))


def test_the_table_has_the_order_and_the_paired_differences():
    made = three([LOW, HIGH, MIDDLE])
    found = rows(made, "table_recommendation")
    assert [*found] == ["hartemink", "bach", "equal_frequency"]
    assert [row["No worse for sure"].reproduced for row in found.values()] == ["yes", "no", "no"]
    assert found["hartemink"]["Behind the highest"].reproduced == "highest"
    assert found["bach"]["Behind the highest"].reproduced == pytest.approx(np.subtract(HIGH, MIDDLE).mean())
    assert [row["Thresholds"].reproduced for row in found.values()] == ["yes", "no", "yes"]


def test_methods_that_failed_are_left_out_and_named():
    made = synthetic_own.inputs(6, 4, failed=[0], broken=[1])
    assert {made.methods[0].name, made.methods[1].name}.isdisjoint(labels(made))
    found = rows(made, "table_recommendation")
    assert len(found) == 2


def test_the_advice_for_data_like_these_stands_beside_what_was_measured():
    made = three([LOW, HIGH, MIDDLE])
    about = own.data(made)
    found = advice.advice_on(about.values, about.discrete, advice.read_advice())
    cells = rows(made, "table_expected").values()
    assert [cell["Answer"].reproduced for cell in cells] == [answer for _, answer, _ in found.rows()]
