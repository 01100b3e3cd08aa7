"""Tables and figures of the Steck study on rows that its golden files do not have, and some cells by hand."""

import pytest
from cutpoint.bench.studies.steck2007 import learned
from synthetic import cell
from synthetic_steck import MAKERS, inputs, shares

from cutpoint.bench.engine.tables import make_table
from cutpoint.bench.plots.circles import short_order


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


def test_the_cell_with_the_most_samples_makes_the_composite_graph():
    few = [{**row, "any": 0.1} for row in shares(samples=100, cell="sachs-jackknife30")]
    assert learned.composite_graph(inputs(edges=few + shares())) == learned.composite_graph(inputs())


def test_neighbours_stand_together_on_the_circle():
    pairs = [(0, 3), (1, 4), (2, 5)]
    order = short_order(6, pairs).tolist()
    assert sorted(order) == list(range(6))
    assert all((order.index(x) - order.index(y)) % 6 in (1, 5) for x, y in pairs)
