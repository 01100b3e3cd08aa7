"""Figures of own data: texts overlap nowhere, and lines say what they should."""

import numpy as np
import pytest
import synthetic_own
from boxes import overlap_area
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.tables import make_figure
from cutpoint.bench.plots import densities
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.patterns import cpdag

FAILED = 3  # place of a method


def beyond(figure):
    """The numbers of ticks that are not drawn, as they are out of view."""
    labels = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            labels |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    return labels


def overlapping(figure):
    """Pairs of texts of a figure that overlap."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)  # legends find their place only now
    # slanted names stand side by side: their boxes tell nothing
    texts = [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible() and not t.get_rotation() % 90]
    hidden = beyond(figure)
    texts = [t for t in texts if t not in hidden]
    boxes = np.array([t.get_tightbbox(renderer).extents for t in texts])
    common = np.triu(overlap_area(boxes, boxes, -2.0), 1)
    return [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(common > 0)], boxes


MANY = pytest.param(40, True, (2, 9), marks=pytest.mark.slow)


@pytest.mark.parametrize(("n", "truth", "failed"), [(5, False, ()), (12, True, (FAILED,)), MANY])
@pytest.mark.parametrize("name", declared("own").figures)
def test_texts_of_figures_do_not_overlap(name, n, truth, failed):
    figure = make_figure(synthetic_own.inputs(n, truth=truth, failed=failed, resamples=4), name)
    pairs, boxes = overlapping(figure)
    assert pairs == []
    wide, high = figure.get_size_inches() * figure.dpi
    assert boxes[:, :2].min() > -1
    assert boxes[:, 2].max() < wide + 1
    assert boxes[:, 3].max() < high + 1


def test_the_matrix_of_edges_has_every_true_edge():
    inputs = synthetic_own.inputs(12, truth=True, failed=[FAILED], resamples=4)
    (axes,) = make_figure(inputs, "figure_confidence").axes
    assert [label.get_text() for label in axes.get_xticklabels()][:2] == ["True graph", "Mean"]
    true = cpdag(inputs.networks["mine"].dag)
    arrows = [text.get_text() for text in axes.texts if text.get_position()[0] == 0.5]
    assert len(arrows) == skeleton(true).sum() // 2
    assert sum(arrow == "\u2013" for arrow in arrows) == (true & true.T).sum() // 2


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_the_view_of_a_histogram_holds_the_middle_half(values):
    values = np.array(values)
    low, high = densities.view(values)
    assert low < high
    first, third = np.quantile(values, [0.25, 0.75])
    assert low <= first <= third <= high
    if np.ptp(values) > 0:
        assert values.min() <= low
        assert high <= values.max()
