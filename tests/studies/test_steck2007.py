"""Tables, figures and experiments of the Steck study on rows that its golden files do not have, and by hand."""

from itertools import combinations, product
from math import lgamma, log

import numpy as np
import pytest
from cutpoint.bench.studies.steck2007 import experiments, learned, study, toy
from cutpoint.bench.studies.steck2007.experiments import EXPERIMENTS, fixed, log_density, optimum, score
from cutpoint.bench.studies.steck2007.study import PANELS, both
from cutpoint.bench.studies.steck2007.toy import EDGE, EMPTY, Toy
from synthetic import cell, lost
from synthetic_steck import MAKERS, inputs, shares

from cutpoint.bench.engine.datasets import Data
from cutpoint.bench.engine.tables import make_table
from cutpoint.bench.plots import graphs
from cutpoint.bench.runs.runner import Limits
from cutpoint.method.rows import method_of


@pytest.fixture(scope="module")
def example():
    return inputs()


def test_what_is_printed_of_optimised_thresholds_stands_beside_no_other_ones(example):
    """Also at a scale that has no data sets of five clusters."""
    without = [row for row in MAKERS["clusters"](2) if row["clusters"] != 5]
    for each in (example, inputs(experiments={"clusters": without})):
        table = make_table(each, "table_2")
        assert {row.cells[2].published for row in table.rows} == {None}
        assert cell(table, "5", "greedy optimum").published == cell(table, "5", "exact optimum").published == 783.9
    assert {c.reason for row in table.rows for c in row.cells} == {"not run at this scale"}


def test_figure_4_has_the_discretization_the_score_and_the_levels(example):
    cloud, score, levels = study.overlapping_clusters(example, title="", scale="").axes
    cuts = [
        line.get_xdata()[0] for line in cloud.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2
    ]
    assert cuts == [0.25, 0.5, 0.75]
    rows = [row for row in MAKERS["overlap"]() if row["sample"] == 0]
    for axes, column in ((score, "score"), (levels, "levels0")):
        np.testing.assert_allclose(axes.lines[0].get_ydata(), [row[column] for row in rows])


def test_extra_levels_of_a_record_each_cost_what_print_says():
    """Figure 2 has 776.5 for six levels of five clusters, and 783.9 for five."""
    data = toy.diagonal(1, 0, 5)
    five, six = experiments.quantiles(data, 5), experiments.extra_levels(data, -2)
    assert [len(cuts) for cuts in six] == [5, 5]
    assert experiments.score(data, five, 3.0) == pytest.approx(783.9, abs=0.05)
    assert experiments.score(data, six, 3.0) == pytest.approx(776.5, abs=0.5)


def test_the_cell_with_the_most_samples_makes_the_composite_graph():
    few = [{**row, "any": 0.1} for row in shares(samples=100, cell="sachs-jackknife30")]
    assert learned.composite_graph(inputs(edges=few + shares())) == learned.composite_graph(inputs())


def test_the_composite_graph_is_drawn_whole_though_it_has_a_cycle():
    pairs = {"ab": 0.9, "bc": 0.8, "ca": 0.7}
    rows = [
        {"source": start, "target": end, "directed": True, "share": share, "style": "solid"}
        for (start, end), share in pairs.items()
    ]
    (axes,) = graphs.layered("abc", rows, title="", meanings=("", "")).axes
    assert len(axes.patches) == 3 + 3
    assert {text.get_text() for text in axes.texts} == {*"abc", "90", "80", "70"}


SMALL = {
    "clusters": {"clusters": (2, 5), "levels": (4, 5), "samples": 1, "starts": 4},
    "dependence": {"samples": 2, "max_levels": 3, "starts": 2},
    "overlap": {"samples": 1, "ess": (1, 5), "max_levels": 5, "starts": 2},
    "sizes": {"samples": 2, "records": (10, 60), "ess": (1.0,), "max_levels": 4, "starts": 2},
    "invariance": {"samples": 1, "max_levels": 4, "starts": 1},
}
LIMITS = Limits(seconds=600, mb=2000)


@pytest.fixture(scope="module")
def results():
    return {name: run(1, **SMALL[name]) for name, run in EXPERIMENTS.items() if name in SMALL}


