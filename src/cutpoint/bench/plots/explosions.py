"""Values that are replaced by several finer ones, as trees below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cutpoint.plots.style import COLOURS, panels, styled, titled

BOX = {"boxstyle": "round,pad=0.28", "facecolor": "white", "linewidth": 0.8}
LOW, HIGH = 0.0, 1.0  # where the finer and the original values stand


@dataclass(frozen=True)
class Explosion:
    """An explosion to draw: for each original value its finer values and their shares, the marked ones in colour."""

    title: str
    values: Sequence[str]
    finer: Sequence[Sequence[tuple[str, str]]]
    marked: Sequence[str] = ()


def _draw(axes: Axes, explosion: Explosion) -> None:
    place = 0
    for value, parts in zip(explosion.values, explosion.finer, strict=True):
        middle = place + (len(parts) - 1) / 2
        for name, share in parts:
            colour = COLOURS[2] if name in explosion.marked else "black"
            axes.annotate(
                "", (place, LOW + 0.12), (middle, HIGH - 0.12),
                arrowprops={"arrowstyle": "-|>", "linewidth": 0.8, "color": colour, "shrinkA": 0, "shrinkB": 0},
            )  # fmt: skip
            # a little below the middle, where the arrows from one value are apart
            x, y = middle + 0.62 * (place - middle), HIGH - 0.12 - 0.62 * (HIGH - LOW - 0.24)
            axes.text(x, y, share, ha="center", va="center", fontsize=7, color=colour,
                      bbox={"facecolor": "white", "linewidth": 0, "pad": 0.8})  # fmt: skip
            axes.text(place, LOW, name, ha="center", va="center", color=colour, bbox={**BOX, "edgecolor": colour})
            place += 1
        axes.text(middle, HIGH, value, ha="center", va="center", bbox={**BOX, "edgecolor": "black"})
    axes.set(xlim=(-0.6, place - 0.4), ylim=(LOW - 0.2, HIGH + 0.2))
    axes.set_title(explosion.title)
    axes.set_axis_off()


@styled
def explosions(trees: Sequence[Explosion], *, title: str, scale: str = "") -> Figure:
    """Draw explosions below each other: original values above, finer ones below, shares between (Tran 2013, 4.1)."""
    figure, grid = panels(len(trees), height=1.9)
    for axes, explosion in zip(grid, trees, strict=True):
        _draw(axes, explosion)
    return titled(figure, title, scale)
