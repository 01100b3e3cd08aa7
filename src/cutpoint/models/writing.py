"""Models and graphs for others: files, which `reading` reads, and objects of pyAgrum, networkx and Matplotlib."""

import gzip
import io
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import first_of
from cutpoint.graphs.dags import edges_of
from cutpoint.graphs.patterns import consistent_extension
from cutpoint.models import formats
from cutpoint.models.fitted import Fitted
from cutpoint.networks.network import content_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KIND, VERSION = "cutpoint model", 1
Numbers = dict[str, np.ndarray]


def write(model: Fitted, path: str | Path) -> None:
    """Write a model in the format that the ending names; `cutpoint.read_model` reads it back.

    json has everything; bif, xmlbif, bifxml, xml, xdsl and net the network, with thresholds, means of levels and ranges
    as properties; uai numbers alone.
    html is a page to look at, which computes posteriors in a browser and is not read back. An InputError says that
    the ending is another one, the network too large for a page, or the file cannot be written.
    """
    ending = formats.ending_of(path)
    if ending == formats.JSON:
        text = json.dumps(_document(model), ensure_ascii=False, indent=1, default=np.ndarray.tolist) + "\n"
    elif ending == formats.HTML:
        from cutpoint.models import page  # loads what other formats do not need

        text = page.render(model, Path(path).stem)
    else:
        content = content_of(model.network)
        for name in model.scales:
            content.properties[name] = {key: formats.joined(numbers) for key, numbers in _numbers(model, name).items()}
        text = formats.render(content, ending)
    constant = [name for name, states in zip(model.variables, model.network.states, strict=True) if len(states) == 1]
    if constant and ending in formats.ONE_LEVEL:
        which = f"{first_of(constant)}: a single level, to which one of probability 0, {formats.NEVER!r}, is added"
        warnings.warn(f"{path}: {which}, as {formats.ONE_LEVEL[ending]} would refuse it else", stacklevel=2)
    aside = Path(path).with_name(f".{Path(path).name}.{os.getpid()}")  # so that a failure leaves an older file whole
    try:
        data = text.encode()
        aside.write_bytes(gzip.compress(data) if str(path).endswith(".gz") else data)
        os.replace(aside, path)
    except OSError as problem:
        raise InputError(f"{path}: cannot be written: {problem.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


def _numbers(model: Fitted, name: str) -> Numbers:
    scale = model.scales[name]
    cuts = model.thresholds[model.variables.index(name)]
    return {"thresholds": cuts, "means": scale.means, "range": np.array([scale.least, scale.greatest])}


def _document(model: Fitted) -> dict[str, Any]:
    content = content_of(model.network)
    variables = []
    for name, states in content.states.items():
        variable: dict[str, Any] = {"name": name, "states": states}
        if name in model.scales:
            density, held = model.scales[name].density, model.scales[name].shares
            variable |= _numbers(model, name) | {"density": density and density.parameters}
            variable |= {} if held is None else {"shares": held}
            variable |= {"intervals": model.intervals[name]} if name in model.intervals else {}
        variable |= {"parents": content.parents[name], "table": content.tables[name]}
        variable |= {"curve": vars(model.curves[name])} if name in model.curves else {}
        variables.append(variable)
    about: dict[str, Any] = {"name": content.name, "ess": model.ess, "records": model.records, "note": model.note}
    if (shares := model.confidence) is not None:
        edges = [edge._asdict() for edge in shares.edges()]
        about["confidence"] = {"graphs": shares.graphs, "of": shares.of, "edges": edges}
    if model.knowledge is not None:
        about["knowledge"] = model.knowledge.plain()
    about |= {"settled": model.settled} if model.settled else {}
    return {"kind": KIND, "version": VERSION} | about | {"variables": variables}


def to_pyagrum(model: Fitted) -> Any:
    """Return a ``pyagrum.BayesNet`` with the tables of a model.

    A continuous variable is an empirical DiscretizedVariable with the exact thresholds: values beyond the least and the
    greatest record belong to its first and last level.
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
    for name, parents, table in zip(model.variables, model.network.parents, model.network.tables, strict=True):
        for parent in parents:
            network.addArc(model.variables[parent], name)
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
    from cutpoint.plots.boxes import boxes

    pattern = np.asarray(graph, bool)
    drawn = dict(zip(variables, shares or [{}] * len(variables), strict=True))
    edges = edges_of(pattern, range(len(variables)))  # type: ignore[arg-type]
    return boxes(drawn, consistent_extension(pattern)[0], edges)  # type: ignore[arg-type]


def svg(picture: "Figure") -> str:
    """Return a figure as text in SVG, for a notebook."""
    text = io.StringIO()
    picture.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()
