"""Graphs of models and of what was learned: for Graphviz, and places of boxes for a figure."""

import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cutpoint.graphs.dags import edges_of
from cutpoint.graphs.layers import rows_of
from cutpoint.graphs.patterns import consistent_extension

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def dot(variables: Sequence[str], graph: np.ndarray) -> str:
    """Return a graph, bool [n, n], in the language of Graphviz; an edge without a direction has no head."""
    lines = [f"  {_quoted(name)};" for name in variables]
    for source, target, directed in edges_of(np.asarray(graph, bool), variables):
        lines.append(f"  {_quoted(source)} -> {_quoted(target)}{'' if directed else ' [dir=none]'};")
    return "\n".join(["digraph {", "  node [shape=box];", *lines, "}\n"])


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def figure(
    variables: Sequence[str],
    graph: np.ndarray,
    levels: Sequence[Sequence[str]] | None = None,
    shares: Sequence[np.ndarray] | None = None,
) -> "Figure":
    """Return a figure of a DAG or pattern, bool [n, n], in layers, with the shares of levels where they are given."""
    from cutpoint.plots.boxes import Box, boxes

    pattern = np.asarray(graph, bool)
    placed = rows_of(consistent_extension(pattern)[0])
    drawn = [Box(name) for name in variables]
    if levels is not None and shares is not None:
        parts = zip(variables, levels, shares, strict=True)
        drawn = [Box(name, tuple(names), tuple(probable.tolist())) for name, names, probable in parts]
    return boxes(drawn, placed, edges_of(pattern, range(len(variables))))  # type: ignore[arg-type]


def svg(picture: "Figure") -> str:
    """Return a figure as text in SVG, for a notebook."""
    text = io.StringIO()
    picture.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
