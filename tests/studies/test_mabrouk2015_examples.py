"""The examples that the Mabrouk study draws: Figures 1 and 2."""

import numpy as np
import pytest
from cutpoint.bench.studies.mabrouk2015 import examples
from cutpoint.bench.studies.mabrouk2015.examples import PLACES, arcs, reversals
from synthetic_mabrouk import Maker, inputs

from cutpoint.bench.engine.show import figures_of


def test_figure_2_has_a_place_for_every_node_and_leaves_x_without_children():
    before, *_, after = map(arcs, reversals().values())
    assert {name for pair in before + after for name in pair} == set(PLACES)
    assert ("X", "V") in before
    assert ("V", "X") in after
    assert not [pair for pair in after if pair[0] == "X"]


@pytest.mark.parametrize("seed", range(3))
def test_clustering_finds_the_clusters_and_entropy_does_not(seed):
    sample = examples.sample(seed)
    found = examples.thresholds(sample)
    np.testing.assert_allclose(examples.shares(sample, found["entropy"]), 1 / 3, atol=0.001)
    np.testing.assert_allclose(examples.shares(sample, found["clustering"]), list(examples.WEIGHTS.values()), atol=0.03)
    np.testing.assert_allclose(found["clustering"], [1.5, 2.5], atol=0.2)


def test_both_figures_need_no_runs():
    made = inputs(Maker(), scale="quick", networks=())
    texts = {
        name: [t.get_text() for t in figures_of("mabrouk2015")[name](made).findobj(lambda a: hasattr(a, "get_text"))]
        for name in ("figure_1", "figure_2")
    }
    assert sum("(expected 1/" in text for text in texts["figure_1"]) == 6
    (said,) = [text for text in texts["figure_2"] if "largest difference" in text]
    assert float(said.split(":")[-1].split()[0]) < 1e-12
