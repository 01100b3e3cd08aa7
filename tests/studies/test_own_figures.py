"""Figures and models of own data: texts overlap nowhere, lines say what they should, files hold what was learned."""

from dataclasses import replace

import numpy as np
import pytest
import synthetic_own
from boxes import overlap_area
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from script_tools import script

from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.tables import make_figure
from cutpoint.bench.plots import densities
from cutpoint.bench.studies.own import models
from cutpoint.bench.studies.own.outcomes import data, outcomes
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.patterns import cpdag
from cutpoint.models.reading import read_model

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


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    inputs = synthetic_own.inputs(6)
    names = {"equal_frequency", "hartemink", "bach"}  # the last has no thresholds
    chosen = [m for m in inputs.methods if m.name in names]
    inputs = inputs.with_metrics(inputs.metrics, methods=chosen)
    folder = tmp_path_factory.mktemp("own") / "models"
    script("models").write_models(inputs, folder)
    return inputs, folder


def test_every_method_with_thresholds_has_a_file_in_every_format(written):
    inputs, folder = written
    names = [m.method.name for m in outcomes(inputs) if m.thresholds is not None]
    assert names == ["equal_frequency", "hartemink"]
    files = {f"{name}.{ending}" for name in names for ending in script("models").ENDINGS}
    assert {path.name for path in folder.iterdir()} == files


@pytest.mark.parametrize("ending", ["json", "bif"])
def test_a_file_reads_the_data_as_its_method_did(written, ending):
    inputs, folder = written
    about = data(inputs)
    for each in outcomes(inputs):
        if each.thresholds is None:
            continue
        model = read_model(folder / f"{each.method.name}.{ending}")
        codes = model.encode(models.records(about))
        for i, name in enumerate(about.variables):
            mine = codes[:, model.variables.index(name)]
            levels = [sum(x >= cut for cut in each.thresholds[i]) for x in about.values[:, i]]
            expected = about.values[:, i] if about.discrete[i] else levels
            np.testing.assert_array_equal(mine, expected)
        pairs = {frozenset((model.variables[i], model.variables[j])) for i, j in np.argwhere(model.dag)}
        assert pairs == {frozenset((about.variables[i], about.variables[j])) for i, j in np.argwhere(each.graph)}


def test_a_table_with_gaps_has_its_models_too(written, tmp_path):
    inputs, _ = written
    about = data(inputs)
    values = about.values.copy()
    values[::9, int(np.argmax(about.discrete))] = values[1::9, int(np.argmin(about.discrete))] = np.nan
    gapped = replace(inputs, datasets={"own": replace(about, values=values)})
    script("models").write_models(gapped, tmp_path / "models")
    model = read_model(tmp_path / "models" / "hartemink.json")
    assert model.records == len(values)
    assert 0.0 < model.log_likelihood(models.records(about)).std() < np.inf


def test_a_method_that_failed_has_no_file(tmp_path):
    script("models").write_models(synthetic_own.inputs(5, 2, failed=[0]), tmp_path)
    assert not [*tmp_path.glob("equal_frequency.*")]
