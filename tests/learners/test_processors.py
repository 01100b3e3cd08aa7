"""Graphs do not depend on the processor: not on the order in which its linear algebra adds up."""

import on_processor
import pytest

# What rounding may change in a family at most: 1e-6 a record.
ABSOLUTE = 1e-6 * on_processor.RECORDS


@pytest.fixture(scope="module")
def learned():
    """What is learned on each family of processors that can be had here."""
    families = on_processor.FAMILIES
    if reason := next(filter(None, map(on_processor.lacking, families)), None):
        pytest.skip(f"{reason}, to compare what is learned on {' and '.join(families)}")
    return [on_processor.learned_on(family) for family in families]


@pytest.mark.parametrize("score", ["kgv", "gaussian_bic", "degenerate_gaussian", "conditional_gaussian", "bge"])
def test_two_processors_learn_one_graph(learned, score):
    one, other = ({k: v for k, v in each.items() if k.startswith(f"{score},")} for each in learned)
    assert one
    assert {k: graph for k, (graph, _) in one.items()} == {k: graph for k, (graph, _) in other.items()}
    assert [total for _, total in one.values()] == pytest.approx(
        [total for _, total in other.values()], abs=6 * ABSOLUTE
    )
