"""Which method is recommended for own data, against counting by hand, and when none is."""

from itertools import combinations

import numpy as np
import pytest
import synthetic_own
from hypothesis import given
from hypothesis import strategies as st
from test_own_study import ANSWERS, HIGH, LOW, MIDDLE, gains_of, rows

from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.plots.recommended import spread
from cutpoint.studies.own import recommendation as own
from cutpoint.studies.show import figures_of

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
    assert np.isnan(own.stability(edge_frequencies(np.ones((1, 3, 3), bool))))
    assert np.isnan(own.stability(None))


def test_a_method_that_is_surely_better_than_all_others_is_taken_whatever_else():
    made = three([LOW, HIGH, MIDDLE])
    assert labels(made) == ["hartemink", "bach", "equal_frequency"]
    text = ANSWERS["discretization"](made)
    assert text.startswith("Your data: take Hartemink. ")
    assert "by 0.51 [0.50, 0.53] nats per record better" in text
    assert text.endswith("All others are surely worse.")


def test_among_equals_thresholds_come_first_then_stability_then_cost():
    made = three([HIGH, HIGH, HIGH])
    stable = {one.method.name: one.stability for one in own.candidates(made)}
    order = sorted(NAMES[:2], key=lambda name: -stable[name])
    assert labels(made) == [*order, "bach"]
    assert "400 records do not tell the 3 methods apart" in ANSWERS["discretization"](made)
    alike = [{**row, "method": name} for row in made.edges if row["method"] == "bach" for name in NAMES]
    tied = three([HIGH, HIGH, HIGH])
    tied = tied.with_metrics(tied.metrics, edges=alike)
    assert labels(tied) == ["equal_frequency", "hartemink", "bach"]  # the cheaper first
    assert len({one.stability for one in own.candidates(tied)}) == 1


def test_a_discretization_that_is_as_good_as_a_direct_method_is_taken_and_the_other_named():
    made = three([LOW, [0.5, 0.5, 0.53, 0.52, 0.5], HIGH])
    assert labels(made) == ["hartemink", "bach", "equal_frequency"]
    assert "Not surely worse: Bach (Bach with the highest mean, 0.51); of such equals" in ANSWERS["discretization"](
        made
    )


def test_a_direct_method_that_wins_alone_names_the_best_with_thresholds():
    made = three([LOW, MIDDLE, HIGH])
    text = ANSWERS["discretization"](made)
    assert text.startswith("Your data: take Bach. ")
    behind = np.subtract(HIGH, MIDDLE)
    assert f"Hartemink is the best, {behind.mean():.2f} [" in text
    assert own.model(made).method.name == "hartemink"


@pytest.mark.parametrize("gains", [[0.1, -0.1, 0.2, -0.1, 0.05], [-0.1, -0.11, -0.1, -0.12, -0.1]])
def test_nothing_is_recommended_where_no_graph_is_surely_better_than_none(gains):
    made = three([gains, np.subtract(gains, 0.01), gains])
    assert own.taken(made) is None
    assert own.model(made) is None
    assert ANSWERS["discretization"](made).startswith("Your data do not tell which method to take")
    assert "400 records are too few" in ANSWERS["discretization"](made)
    shown = figures_of("own")["figure_recommendation"](made)
    assert any("do not tell" in text.get_text() for text in shown.texts)


def test_of_equals_one_is_taken_that_is_surely_better_than_none():
    wide = [0.6, -0.2, 0.9, 0.1, 0.4]  # as good as the others, and perhaps no better than none
    for gains in ([HIGH, wide, MIDDLE], [wide, HIGH, MIDDLE]):
        made = three(gains)
        assert all(one.equal for one in own.candidates(made) if one.method.name != "bach")
        assert own.taken(made).gain[0] == pytest.approx(np.mean(HIGH))
        assert "Not surely worse: " in ANSWERS["discretization"](made)


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


@given(st.lists(st.floats(-100, 100), max_size=8).map(sorted), st.floats(0.1, 10))
def test_numbers_are_spread_apart(places, gap):
    moved = spread(np.array(places), gap)
    assert len(moved) == len(places)
    assert (np.diff(moved) >= gap * (1 - 1e-6)).all()
    if places and (np.diff(places) >= gap).all():
        np.testing.assert_allclose(moved, places)
