"""Figures: labels apart, the same bytes every time, nothing crashes where data are missing."""

import numpy as np
import pytest
from boxes import overlap_area
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from synthetic import METHODS, Maker, inputs

from cutpoint.bench.engine.numbers import measure
from cutpoint.bench.engine.tables import lines_of, make_figure
from cutpoint.bench.plots import dots, graphs, heat, lines, style
from cutpoint.bench.plots.families import FAMILIES, OTHER, family_of
from cutpoint.plots.style import inches, settle, styled, wrapped


def cost_lines(content):
    """Lines of all methods, two panels for each family."""
    columns = measure(content, "seconds_by_n")
    drawn = lines_of(content, columns, [(float(n) / 1000, n) for n in columns if n != "mean"])
    return lines.rows_of_lines(
        [lines.LinePanel(name, drawn, name) for name in "ab"], ylabel="CPU seconds", title="", height=1.2
    )


def boxes_of(notes):
    """The boxes of labels as drawn, in pixels."""
    renderer = notes[0].figure.canvas.get_renderer()  # without the line that joins it
    return np.array([Text.get_window_extent(note, renderer).extents for note in notes])


@pytest.mark.parametrize("width", [2.2, 3.4, 5.0, 7.0])
def test_the_legend_of_families_is_not_cut_off(width):
    @styled
    def empty():
        figure, _ = style.panels(1, width=width)
        dots.families_legend(figure, [*FAMILIES, "external"])
        return figure

    figure = empty()
    (legend,) = figure.legends
    box = legend.get_window_extent(figure.canvas.get_renderer())
    assert [text.get_text() for text in legend.texts] == [f.title for f in (*FAMILIES.values(), OTHER)]
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.width


def test_lines_of_a_title_are_sentences():
    figure = style.Figure()
    for title, caption in {
        "Edges\n(of one)\nright: points.": "Edges. (of one). Right: points",
        "mean;\nthe line is 1\nNote": "mean; the line is 1. Note",
        "of both,\nmean": "of both, mean",
    }.items():
        style.titled(figure, title, "")
        assert style.caption_of(figure) == caption[:1].upper() + caption[1:]


@pytest.fixture(scope="module")
def noisy():
    return inputs(Maker(1, 0.1).simulated().sigma().real())


def named(figure):
    return [t for axes in figure.axes for t in axes.texts if t.get_gid() == "label"]


def overlaps(boxes):
    area = overlap_area(boxes, boxes)
    np.fill_diagonal(area, 0)
    return area


def crowded(seed, points=18):
    xy = np.exp(np.random.default_rng(seed).normal(0, [0.15, 0.03], (points, 2)))
    points = [dots.Point(f"Method{i}", "direct", *p) for i, p in enumerate(xy)]
    return dots.agreement([("a", points)], title="t")


@pytest.mark.parametrize("name", ["figure_V-7", "costs"])
def test_names_at_the_ends_of_lines_stand_apart_and_have_the_colour_of_their_family(noisy, name):
    figure = cost_lines(noisy) if name == "costs" else make_figure(noisy, name)
    of_panels = [notes for axes in figure.axes if (notes := [note for note in axes.texts if note.get_text()])]
    labels_of = {method.label: method for method in METHODS}
    named = [note.get_text() for notes in of_panels for note in notes]
    assert len(named) == len({*named}) == (len(METHODS) if name == "costs" else 3)
    for notes in of_panels:
        assert not overlaps(boxes_of(notes)).any()
        for note in notes:
            assert note.get_color() == family_of(labels_of[note.get_text()].category).light


def test_many_methods_have_a_row_of_panels_for_each_family_over_the_lines_of_the_others(noisy):
    figure = cost_lines(noisy)
    heads = [axes.get_title(loc="left") for axes in figure.axes]
    families = {family_of(method.category).title for method in METHODS}
    assert {head for head in heads if head} == families
    assert len(figure.axes) == 2 * len(families)
    for axes in figure.axes:
        faint = [line for line in axes.get_lines() if line.get_color() == lines.FAINT["color"]]
        drawn = sum(not str(line.get_label()).startswith("_") for line in axes.get_lines()) + len(axes.containers)
        (others,) = faint
        assert np.isnan(others.get_xdata()).sum() == len(METHODS) - drawn


