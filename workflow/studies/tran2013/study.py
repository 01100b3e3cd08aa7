"""What is special in Tran 2013: graphs and their scores, removals of thresholds, how often searches find the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from cutpoint.bench.studies.tran2013 import graphs

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine.inequalities import certain, in_more_than, unknown
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.samples import SAMPLE, cube, mean_cell, rows_of, share_of
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots.graphs import Explosion, Graph, explosions, groups_of_graphs
from cutpoint.bench.plots.graphs import graphs as draw_graphs
from cutpoint.bench.statistics.verdicts import Statement
from cutpoint.plots.style import Figure

FULL, TRUE = "1|2|3|4|5|6", "12|345|6"
SCORES = {
    "aic_full": "AIC", "bic_full": "BIC", "mdl_rootless": "MDL", "aic": "AIC with r - 1 parameters",
    "bic": "BIC with r - 1 parameters", "mdl": "MDL with the roots' parameters",
}  # fmt: skip
# The rows of Table 5.1, and what each is
KINDS = {
    FULL: "full list", "12|3|4|5|6": "right removal", "1|23|4|5|6": "wrong removal", "1|2|34|5|6": "right removal",
    "1|2|3|45|6": "right removal", "1|2|3|4|56": "wrong removal", TRUE: "true",
}  # fmt: skip
REMOVALS = {  # what Table 5.1 shows
    "right": "all right removals lower DL local", "wrong": "both wrong removals raise it",
    "shortest": "the true discretization has the lowest of all",
}  # fmt: skip
PARAMETERS = {"dl_full": "r parameters, as printed", "dl_free": "r - 1 parameters"}
MOST = 0.95  # share of the samples that "all" asks for
SPREAD = 1e-9  # relative difference of scores that are equal


# Graphs: Figures 1.1 to 4.1, Tables 2.1 to 2.2


def few_graphs(
    inputs: Inputs, *, nodes: Mapping[str, Any], drawn: Mapping[str, str], height: float, title: str, scale: str
) -> Figure:
    """Draw graphs such as "1>2 2>3", by their title, on nodes with given places."""
    panels = [Graph(each, nodes, graphs.arcs(text)) for each, text in drawn.items()]
    return draw_graphs(panels, title=title, height=height, scale=scale)


def all_graphs(inputs: Inputs, *, nodes: Mapping[str, Any], title: str, scale: str) -> Figure:
    """Draw all graphs on three nodes in their Markov classes, the true one in colour."""
    arcs = dict(enumerate(graphs.GRAPHS, 1))
    marked = {graphs.TRUE_GRAPH: arcs[graphs.TRUE_GRAPH]}
    groups = [[Graph(str(g), nodes, arcs[g], marked=marked.get(g, ())) for g in each] for each in graphs.CLASSES]
    return groups_of_graphs(groups, title=title, scale=scale)


def removal_figure(inputs: Inputs, *, panels: Sequence[Mapping[str, Any]], title: str, scale: str) -> Figure:
    """Draw explosions of the three values side by side."""
    return explosions([Explosion(values=graphs.NODES, **each) for each in panels], title=title, scale=scale)


def count_dags(n: int) -> int:
    """Return the number of labelled DAGs on n nodes (Robinson 1977, the recurrence over sources)."""
    counts = [1]
    for m in range(1, n + 1):
        terms = ((-1) ** (k + 1) * comb(m, k) * 2 ** (k * (m - k)) * counts[m - k] for k in range(1, m + 1))
        counts.append(sum(terms))
    return counts[n]


def dags_table(inputs: Inputs) -> Content:
    """Return how many DAGs there are by number of nodes."""
    printed = inputs.printed("table_2.1_dags")
    counts = {str(n): count_dags(n) for n in range(1, 9)}
    cells = {n: Cell(count, int(printed[n]["dags"]) if n in printed else None) for n, count in counts.items()}
    return Content("nodes", ("DAGs",), [Row(n, n, "", (cell,)) for n, cell in cells.items()])


def _listed(members: Sequence[int]) -> str:
    return ", ".join(map(str, members))


# Scores of the graphs: Tables 2.3 and 3.1, claims T1 and T2


def score_table(inputs: Inputs, *, printed: str, columns: Mapping[str, Sequence[str]]) -> Content:
    """Return the mean scores of all graphs on samples of the fitted network beside print, and which are lowest.

    columns: by heading the column of the experiment and, if it is printed, that of the printed table.
    """
    ours, means, theirs = {}, {}, {}
    for head, (column, *names) in columns.items():
        values = {graph: each for graph, each in enumerate(by_graph(inputs, column, "fitted").T, 1) if len(each)}
        ours[head] = {graph: mean_cell(each, digits=1) for graph, each in values.items()}
        means[head] = {graph: float(each.mean()) for graph, each in values.items()}
        theirs[head] = {int(graph): line[name] for name in names for graph, line in inputs.printed(printed).items()}
    best, named = ({head: lowest(scores) for head, scores in side.items()} for side in (means, theirs))
    rows = []
    for graph in range(1, len(graphs.GRAPHS) + 1):
        cells = [replace(ours[head].get(graph, Cell()), published=theirs[head].get(graph)) for head in columns]
        mine, other = ("; ".join(h for h, members in side.items() if graph in members) for side in (best, named))
        label = f"{graph} (true)" if graph == graphs.TRUE_GRAPH else str(graph)
        rows.append(Row(str(graph), label, f"class {_listed(graphs.class_of(graph))}", (*cells, Cell(mine, other))))
    return Content("graph", (*columns, "lowest"), rows)


def lowest(scores: Mapping[int, float]) -> tuple[int, ...]:
    """Return the class of the graph with the lowest score."""
    return graphs.class_of(min(scores, key=scores.__getitem__)) if scores else ()


def by_graph(inputs: Inputs, column: str, parameters: str = "drawn") -> np.ndarray:
    """Return a score of all graphs on samples whose parameters were drawn or fitted, float64 [samples, 25]."""
    rows = rows_of(inputs, "graph_scores")
    rows = rows if rows.empty else rows[rows["parameters"] == parameters]
    return cube(rows, SAMPLE, "graph", value=column)[1].reshape(-1, len(graphs.GRAPHS))


def recoveries(inputs: Inputs, column: str) -> np.ndarray:
    """Return in which samples the class of the true graph has the lowest score, bool [samples]."""
    return np.isin(by_graph(inputs, column).argmin(1) + 1, graphs.class_of(graphs.TRUE_GRAPH))


def true_class_selected(inputs: Inputs) -> list[Statement]:
    """Return T1: each score selects the class of the true graph."""
    text = f"selects the class of graph {graphs.TRUE_GRAPH} in at least {MOST:.0%} of the samples"
    return [in_more_than(f"{label} {text}", recoveries(inputs, name), MOST) for name, label in SCORES.items()]


def equal_within_classes(inputs: Inputs) -> list[Statement]:
    """Return T2: scores are equal within each class."""
    return [_equal(f"{label} is equal within each class", by_graph(inputs, name)) for name, label in SCORES.items()]


def _equal(text: str, scores: np.ndarray) -> Statement:
    """Say that scores, float64 [samples, 25], are equal within each class of graphs."""
    if not len(scores):
        return unknown(text)
    classes = [scores[:, np.array(members) - 1] for members in graphs.CLASSES]
    widest = max(float((np.ptp(each, axis=1) / np.abs(each).max(1)).max()) for each in classes)
    return certain(text, widest <= SPREAD, {"relative difference": widest})


# Single removals: Table 5.1, claim T3


def lengths(inputs: Inputs, column: str) -> dict[str, np.ndarray]:
    """Return DL_local of every discretization, float64 [samples]."""
    (_, lists), values = cube(rows_of(inputs, "removals"), SAMPLE, "discretization", value=column)
    return dict(zip(lists, values.T, strict=True))


def removal_table(inputs: Inputs) -> Content:
    """Return DL_local of the full list, of single removals and of the truth."""
    printed = {key: line["dl_local"] for key, line in inputs.printed("table_5.1_dl_local").items()}
    full, free = (lengths(inputs, name) for name in ("dl_full", "dl_free"))
    rows = []
    for text, kind in KINDS.items():
        difference = printed[text] - printed[FULL] if printed else None
        cells = [Cell(published=printed.get(text)), Cell(published=difference), Cell(), Cell()]
        if full:
            above = full[text] - full[FULL]
            cells[0] = replace(mean_cell(full[text]), published=printed.get(text))
            if text != FULL:
                cells[1] = replace(mean_cell(above), published=difference)
                cells[2] = mean_cell(free[text] - free[FULL])
                cells[3] = share_of(int((above < 0).sum()), len(above))
        rows.append(Row(text, text.replace("|", " "), kind, tuple(cells)))
    columns = ("DL local", "minus full list", "minus full list, r - 1", "share below")
    return Content("discretization", columns, rows)


def wrong_removals_stand_out(inputs: Inputs) -> list[Statement]:
    """Return T3: wrong removals stand out and the truth is shortest, in nearly all samples."""
    parts = []
    for column, about in PARAMETERS.items():
        dl = lengths(inputs, column)
        outcomes = removals(dl) if dl else dict.fromkeys(REMOVALS, np.empty(0))
        for key, holds in outcomes.items():
            text = f"{REMOVALS[key]} in at least {MOST:.0%} of the samples ({about})"
            parts.append(in_more_than(text, holds, MOST))
    return parts


def removals(dl: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return in which samples DL_local shows each of REMOVALS, bool [samples]."""
    right, wrong = (
        [dl[text] - dl[FULL] for text, kind in KINDS.items() if kind == f"{which} removal"]
        for which in ("right", "wrong")
    )
    others = [each for text, each in dl.items() if text != TRUE]
    return {
        "right": np.max(right, axis=0) < 0,
        "wrong": np.min(wrong, axis=0) > 0,
        "shortest": dl[TRUE] < np.min(others, axis=0),
    }


# How often the truth is found: table_explosions, claim T4


def exact_explosions(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of table_explosions with the number of discretizations of m values."""
    rows = rows_of(inputs, "explosions")
    return rows if rows.empty else rows.assign(discretizations=2 ** (rows["values"] - 1))


def explosions_undone(inputs: Inputs) -> list[Statement]:
    """Return T4: what the search finds on exactly proportional counts of the most records, and from how many on."""
    rows = rows_of(inputs, "explosions")
    cost = "one pass makes m - 1 comparisons"
    outcome = f"it finds the true discretization, the shortest of all 2^(m - 1), in at least {MOST:.0%} of the tables"
    if rows.empty:
        return [unknown(text) for text in (cost, outcome)]
    cheap = bool((rows["comparisons"] == rows["values"] - 1).all())
    undone = (rows["recovered"] & rows["optimal"]).groupby(rows["records"])
    most = rows["records"].max()
    shares = {f"share, {n:,} records": float(share) for n, share in undone.mean().items()}
    of_most = undone.get_group(most).to_numpy()
    return [
        certain(cost, cheap, {"tables": float(len(of_most))}),
        in_more_than(f"with {most:,} records {outcome}", of_most, MOST, shares),
    ]