def test_the_printed_scores_of_five_clusters(results):
    by_levels = {row["levels"]: row for row in results["clusters"] if row["clusters"] == 5}
    assert by_levels[4]["exact"] == pytest.approx(649.0, abs=0.05)
    assert by_levels[5]["exact"] == pytest.approx(783.9, abs=0.05)
    assert by_levels[5]["greedy"] == by_levels[5]["quantile"] == by_levels[5]["exact"]
    assert by_levels[4]["quantile"] < by_levels[4]["greedy"] <= by_levels[4]["exact"] + 1e-9


def test_two_levels_by_panel(results):
    rows = {(row["panel"], row["variable"]): row for row in results["dependence"] if row["sample"] == 0}
    assert rows["independent", 0]["below"] == rows["independent", 1]["below"] == 150
    assert rows["independent", 0]["free"] == 1
    assert rows["dependent", 0]["wrong"] == rows["dependent", 1]["wrong"] == 0
    assert rows["dependent", 1]["below"] == 100
    assert abs(rows["low noise", 0]["below"] - 150) < 8
    assert rows["high noise", 0]["wrong"] <= 6


def test_thresholds_of_a_row_are_those_of_its_score(results):
    for row in results["overlap"]:
        cuts = [np.array(row[f"thresholds{i}"].split(), float) for i in range(2)]
        assert [len(c) + 1 for c in cuts] == [row["levels0"], row["levels1"]]
        assert score(toy.overlapping(1, row["sample"]), cuts, row["ess"]) == pytest.approx(row["score"])


def test_the_score_does_not_depend_on_the_scale_of_the_values(results):
    assert {row["change"] for row in results["invariance"]} > {"reversed", "order of the records"}
    assert max(abs(row[kind]) for row in results["invariance"] for kind in ("policy", "optimum")) < 1e-9


@pytest.mark.parametrize(("records", "ess"), [(10, 1.0), (14, 3.0)])
def test_the_optimum_is_that_of_all_policies(records, ess):
    """Against every pair of lists of at most two thresholds, scored by the formula."""
    for sample in range(4):
        data = toy.normal(5, sample, records)
        ranks = data.values.argsort(axis=0).argsort(axis=0)
        lists = [(), *((a,) for a in range(1, records)), *combinations(range(1, records), 2)]
        best = max(by_formula(ranks, first, second, ess) for first, second in product(lists, lists))
        cuts, reached = optimum(data, ess=ess, max_levels=3, starts=4)
        assert reached <= best + 1e-9
        assert reached == pytest.approx(score(data, cuts, ess))
        assert reached > best - 0.7  # one variable after the other may end beside the best pair


def by_formula(ranks, first, second, ess):
    """Return L_P of Y0 -> Y1 minus that of one level per variable (Eq. 9), cuts as ranks."""
    codes = [np.searchsorted(cuts, ranks[:, i], side="right") for i, cuts in enumerate((first, second))]
    levels = len(first) + 1, len(second) + 1
    rows = len(ranks)
    cells = np.bincount(codes[0] * levels[1] + codes[1], minlength=levels[0] * levels[1])
    prior_ = ess / (levels[0] * levels[1])
    total = lgamma(ess) - lgamma(ess + rows) + sum(lgamma(prior_ + n) - lgamma(prior_) for n in cells)
    counts = [np.bincount(code) for code in codes]
    return total - sum(lgamma(n) for each in counts for n in each) + 2 * lgamma(rows)


