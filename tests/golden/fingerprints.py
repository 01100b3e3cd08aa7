"""What a figure draws, as lines of text: not the bytes of a file, but titles, ticks, texts and coordinates."""

from itertools import groupby

import numpy as np
from matplotlib.colors import to_hex

FEW = 8  # coordinates that are written out; of more only their sums


def figure_lines(figure):
    """One line for each thing that is drawn, in the order of drawing."""
    wide, high = figure.get_size_inches()
    lines = [f"figure | inches {numbers([wide, high])} | axes {len(figure.axes)}"]
    lines += [f"figure | text {quoted(text)}" for text in _outer_texts(figure)]
    for place, axes in enumerate(figure.axes):
        lines += [f"axes {place} | {line}" for line in _axes(axes)]
    return lines


def _outer_texts(figure):
    yield from figure.texts
    for legend in figure.legends:
        yield from [legend.get_title(), *legend.get_texts()]


def _axes(axes):
    yield from (f"title {quoted(text)}" for text in [axes.title] if text.get_text())
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        yield from _axis(name, axis)
    lines = [line for line in axes.lines if len(line.get_xydata())]
    for kind, artists in (("line", lines), ("collection", axes.collections), ("image", axes.images)):
        yield from (f"{kind} | {_artist(artist)}" for artist in artists)
    for about, patches in groupby(axes.patches, _patch):  # such as the bars of a histogram, or the edges of a graph
        corners = [_corners(patch, axes) for patch in patches]
        yield f"patch | {len(corners)} {about} | path {numbers(np.concatenate(corners))}"
    for container in axes.containers:
        yield f"container | {type(container).__name__} | {_label(container)}"
    for (color, x), texts in groupby(axes.texts, lambda text: (colour(text.get_color()), text.get_position()[0])):
        held = "; ".join(f"{quoted(text)} {numbers(text.get_position()[1])}" for text in texts)
        yield f"texts at {numbers(x)} | {color} | {held}"
    if legend := axes.get_legend():
        yield from (f"legend {quoted(text)}" for text in [legend.get_title(), *legend.get_texts()])
    for child in axes.child_axes:
        yield from (f"inset | {line}" for line in _axes(child))


def _axis(name, axis):
    low, high = axis.get_view_interval()
    ticks = " ".join(tick for tick in (label.get_text() for label in axis.get_ticklabels()) if tick)
    about = f"{name} | {quoted(axis.label)} | {axis.get_scale()} | from {numbers([low, high])}"
    yield f"{about} | at {numbers(axis.get_ticklocs())} | ticks {ticks!r} | shown {axis.get_visible()}"


def _artist(artist):
    parts = [type(artist).__name__, _label(artist)]
    if hasattr(artist, "get_array") and artist.get_array() is not None:
        parts.append(f"values {numbers(np.ma.filled(np.ma.asarray(artist.get_array(), float), np.nan))}")
    if hasattr(artist, "get_xydata"):
        parts += [colour(artist.get_color()), f"{artist.get_linestyle()} {artist.get_marker()}"]
        parts.append(f"points {numbers(artist.get_xydata())}")
    elif hasattr(artist, "get_offsets"):
        parts += [" ".join(map(colour, artist.get_facecolors()[:FEW])), f"at {numbers(artist.get_offsets())}"]
        parts.append(f"paths {numbers(_vertices(artist.get_paths()))}")
    return " | ".join(parts)


def _patch(patch):
    return f"{type(patch).__name__} | {_label(patch)} | {colour(patch.get_facecolor())}"


def _corners(patch, axes):
    """The corners of a patch in the coordinates of the data, wherever it was given in them."""
    path = patch.get_path()
    inside = patch.get_transform().contains_branch(axes.transData)
    return patch.get_patch_transform().transform_path(path).vertices if inside else path.vertices


def _vertices(paths):
    return np.concatenate([path.vertices for path in paths]) if len(paths) else np.empty(0)


def _label(artist):
    label = str(artist.get_label())
    return "" if label.startswith("_") else repr(label)


def quoted(text):
    return repr(text.get_text())


def colour(color):
    try:
        return to_hex(color, keep_alpha=True)
    except ValueError:
        return repr(color)


def numbers(values):
    """The numbers with 7 digits; of many how many there are, their range, and sums that notice an exchange."""
    flat = np.ravel(np.asarray(values, float))
    if len(flat) <= FEW:
        return "[" + " ".join(f"{round_off(x):.7g}" for x in flat) + "]"
    good = np.isfinite(flat)
    kept = np.where(good, flat, 0.0)
    sums = [kept.min(), kept.max(), kept.sum(), (kept * np.linspace(0.5, 1.5, len(kept))).sum()]
    return f"<{len(flat)}, {good.sum()} finite: " + " ".join(f"{round_off(x):.7g}" for x in sums) + ">"


def round_off(value):
    """The value, 0 where it is nothing but the error of a difference; and never a negative 0."""
    return 0.0 if abs(value) < 1e-9 else float(value)
