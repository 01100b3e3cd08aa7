"""Figures of own data: texts overlap nowhere, and lines say what they should."""

import numpy as np
import pytest
import synthetic_own
from boxes import overlap_area
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.figures import make_figure
from cutpoint.bench.plots import circles, ticks
from cutpoint.bench.studies.own.outcomes import Outcome, outcomes
from cutpoint.bench.studies.own.study import panel
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.metrics import compare
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


def test_edges_are_judged_against_the_true_graph():
    inputs = synthetic_own.inputs(12, truth=True, failed=[FAILED], resamples=4)
    figure = make_figure(inputs, "figure_graphs")
    true = cpdag(inputs.networks["mine"].dag)
    assert len(figure.axes) == len(inputs.methods) + 1
    assert len(figure.axes[0].patches) == skeleton(true).sum() // 2
    for axes, each in zip(figure.axes[1:], outcomes(inputs), strict=True):
        if each.graph is None:
            assert not axes.patches
            continue
        counts = compare(each.graph, true)
        drawn = [patch.get_edgecolor()[:3] for patch in axes.patches]
        turned = ("turned", "undirected", "directed")
        counted = ((["right"], "right"), (turned, "reversed"), (["extra"], "extra"), (["missing"], "missing"))
        for kinds, count in counted:
            colours = [to_rgb(circles.KINDS[kind]["color"]) for kind in kinds]
            assert sum(any(np.allclose(c, each) for c in colours) for each in drawn) == counts[count], kinds


@pytest.mark.parametrize(
    ("directed", "there", "back", "kind"),
    [
        (True, True, False, "right"),
        (True, False, True, "turned"),
        (True, True, True, "directed"),
        (True, False, False, "extra"),
        (False, True, True, "right"),
        (False, True, False, "undirected"),
        (False, False, True, "undirected"),
        (False, False, False, "extra"),
    ],
)
def test_kinds_of_learned_edges(directed, there, back, kind):
    """An edge from the first to the second variable, learned and true."""
    method = synthetic_own.MethodLabel("m", "M", "direct")
    outcome = Outcome(method, np.array([[False, True], [not directed, False]]), None, "ok")
    drawn = panel(outcome, None, np.array([[False, there], [back, False]]))
    assert drawn.edges[0].kind == kind


@pytest.mark.parametrize("n", [1, 2, 7, 16])
def test_places_on_the_circle(n):
    rng = np.random.default_rng(n)
    edges = [circles.DrawnEdge(i, (i + 1) % n, directed=True) for i in rng.permutation(n).tolist() if n > 1]
    places = circles.places_of(n, [circles.CirclePanel("", edges)])
    np.testing.assert_allclose(np.hypot(*places.T), 1)
    for side in (places[:, 0] > 0, places[:, 0] <= 0):
        gaps = np.diff(np.sort(places[side, 1]))
        np.testing.assert_allclose(gaps, 2 / -(-n // 2))
    assert len({tuple(place) for place in places.round(9).tolist()}) == n


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40))
def test_the_view_of_a_histogram_holds_the_middle_half(values):
    values = np.array(values)
    low, high = ticks.view(values)
    assert low < high
    first, third = np.quantile(values, [0.25, 0.75])
    assert low <= first <= third <= high
    if np.ptp(values) > 0:
        assert values.min() <= low
        assert high <= values.max()