def test_the_score_of_independent_variables_is_best_with_equal_counts():
    data = Toy(np.random.default_rng(0).standard_normal((40, 2)) ** 3, EMPTY, np.zeros((40, 2), int))
    for levels in (2, 4, 5):
        cuts = fixed(data, levels, ess=1.0, starts=2, sample=0, seed=0)
        for i, each in enumerate(cuts):
            assert set(np.bincount(np.searchsorted(each, data.values[:, i]))) == {40 // levels}


def test_toy_data_are_what_the_paper_describes():
    all_, three = toy.diagonal(3, 1), toy.diagonal(3, 1, 3)
    assert all_.values.shape == (1000, 2)
    assert (three.values == all_.values[:300]).all()
    panels = toy.dependence(3, 0)
    assert [len(p.values) for p in panels.values()] == [300] * 4
    assert abs(np.corrcoef(panels["independent"].values.T)[0, 1]) < 0.3
    assert np.corrcoef(panels["low noise"].values.T)[0, 1] > 0.9999
    large = toy.normal(3, 0, 20_000).values
    assert np.corrcoef(large.T)[0, 1] == pytest.approx(2**-0.5, abs=0.01)
    first, other = toy.normal(3, 0, 50).values, toy.normal(3, 1, 50).values
    assert not (first == other).any()


def test_learned_graphs_of_few_records_are_counted():
    rows = EXPERIMENTS["graphs"](1, LIMITS, methods=["steck2", "steck3"], samples=3, records=(10, 100))
    assert [(row["method"], row["records"]) for row in rows] == [
        (m, n) for m in ("steck2", "steck3") for n in (10, 100)
    ]
    data = [toy.normal(1, k, 10).values for k in range(3)]
    empty = [not method_of("steck2", {}).learn(values, np.zeros(2, bool)).dag.any() for values in data]
    assert (rows[0]["status"], rows[0]["independent"], rows[0]["samples"]) == ("ok", sum(empty), 3)


def test_the_score_of_optimised_thresholds_drops_slowly_to_the_right_and_that_of_quantiles_on_both_sides():
    rows = EXPERIMENTS["clusters"](1, clusters=[4], levels=[3, 4, 5], samples=3, starts=4)
    lost = {
        kind: [np.mean([row[kind] for row in rows if row["levels"] == r]) for r in (3, 4, 5)]
        for kind in ("greedy", "exact", "quantile")
    }
    left, right = ({kind: each[1] - each[side] for kind, each in lost.items()} for side in (0, 2))
    assert max(right["greedy"], right["exact"]) < 10 < min(right["quantile"], *left.values())


def test_two_levels_have_equal_counts_or_separate_the_clusters_as_the_panels_have_it():
    run = inputs(experiments={"dependence": EXPERIMENTS["dependence"](1, samples=4, max_levels=2, starts=2)})
    assert {panel: both(run, panel, sign).mean() > 0.5 for panel, sign in PANELS.items()} == dict.fromkeys(PANELS, True)


def test_held_out_records_are_scored_by_the_posterior_and_the_finest_grid():
    values = np.array([[0.0, 0], [0.1, 0], [0.2, 1], [1.0, 1], [1.1, 0], [0.05, 1]])
    data, test = Data("toy", ("A", "B"), values, np.array([False, True])), np.arange(6) == 5
    # three training records below 0.5, of which one has code 1; the second variable has no density
    expected = log((2 + 3) / (4 + 5)) - log(3) + log((1 + 1) / (2 + 3))
    assert log_density(data, test, EDGE, [np.array([0.5])] * 2, 4.0) == pytest.approx(expected)


def real(name, **options):
    """Run an experiment on strongly dependent data, of which the first file could not be had."""
    x, noise = np.random.default_rng(0).standard_normal((2, 150))
    toy_data = Data("toy", ("A", "B"), np.column_stack([x, x + 0.05 * noise]), np.zeros(2, bool))
    sets = {"lost": lost("no file"), "toy": toy_data}
    return EXPERIMENTS[name](1, sets, LIMITS, **{"datasets": ["lost", "toy"], "methods": ["steck_both"]} | options)


def test_strong_dependence_wants_a_weak_prior():
    rows = real("ess", sizes=(2.0, 500.0), folds=3)
    assert {(row["dataset"], row["status"], row["message"]) for row in rows} == {("toy", "ok", "")}
    weak, strong = (np.mean([row["score"] for row in rows if row["ess"] == size]) for size in (2.0, 500.0))
    assert weak > strong


def test_samples_that_leave_out_one_record_give_the_graph_of_all():
    rows = real("deletes", delete=(1, 149), samples=2)
    values = {(row["delete"], row["sample"], row["what"]): row["value"] for row in rows}
    assert values[1, 0, "edges"] == values[1, 1, "edges that all records give too"] == 1
    assert values[149, 0, "edges"] == 0 < values[1, 0, "A"] - 1


@pytest.mark.parametrize(("name", "count"), [("ess", 4), ("deletes", 4)])
def test_rows_say_why_nothing_was_learned(name, count):
    options = {"ess": {"sizes": (1.0, 3.0), "folds": 2}, "deletes": {"delete": (1,), "samples": 2}}[name]
    rows = real(name, datasets=["lost"], **options)
    assert [(row["status"], row["message"]) for row in rows] == [("unavailable", "no file")] * count
    assert {row["score" if name == "ess" else "value"] for row in rows} == {None}
