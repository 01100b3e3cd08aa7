"""Labels of points that overlap neither each other nor the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from cutpoint.plots.style import settle

RADII = (5.0, 8.0, 12.0, 17.0, 23.0, 30.0, 38.0, 48.0, 60.0)  # points from the marker to the label
ANGLES = np.arange(16) * 22.5
ROUNDS = 4
OUTSIDE = 200.0  # cost of a label that leaves the axes, per share of its area
STRAY = 3.0  # cost of every other marker that is nearer to a label than its own
LEADER = 8.0  # points from the marker to the label above which a line joins them


def place(
    axes: Axes,
    xy: np.ndarray,
    texts: Sequence[str],
    *,
    obstacles: np.ndarray | None = None,
    segments: np.ndarray | None = None,
) -> list[Annotation]:
    """Write a label beside every point, joined to it by a thin line where it had to move away.

    Each label takes the nearest place that overlaps least; a few rounds let early ones make room for late.
    The axes must have their final limits; their layout is settled here.

    Args:
        axes: where to write.
        xy: float64 [P, 2], points in data coordinates.
        texts: P labels.
        obstacles: float64 [Q, 2], further markers to keep clear of, in data coordinates.
        segments: float64 [S, 2, 2], lines to keep clear of where there is room, in data coordinates.
    """
    if not len(texts):
        return []
    settle(cast(Figure, axes.figure))
    renderer = _renderer(axes)
    scale = axes.figure.dpi / 72
    here = axes.transData.transform(xy)
    marks = here if obstacles is None or not len(obstacles) else np.vstack([here, axes.transData.transform(obstacles)])
    notes = [
        axes.annotate(t, p, (0, 0), textcoords="offset points", fontsize=6.5, zorder=5)
        for t, p in zip(texts, xy, strict=True)
    ]
    sizes = np.array([(e.width, e.height) for e in (n.get_window_extent(renderer) for n in notes)])
    blocked = np.hstack([marks - 3.2 * scale, marks + 3.2 * scale])
    if segments is not None and len(segments):
        along = _beads(axes.transData.transform(segments.reshape(-1, 2)).reshape(-1, 2, 2), 3 * scale)
        blocked = np.vstack([blocked, np.hstack([along - scale, along + scale])])
    frame = np.array(axes.get_window_extent(renderer).extents)
    boxes = _choose(here, sizes, blocked, marks, frame, scale)
    for note, point, box in zip(notes, here, boxes, strict=True):
        _settle(note, point, box, scale, stray=bool(_strays(box[None], point, marks, scale).any()))
    return notes


def _beads(segments: np.ndarray, step: float) -> np.ndarray:
    """Return points along segments [S, 2, 2], about a step apart, float64 [B, 2]."""
    strings = []
    for start, end in segments:
        count = max(2, int(np.hypot(*(end - start)) / step) + 1)
        strings.append(start + np.linspace(0, 1, count)[:, None] * (end - start))
    return np.vstack(strings)


def _candidates(point: np.ndarray, size: np.ndarray, scale: float) -> np.ndarray:
    """Return boxes [K, 4] around a point, the nearest first."""
    directions = np.column_stack([np.cos(np.deg2rad(ANGLES)), np.sin(np.deg2rad(ANGLES))])
    # The centre lies as far out as the box needs in that direction, plus the radius.
    reach = np.abs(directions) * size / 2
    centres = [point + directions * r * scale + np.sign(np.round(directions, 6)) * reach for r in RADII]
    middle = np.vstack(centres)
    return np.hstack([middle - size / 2, middle + size / 2])


def _distances(boxes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the distances from boxes [K, 4] to points [P, 2], float64 [K, P]."""
    nearest = np.clip(points[None], boxes[:, None, :2], boxes[:, None, 2:])
    return np.hypot(*np.moveaxis(nearest - points[None], 2, 0))


def _strays(boxes: np.ndarray, own: np.ndarray, marks: np.ndarray, scale: float) -> np.ndarray:
    """Return which other markers are about as near to each box as its own, so that they seem named, bool [K, M]."""
    others = marks[np.abs(marks - own).max(1) > scale]
    return _distances(boxes, others) < _distances(boxes, own[None]) + scale


def _choose(
    points: np.ndarray, sizes: np.ndarray, blocked: np.ndarray, marks: np.ndarray, frame: np.ndarray, scale: float
) -> np.ndarray:
    options = [_candidates(p, s, scale) for p, s in zip(points, sizes, strict=True)]
    fixed = [
        _fixed_cost(o, blocked, frame) + STRAY * _strays(o, p, marks, scale).sum(1)
        for o, p in zip(options, points, strict=True)
    ]
    chosen = np.array([o[np.argmin(f)] for o, f in zip(options, fixed, strict=True)])
    # Points with many neighbours choose first, in an order that does not depend on ties.
    crowd = np.array([(np.hypot(*(points - p).T) < 60 * scale).sum() for p in points])
    for _ in range(ROUNDS):
        for i in np.argsort(-crowd, kind="stable"):
            rest = np.delete(np.arange(len(points)), i)
            cost = fixed[i] + 20 * overlap_area(options[i], chosen[rest], 1.5 * scale).sum(1) / sizes[i].prod()
            cost = cost + 2.0 * _crossings(options[i], points[i], chosen[rest], points[rest])
            chosen[i] = options[i][int(np.argmin(cost))]
    return chosen


def _fixed_cost(boxes: np.ndarray, blocked: np.ndarray, frame: np.ndarray) -> np.ndarray:
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    inside = overlap_area(boxes, frame[None], 0.0)[:, 0] / area
    steps = np.repeat(np.arange(len(RADII)), len(ANGLES))
    turn = np.tile(np.minimum(np.arange(len(ANGLES)), len(ANGLES) - np.arange(len(ANGLES))), len(RADII))
    return 12 * overlap_area(boxes, blocked, 0.0).sum(1) / area + OUTSIDE * (1 - inside) + 0.35 * steps + 0.01 * turn


def overlap_area(a: np.ndarray, b: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """Return the common area of boxes (x0, y0, x1, y1) [A, 4] and [B, 4], grown by a margin, [A, B]."""
    wide = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0]) + margin
    high = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1]) + margin
    return np.clip(wide, 0, None) * np.clip(high, 0, None)


def _crossings(boxes: np.ndarray, point: np.ndarray, others: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return how many leaders of other labels the leader of each candidate would cross, int [K]."""
    ends, far = (boxes[:, :2] + boxes[:, 2:]) / 2, (others[:, :2] + others[:, 2:]) / 2

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        return np.sign(
            (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
        )

    a, b = np.broadcast_to(point, ends[:, None].shape), ends[:, None]
    c, d = points[None], far[None]
    return ((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)).sum(1)


def _settle(note: Annotation, point: np.ndarray, box: np.ndarray, scale: float, *, stray: bool) -> None:
    note.set_position(tuple((box[:2] - point) / scale))
    nearest = np.clip(point, box[:2], box[2:])
    if stray or np.hypot(*(nearest - point)) > LEADER * scale:
        axes = cast(Axes, note.axes)
        line = {"arrowstyle": "-", "shrinkA": 0, "shrinkB": 2, "color": "#777777", "linewidth": 0.4}
        start = tuple(axes.transData.inverted().transform(point))
        end = tuple((nearest - point) / scale)
        axes.annotate("", start, end, textcoords="offset points", zorder=1, arrowprops=line)


def _renderer(artist: Artist) -> RendererBase:
    return cast(FigureCanvasAgg, cast(Figure, artist.figure).canvas).get_renderer()
