"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import clouds, explosions, graphs, lines, style
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, rows_of, scale_of_one
from cutpoint.studies.tran2013 import coarse, examples
from cutpoint.studies.tran2013.searches import SEARCHES, share

TRIANGLE = {"1": (0.5, 1.0), "2": (0.0, 0.0), "3": (1.0, 0.0)}
ROW = {"1": (0.0, 0.0), "2": (1.0, 0.0), "3": (2.0, 0.0)}
FIVE = {"1": (1.0, 3.0), "2": (0.0, 2.0), "3": (2.0, 2.0), "4": (1.0, 1.0), "5": (1.0, 0.0)}
DRAWN = 4000  # points of the series against each other


def figure_dag(inputs: Inputs) -> Figure:
    """Draw Figure 1.1: a directed acyclic graph."""
    shown = graphs.Graph("", FIVE, examples.arcs("1>2 1>3 2>4 3>4 4>5"))
    return graphs.graphs(
        [shown], title="Figure 1.1: a directed acyclic graph", height=2.6, scale=str(scale_of_one(inputs))
    )


def figure_equivalent(inputs: Inputs) -> Figure:
    """Draw Figure 1.2: four graphs with the same edges, and what they say of X1 and X3."""
    texts = {"a": "1>2 2>3", "b": "3>2 2>1", "c": "1>2 3>2", "d": "2>1 2>3"}
    patterns = {name: examples.cpdag_of(examples.arcs(text)).tolist() for name, text in texts.items()}
    shown = []
    for name, text in texts.items():
        members = ", ".join(other for other in texts if patterns[other] == patterns[name])
        shown.append(graphs.Graph(f"({name})  class {members}", ROW, examples.arcs(text)))
    title = "Figure 1.2: four DAGs with the same edges, and the Markov class of each"
    return graphs.graphs(shown, title=title, height=0.9, scale=str(scale_of_one(inputs)))


def figure_independent(inputs: Inputs) -> Figure:
    """Draw Figure 2.1: a graph in which 2 and 3 are independent given 1."""
    shown = graphs.Graph("", TRIANGLE, examples.arcs("1>2 1>3"))
    title = "Figure 2.1: a three node DAG; 2 and 3 are independent given 1"
    return graphs.graphs([shown], title=title, height=1.6, scale=str(scale_of_one(inputs)))


def figure_classes(inputs: Inputs) -> Figure:
    """Draw Table 2.2: the DAGs on three nodes in their Markov classes."""
    groups = [
        [
            graphs.Graph(str(graph), TRIANGLE, examples.GRAPHS[graph - 1],
                         marked=examples.GRAPHS[graph - 1] if graph == examples.TRUE_GRAPH else ())
            for graph in members
        ]
        for members in examples.classes()
    ]  # fmt: skip
    title = (
        f"Table 2.2: the {len(examples.GRAPHS)} DAGs on three nodes in their {len(groups)} Markov classes, a frame "
        "each\nclasses are numbered as in Tables 2.3 and 3.1, graphs within a class are ours but for 8"
    )
    return graphs.groups_of_graphs(groups, title=title, scale=str(scale_of_one(inputs)))


def figure_coarse(inputs: Inputs) -> Figure:
    """Draw Figure 2.2: series whose noise is independent, and what coarse intervals make of them."""
    regime, xy = coarse.series(inputs.scale.seed)
    drawn = []
    for head, breaks in (
        (f"{coarse.FINE} intervals", coarse.fine_breaks(xy)),
        ("low, middle and high", coarse.BREAKS),
    ):
        found = coarse.measured(regime, xy, breaks)
        note = f"I(X1, X2) = {found['information']:.3f}\nH(X1 | X2) = {found['left']:.3f} nats"
        drawn.append((head, breaks, note))
    title = (
        "Figure 2.2: coarse intervals make X1 a function of X2\n"
        f"left {coarse.SHOWN} points over time; right X2 against X1, {DRAWN:,} of the {coarse.COUNT:,} points "
        "that are measured"
    )
    return clouds.series(
        xy[:DRAWN], drawn, shown=coarse.SHOWN, names=("X1", "X2"), title=title, scale=str(scale_of_one(inputs))
    )


def figure_explosions(inputs: Inputs) -> Figure:
    """Draw Figure 4.1: a correct removal is another explosion of the original values."""
    full = (("1", "1/3"), ("2", "2/3")), (("3", "2/7"), ("4", "4/7"), ("5", "1/7")), (("6", "1"),)
    shown = [
        explosions.Explosion("1|2|3|4|5|6", examples.NODES, full, marked=("1", "2")),
        explosions.Explosion("12|3|4|5|6", examples.NODES, ((("12", "1"),), *full[1:]), marked=("12",)),
    ]
    title = "Figure 4.1: the correct removal of a threshold is an alternate explosion of the original values"
    return explosions.explosions(shown, title=title, scale=str(scale_of_one(inputs)))


def figure_recovery(inputs: Inputs) -> Figure:
    """Draw how often each search finds the true discretization, against m and the number of records."""
    rows = rows_of(inputs, "recovery")
    title = "How often the true discretization is found, by number of values m; X1 → X2, 95 % intervals"
    if not rows:
        return style.absent(title, absent(inputs, "recovery"), str(inputs.scale))
    panels = []
    for name, label in SEARCHES.items():
        drawn = []
        for m in sorted({row["values"] for row in rows}):
            mine = sorted((row for row in rows if row["values"] == m), key=lambda row: row["records"])
            cells = [share(row[name], row["samples"]) for row in mine]
            shares = [[c.reproduced, c.low, c.high] for c in cells]
            y, low, high = 100 * np.array(shares, float).T
            # equally spaced decades; the axis names the numbers
            x = np.log10([row["records"] for row in mine])
            drawn.append(lines.Line(f"m = {m}", x, y, low, high))
        ticks = {float(x): _thousands(10**x) for line in drawn for x in line.x}
        panels.append(lines.Panel(label, drawn, "records in thousands", ticks))
    scale = str(replace(inputs.scale, replicates=max(row["samples"] for row in rows)))
    return lines.rows_of_lines(panels, ylabel="% of the samples", title=title, spread=0.03, scale=scale)


def _thousands(records: float) -> str:
    return f"{round(records) / 1000:g}"


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_1.1": figure_dag,
    "figure_1.2": figure_equivalent,
    "figure_2.1": figure_independent,
    "table_2.2": figure_classes,
    "figure_2.2": figure_coarse,
    "figure_4.1": figure_explosions,
    "figure_recovery": figure_recovery,
}
