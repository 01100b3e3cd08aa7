"""All figures of the study by the name of their artefact."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import circles, dots, heat, style, ticks
from cutpoint.statistics.draws import mean, mean_interval
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.own import confidence, held_out
from cutpoint.studies.own.outcomes import (
    CONFIDENCE,
    FOLDS,
    WHOLE,
    Outcome,
    basis,
    continuous,
    data,
    lost,
    outcomes,
    truth,
)

MOST = 40  # pairs in the heat map
LINE = 110  # characters of a line of a title
ARROWS = {confidence.FORWARD: "→", confidence.BACKWARD: "←", confidence.NEITHER: "–"}


def figure_graphs(inputs: Inputs) -> Figure:
    """Draw the graph of every method, the same places in all."""
    title, sentence = "Graphs learned from the whole data", str(basis(inputs, WHOLE))
    if why := lost(inputs, WHOLE):
        return style.absent(title, why, sentence)
    true, known = truth(inputs), confidence.frequencies(inputs)
    shown = [
        _panel(each, None if shares is None else shares.adjacent, true)
        for each, shares in zip(outcomes(inputs), known, strict=True)
    ]
    if true is not None:
        edges = [circles.Edge(i, j, directed) for i, j, directed in _edges(true)]
        shown.insert(0, circles.Panel(f"True graph, {_count(len(edges))}", edges))
    look = "wider" if true is not None else "wider and darker"
    widths = f"; the {look} a line, the more resamples have it" if any(known) else ""
    title += f"\nequivalence classes: a line without arrow may point either way{widths}"
    if any(known):
        sentence = (
            f"{sentence} Widths: {str(basis(inputs, CONFIDENCE))[:1].lower()}{str(basis(inputs, CONFIDENCE))[1:]}"
        )
    return circles.circles(data(inputs).variables, shown, title=title, scale=sentence)


def _count(edges: int) -> str:
    return f"{edges} edge{'s' * (edges != 1)}"


def _edges(graph: np.ndarray) -> list[tuple[int, int, bool]]:
    """Return the edges of an equivalence class, each once."""
    return [(int(i), int(j), not graph[j, i]) for i, j in np.argwhere(graph) if i < j or not graph[j, i]]


def _kind(directed: bool, there: bool, back: bool) -> str:
    """Return how a learned edge stands to the true class, which has it there, back, both ways or not at all."""
    if not there and not back:
        return "extra"
    if there and back:
        return "directed" if directed else "right"
    return "undirected" if not directed else "right" if there else "turned"


def _panel(found: Outcome, shares: np.ndarray | None, true: np.ndarray | None) -> circles.Panel:
    if found.graph is None:
        return circles.Panel(found.method.label, reason=found.reason)
    graph = found.graph
    edges = []
    for i, j, directed in _edges(graph):
        kind = ""
        if true is not None:
            kind = _kind(directed, bool(true[i, j]), bool(true[j, i]))
        edges.append(circles.Edge(i, j, directed, np.nan if shares is None else float(shares[i, j]), kind))
    title = f"{found.method.label}, {_count(len(edges))}"
    if true is not None:
        gone = [(i, j, directed) for i, j, directed in _edges(true) if not (graph[i, j] or graph[j, i])]
        edges += [circles.Edge(i, j, directed, kind="missing") for i, j, directed in gone]
        title += f", {len(gone)} missing" if gone else ""
    return circles.Panel(title, edges)


def figure_variables(inputs: Inputs) -> Figure:
    """Draw every continuous column with the thresholds of every method."""
    title, sentence = "Thresholds learned from the whole data", str(basis(inputs, WHOLE))
    found, columns = data(inputs), continuous(data(inputs))
    shown = [each for each in outcomes(inputs) if each.thresholds is not None]
    why = lost(inputs, WHOLE) or ("" if columns else "no continuous columns")
    if why := why or ("" if shown else "no method with thresholds has succeeded"):
        return style.absent(title, why, sentence)
    left = [each.method.label for each in outcomes(inputs) if each.status != "ok"]
    failed = "\n" + textwrap.fill(f"failed: {', '.join(left)}", LINE) if left else ""
    variables = [
        ticks.Variable(
            found.variables[i], found.values[:, i], [each.thresholds[i] for each in shown if each.thresholds]
        )
        for i in columns
    ]
    title += f"\na row without ticks: one level; < and >: thresholds further out{failed}"
    return ticks.thresholds([each.method.label for each in shown], variables, title=title, scale=sentence)


def figure_confidence(inputs: Inputs) -> Figure:
    """Draw how often every method finds the surest edges."""
    title, sentence = "Share of the resamples that have an edge, in percent", str(basis(inputs, CONFIDENCE))
    every, names = confidence.pairs(inputs), data(inputs).variables
    if why := lost(inputs, CONFIDENCE) or ("" if every else "no method found any edge in the resamples"):
        return style.absent(title, why, sentence)
    known, adjacent = confidence.frequencies(inputs), confidence.adjacent(inputs)
    pairs = every[:MOST]
    shares = np.array([adjacent[:, i, j] for i, j in pairs])
    shares = np.column_stack([mean(shares, 1), shares])
    marks = [["", *(ARROWS[confidence.mark(f, i, j)] if f else "" for f in known)] for i, j in pairs]
    labels = [f"{style.clipped(names[i])} & {style.clipped(names[j])}" for i, j in pairs]
    more = f"; {len(every) - len(pairs)} more pairs are left out" if len(every) > len(pairs) else ""
    title += f"\n→ from the first to the second, ← back: at least twice as often as the other way; – neither{more}"
    columns = ["Mean", *(m.label for m in inputs.methods)]
    return heat.heat_map(labels, columns, shares, marks, title=title, scale=sentence)


def figure_held_out(inputs: Inputs) -> Figure:
    """Draw what the edges of every method are worth on records held out."""
    title, sentence = "Log-likelihood of records held out", str(basis(inputs, FOLDS))
    if why := held_out.missing(inputs):
        return style.absent(title, why, sentence)
    found = held_out.folds(inputs)
    shown = []
    for i, m in enumerate(inputs.methods):
        runs, expected = int(found.runs[i]), int(found.expected[i])
        note = "" if runs == expected else f"{runs}/{expected} folds" if runs else found.reasons[i]
        shown.append(dots.Dot(m.label, m.category, *mean_interval(found.gains[i]), found.gains[i], note))
    title += "\nmeans over folds with 95 % intervals; a grey mark for each fold; 0: the model without edges"
    xlabel = "nats per record above the model without edges; right is better"
    return dots.rows_of_dots(shown, xlabel=xlabel, title=title, scale=sentence)


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_graphs": figure_graphs,
    "figure_confidence": figure_confidence,
    "figure_held_out": figure_held_out,
    "figure_variables": figure_variables,
}