@given(st.lists(st.text("abcdef ", min_size=1, max_size=20), min_size=1, max_size=4), st.floats(0.5, 3))
def test_wrapped_lines_are_no_longer_than_there_is_room_where_words_allow(texts, room):
    text = "\n".join(texts)
    block = wrapped(text, room, 8)
    assert block.split() == text.split()
    for line in block.split("\n"):
        assert inches(line, 8) <= room or " " not in line.strip() or (line in texts and "  " in line)


@given(arrays(float, st.integers(1, 12), elements=st.floats(0, 100)))
def test_what_is_spread_out_is_apart_in_its_order_and_moves_no_more_than_it_must(places):
    spread = lines.spread_out(places, 8.0)
    order = np.argsort(places, kind="stable")
    assert (np.diff(spread[order]) >= 8 - 1e-9).all()
    assert spread.mean() == pytest.approx(places.mean(), abs=1e-6)
    if (np.diff(places[order]) >= 8).all():
        np.testing.assert_allclose(spread, places)


@pytest.mark.parametrize("seed", range(2))
def test_labels_of_crowded_points_do_not_overlap(seed):
    figure = crowded(seed)
    settle(figure)
    boxes = boxes_of(named(figure))
    assert not overlaps(boxes).any()
    frame = np.array(figure.axes[0].get_window_extent().extents)
    inside = overlap_area(boxes, frame[None])[:, 0] / np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    assert inside.min() > 0.9


def test_same_bytes_every_time(tmp_path):
    for copy in "ab":
        figure = crowded(0, points=4)
        for ending in ("svg", "pdf", "png"):
            style.save(figure, tmp_path / f"{copy}.{ending}")
    for ending in ("svg", "pdf", "png"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert "Method3" in (tmp_path / "a.svg").read_text()  # and it stays text


@pytest.mark.parametrize("name", ["figure_V-4", "figure_V-7", "figure_V-10"])
def test_titles_and_scales_are_drawn_only_where_they_are_asked_for(noisy, name, tmp_path):
    for titles in (False, True):
        with style.with_titles(titles):
            figure = make_figure(noisy, name)
        style.save(figure, tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text()
        assert (name.replace("figure_", "Figure ") in text) == titles
        assert ("Published scale" in text) == titles
        assert figure.get_label().startswith(name.replace("figure_", "Figure "))


def test_alternative_texts_name_lines_with_intervals_and_the_rows_of_heat_maps(noisy):
    text = style.described(make_figure(noisy, "figure_V-7"))
    (axes,) = make_figure(noisy, "figure_V-7").axes
    for container in axes.containers:
        first, last = container[0].get_ydata()[[0, -1]]
        assert f"{container.get_label()} from {first:.3g} to {last:.3g}" in text
    assert "rows" not in text
    texts = heat.percents(shares := np.array([[0.1, 0.25], [0.5, np.nan]]), [["", "x"], ["", ""]])
    assert texts == [["10", "25 x"], ["50", ""]]
    drawn = heat.heat_map(["first", "second"], ["a", "b"], shares, texts, title="t")
    assert style.described(drawn) == "T. first from 0.1 to 0.25; second 0.5."


def test_families_differ_in_grey_and_by_marker():
    families = [*FAMILIES.values(), OTHER]
    assert len({family.marker for family in families}) == len(families)
    for theme in ("light", "dark"):
        rgb = np.array([to_rgb(getattr(family, theme)) for family in families])
        grey = np.sort(rgb @ [0.299, 0.587, 0.114])
        assert np.diff(grey).min() > 0.02


def test_nothing_to_draw():
    dots.agreement([("a", [])], title="t")
    dots.rows_of_dots([dots.DotRow("a", "direct")], [dots.DotColumn("x", [dots.Dot(float("nan"))])], title="t")


def test_graphs_with_and_without_directions():
    nodes = {"1": (0, 0), "2": (1, 0), "3": (0.5, 1)}
    pair = [graphs.Graph("a", nodes, [("1", "2")], [("2", "3")], marked=[("2", "3")]), graphs.Graph("b", nodes, [])]
    drawn = graphs.graphs(pair, title="t")
    joined, empty = drawn.axes
    assert len(joined.patches) == 2
    assert len({patch.get_linewidth() for patch in joined.patches}) == 2
    assert len(empty.patches) == 0
    graphs.graphs([], title="nothing")
