"""Tables and figures of the Steck study on rows that its golden files do not have, and some cells by hand."""

from dataclasses import replace

import pytest
from cutpoint.bench.studies.steck2007 import learned
from synthetic_steck import MAKERS, METHODS, data, inputs, runs, shares

from cutpoint.bench.engine.inputs import Method
from cutpoint.bench.engine.show import figures_of, tables_of
from cutpoint.bench.plots.circles import circle

TABLES, FIGURES = tables_of("steck2007"), figures_of("steck2007")


@pytest.fixture(scope="module")
def made():
    return inputs()


def cell(table, key, column):
    (row,) = [r for r in table.rows if r.key == key]
    return row.cells[table.columns.index(column)]


def words(figure):
    return " ".join(" ".join(t.get_text().split()) for t in figure.findobj(lambda a: hasattr(a, "get_text")))


def test_what_is_printed_of_optimised_thresholds_stands_beside_no_other_ones(made):
    """Also at a scale that has no data sets of five clusters."""
    without = [row for row in MAKERS["clusters"](2) if row["clusters"] != 5]
    for each in (made, inputs(experiments={"clusters": without})):
        table = TABLES["table_2"](each)
        assert {row.cells[2].published for row in table.rows} == {None}
        assert cell(table, "5", "greedy optimum").published == cell(table, "5", "exact optimum").published == 783.9
    assert {c.reason for row in table.rows for c in row.cells} == {"not run at this scale"}


def test_figure_3_says_when_clusters_are_separated(made):
    assert "at most 2 % of the records on the wrong side" in words(FIGURES["figure_3"](made))


@pytest.mark.parametrize(
    ("count", "text"), [(32, "32 genes, without the mating type"), (33, "32 genes, with the mating type")]
)
def test_the_yeast_data_are_described_by_their_columns(count, text):
    yeast = replace(data("hartemink"), variables=tuple(f"V{i}" for i in range(count)))
    rows = runs(dataset="hartemink")
    found = inputs(rows=rows, datasets={"hartemink": yeast}, edges=[])
    assert learned.about(found) == f"Data: yeast gene expression of the paper, {text}."
    assert text in " ".join(TABLES["table_6"](found).notes)
    assert text in words(FIGURES["figure_6"](found))


def test_the_cell_with_the_most_samples_makes_the_composite_graph():
    few = [{**row, "any": 0.1} for row in shares(samples=100, cell="sachs-jackknife30")]
    assert learned.composite_graph(inputs(edges=few + shares())) == learned.composite_graph(inputs())


def test_a_method_of_the_user_leaves_the_figures_as_they_are(made):
    rows = runs() + [{**row, "method": "mine"} for row in runs() if row["method"] == "steck_both"]
    mine = inputs(rows=rows, methods=[*METHODS, Method("mine", "Mine", "other")])
    assert TABLES["table_6"](mine).rows == TABLES["table_6"](made).rows
    assert "Mine" not in words(FIGURES["figure_6"](mine))


def test_neighbours_stand_together_on_the_circle():
    pairs = [("a", "d"), ("b", "e"), ("c", "f")]
    order = circle("abcdef", pairs)
    assert sorted(order) == list("abcdef")
    assert all((order.index(x) - order.index(y)) % 6 in (1, 5) for x, y in pairs)
