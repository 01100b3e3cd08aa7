"""Tables and figures of the Steck study on rows that its golden files do not have, and some cells by hand."""

import numpy as np
import pytest
from cutpoint.bench.studies.steck2007 import experiments, learned, study, toy
from synthetic import cell
from synthetic_steck import MAKERS, inputs, shares

from cutpoint.bench.engine.tables import make_table
from cutpoint.bench.plots import graphs


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
