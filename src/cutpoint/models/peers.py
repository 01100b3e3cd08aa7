"""Models and graphs as objects of other libraries: of pyAgrum, networkx and Matplotlib, and as text for Graphviz."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import edges_of
from cutpoint.graphs.patterns import consistent_extension
from cutpoint.models.fitted import Fitted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def to_pyagrum(model: Fitted) -> Any:
    """Return a ``pyagrum.BayesNet`` with the tables of a model.

    A continuous variable is a DiscretizedVariable with the exact thresholds, between the least and the greatest record;
    it is empirical: values beyond these belong to its first and last level. pyAgrum names its levels itself.
    """
    try:
        import pyagrum as gum
    except ImportError:
        raise InputError("to_pyagrum needs pyAgrum: pip install pyagrum") from None
    network = gum.BayesNet(model.network.name)
    for i, (name, states) in enumerate(zip(model.variables, model.network.states, strict=True)):
        if name in model.scales:
            intervals = gum.DiscretizedVariable(name, name, _ticks(model, i))
            intervals.setEmpirical(True)
            network.add(intervals)
        else:
            network.add(gum.LabelizedVariable(name, name, list(states)))
    for name, parents in zip(model.variables, model.network.parents, strict=True):
        for parent in parents:
            network.addArc(model.variables[parent], name)
    for name, table in zip(model.variables, model.network.tables, strict=True):
        # as its arrays have it: parents in the reverse of the order of their arcs, then the child
        network.cpt(name)[:] = np.ascontiguousarray(np.moveaxis(table.T, 0, -1))
    return network


def _ticks(model: Fitted, i: int) -> list[float]:
    """Return the thresholds between ends that lie outside them."""
    scale, cuts = model.scales[model.variables[i]], model.thresholds[i]
    inner = cuts if len(cuts) else np.array([scale.least, scale.greatest])
    low = scale.least if scale.least < inner[0] else np.nextafter(inner[0], -np.inf)
    high = scale.greatest if scale.greatest > inner[-1] else np.nextafter(inner[-1], np.inf)
    return [float(low), *cuts.tolist(), float(high)]


def to_networkx(model: Fitted) -> Any:
    """Return a ``networkx.DiGraph`` whose nodes have `levels`, `parents`, a `table` of their axes, `thresholds`."""
    graph = digraph(model.variables, model.dag)
    network = model.network
    for i, name in enumerate(model.variables):
        parents = [model.variables[j] for j in network.parents[i]]
        graph.nodes[name].update(levels=list(network.states[i]), parents=parents, table=network.tables[i])
        if name in model.scales:
            graph.nodes[name]["thresholds"] = model.thresholds[i].tolist()
    return graph


def digraph(variables: list[str], graph: np.ndarray) -> Any:
    """Return a ``networkx.DiGraph`` of a graph, bool [n, n]; an undirected edge is an arc in both directions."""
    try:
        import networkx
    except ImportError:
        raise InputError("to_networkx needs networkx: pip install networkx") from None
    answer = networkx.DiGraph()
    answer.add_nodes_from(variables)
    answer.add_edges_from((variables[i], variables[j]) for i, j in np.argwhere(graph))
    return answer


def dot(variables: Sequence[str], graph: np.ndarray) -> str:
    """Return a graph, bool [n, n], in the language of Graphviz; an edge without a direction has no head."""
    lines = [f"  {_quoted(name)};" for name in variables]
    for source, target, directed in edges_of(np.asarray(graph, bool), variables):
        lines.append(f"  {_quoted(source)} -> {_quoted(target)}{'' if directed else ' [dir=none]'};")
    return "\n".join(["digraph {", "  node [shape=box];", *lines, "}\n"])


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def figure(variables: Sequence[str], graph: np.ndarray, shares: Sequence[Mapping[str, float]] = ()) -> "Figure":
    """Return a figure of a DAG or pattern, bool [n, n], in layers, with the shares of levels where they are given."""
    from cutpoint.plots.boxes import Box, boxes

    pattern = np.asarray(graph, bool)
    levels: list[Mapping[str, float]] = [*shares] or [{}] * len(variables)
    drawn = [Box(name, tuple(each), tuple(each.values())) for name, each in zip(variables, levels, strict=True)]
    edges = edges_of(pattern, range(len(variables)))  # type: ignore[arg-type]
    return boxes(drawn, consistent_extension(pattern)[0], edges)  # type: ignore[arg-type]


def svg(picture: "Figure") -> str:
    """Return a figure as text in SVG, for a notebook."""
    text = io.StringIO()
    picture.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
