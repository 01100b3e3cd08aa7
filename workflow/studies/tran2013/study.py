"""What is special in Tran 2013: graphs and their scores, removals of thresholds, how often searches find the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from cutpoint.bench.studies.tran2013 import graphs
from cutpoint.bench.studies.tran2013.misprints import FULL, TRUE

from cutpoint.base.text import listed
from cutpoint.bench.engine.claims import certain, in_more_than, unknown
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.samples import SAMPLE, SAMPLES, Rows, cube, mean_cell, rows_of, share_cell, share_of
from cutpoint.bench.engine.sentences import preview
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import heat
from cutpoint.bench.plots.explosions import Explosion, explosions
from cutpoint.bench.plots.graphs import Graph, groups_of_graphs
from cutpoint.bench.plots.graphs import graphs as draw_graphs
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.pairs import wilson
from cutpoint.bench.statistics.verdicts import Statement
from cutpoint.graphs.dags import count_dags
from cutpoint.plots.style import Figure

SEARCHES = {"onepass": "one pass", "iterated": "iterated removal", "optimum": "best of all, by brute force"}
FINDERS = {"onepass": "one pass", "iterated": "one at a time", "optimum": "the shortest of all, by brute force"}
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
    shown = [Graph(each, nodes, graphs.arcs(text)) for each, text in drawn.items()]
    return draw_graphs(shown, title=title, height=height, scale=scale)


def all_graphs(inputs: Inputs, *, nodes: Mapping[str, Any], title: str, scale: str) -> Figure:
    """Draw all graphs on three nodes in their Markov classes, the true one in colour."""
    arcs = dict(enumerate(graphs.GRAPHS, 1))
    marked = {graphs.TRUE_GRAPH: arcs[graphs.TRUE_GRAPH]}
    groups = [[Graph(str(g), nodes, arcs[g], marked=marked.get(g, ())) for g in each] for each in graphs.CLASSES]
    return groups_of_graphs(groups, title=title, scale=scale)


def removal_figure(inputs: Inputs, *, shown: Sequence[Mapping[str, Any]], title: str, scale: str) -> Figure:
    """Draw explosions of the three values side by side."""
    return explosions([Explosion(values=graphs.NODES, **each) for each in shown], title=title, scale=scale)


def dags_table(inputs: Inputs) -> Content:
    """Return how many DAGs there are by number of nodes."""
    printed = inputs.printed("table_2.1_dags")
    counts = {str(n): count_dags(n) for n in range(1, 9)}
    cells = {n: Cell(count, int(printed[n]["dags"]) if n in printed else None) for n, count in counts.items()}
    return Content("nodes", ("DAGs",), [Row(n, n, "", (cell,)) for n, cell in cells.items()])


def classes_table(inputs: Inputs) -> Content:
    """Return the Markov classes of the graphs on three nodes, and as the text of 2.4 lists them."""
    printed = {members: _listed(members) for members in graphs.TEXT_CLASSES}
    rows = []
    for number, members in enumerate(graphs.CLASSES, 1):
        counts = (graphs.parameters(members[0], full=full) for full in (False, True))
        arcs = len(graphs.GRAPHS[members[0] - 1])
        cells = (Cell(_listed(members), printed.get(members, "")), *map(Cell, (arcs, *counts)))
        rows.append(Row(str(number), str(number), "", cells))
    wrong = [text for members, text in printed.items() if members not in graphs.CLASSES]
    notes = [f"The text also lists {'; '.join(wrong)}, which are not classes."]
    return Content("class", ("graphs", "arcs", "parameters, r - 1", "parameters, r"), rows, notes=notes)


def _listed(members: Sequence[int]) -> str:
    return ", ".join(map(str, members))


# Scores of the graphs: Tables 2.3 and 3.1, claims T1 and T2


def score_table(inputs: Inputs, *, printed: str, columns: Mapping[str, Sequence[str]]) -> Content:
    """Return the scores of all graphs beside print, and which are lowest in their column.

    Args:
        inputs: of the study.
        printed: printed table.
        columns: by heading the column of the experiment and, if it is printed, that of the printed table.
    """
    first = [row for row in rows_of(inputs, "graph_scores") if row[SAMPLE] == 0]
    ours, theirs = {}, {}
    for head, (column, *names) in columns.items():
        ours[head] = {int(row["graph"]): float(row[column]) for row in first}
        theirs[head] = {int(graph): line[name] for name in names for graph, line in inputs.printed(printed).items()}
    best, named = ({head: lowest(scores) for head, scores in side.items()} for side in (ours, theirs))
    shown = []
    for graph in range(1, len(graphs.GRAPHS) + 1):
        cells = [Cell(ours[head].get(graph), theirs[head].get(graph), digits=3) for head in columns]
        mine, other = ("; ".join(h for h, members in side.items() if graph in members) for side in (best, named))
        label = f"{graph} (true)" if graph == graphs.TRUE_GRAPH else str(graph)
        shown.append(Row(str(graph), label, f"class {_listed(graphs.class_of(graph))}", (*cells, Cell(mine, other))))
    right = {head: recoveries(inputs, column) for head, (column, *_) in columns.items()}
    text = "; ".join(f"{head} in {each.sum()} of {len(each)}" for head, each in right.items())
    notes = [
        "Not comparable in size, only in order: one sample of ours and one of the thesis, with other parameters.",
        f"The class of graph {graphs.TRUE_GRAPH} has the lowest score: {text} samples.",
    ]
    return Content("graph", (*columns, "lowest"), shown, notes=notes if first else ())


def lowest(scores: Mapping[int, float]) -> tuple[int, ...]:
    """Return the class of the graph with the lowest score."""
    return graphs.class_of(min(scores, key=scores.__getitem__)) if scores else ()


def by_graph(inputs: Inputs, column: str) -> np.ndarray:
    """Return a score of all graphs, float64 [samples, 25]."""
    return cube(rows_of(inputs, "graph_scores"), SAMPLE, "graph", value=column)[1].reshape(-1, len(graphs.GRAPHS))


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
        cells = [Cell(published=printed.get(text)), Cell(published=difference), Cell(), Cell(), Cell()]
        if full:
            above = full[text] - full[FULL]
            cells[:2] = [Cell(float(full[text][0]), printed.get(text)), Cell(float(above[0]), difference)]
            if text != FULL:
                cells[2:4] = [mean_cell(each) for each in (above, free[text] - free[FULL])]
                cells[4] = share_of(int((above < 0).sum()), len(above))
        rows.append(Row(text, text.replace("|", " "), kind, tuple(cells)))
    columns = ("DL local", "minus full list", "mean difference", "mean, r - 1", "share below")
    return Content("discretization", columns, rows, notes=_of_samples(shown(full)) if full else ())


def _of_samples(said: Mapping[str, np.ndarray]) -> list[str]:
    """Return how often the samples show each of REMOVALS, and whether the one of the table does."""
    often = "; ".join(f"{REMOVALS[key]} in {each.sum()}" for key, each in said.items())
    here = ", ".join("yes" if each[0] else "no" for each in said.values())
    return [f"Of {len(said['right'])} samples, {often}; in the sample shown: {here}."]


def wrong_removals_stand_out(inputs: Inputs) -> list[Statement]:
    """Return T3: wrong removals stand out and the truth is shortest, in nearly all samples."""
    parts = []
    for column, about in PARAMETERS.items():
        dl = lengths(inputs, column)
        found = shown(dl) if dl else dict.fromkeys(REMOVALS, np.empty(0))
        for key, holds in found.items():
            text = f"{REMOVALS[key]} in at least {MOST:.0%} of the samples ({about})"
            parts.append(in_more_than(text, holds, MOST))
    return parts


def shown(dl: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
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


# How often the truth is found: table_explosions, table_recovery and their figure, claim T4


def exact_explosions(inputs: Inputs) -> Rows:
    """Return the rows of table_explosions with the number of discretizations of m values."""
    return [{**row, "discretizations": 2 ** (row["values"] - 1)} for row in rows_of(inputs, "explosions")]


def recovery_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw how often each search finds the true discretization, by m and the number of records."""
    cells = {(row["values"], row["records"]): row for row in rows_of(inputs, "recovery")}
    numbers, records = (sorted({each[k] for each in cells}) for k in (0, 1))
    return heat.heat_maps(
        [f"m = {m}" for m in numbers],
        [f"{n / 1000:g}" for n in records],
        [_found_by(label, [[cells.get((m, n)) for n in records] for m in numbers], k) for k, label in SEARCHES.items()],
        title=title,
        xlabel="records in thousands",
        scale=scale,
    )


def _found_by(label: str, rows: Sequence[Sequence[Mapping[str, Any] | None]], search: str) -> heat.Map:
    """Return how often a search finds the true discretization, in percent with the interval below."""
    found = [[share_cell([row], search) if row else Cell(np.nan, low=np.nan, high=np.nan) for row in of] for of in rows]
    shares = np.array([[(cell.reproduced, cell.low, cell.high) for cell in of] for of in found], float)
    return heat.Map(label, shares[..., 0], [[heat.with_interval(*100 * cell) for cell in of] for of in shares])


def explosions_undone(inputs: Inputs) -> list[Statement]:
    """Return T4: what the search finds on exactly proportional counts of the most records, and from how many on."""
    rows = rows_of(inputs, "explosions")
    cost = "one pass makes m - 1 comparisons"
    outcome = f"it finds the true discretization, the shortest of all 2^(m - 1), in at least {MOST:.0%} of the tables"
    if not rows:
        return [unknown(text) for text in (cost, outcome)]
    cheap = all(row["comparisons"] == row["values"] - 1 for row in rows)
    found = {n: _undone(rows, n) for n in sorted({row["records"] for row in rows})}
    most = max(found)
    shares = {f"share, {n:,} records": float(each.mean()) for n, each in found.items()}
    return [
        certain(cost, cheap, {"tables": float(len(found[most]))}),
        in_more_than(f"with {most:,} records {outcome}", found[most], MOST, shares),
    ]


def _undone(rows: Rows, records: int) -> np.ndarray:
    """Return in which tables of so many records the truth is found, and is the shortest of all, bool [tables]."""
    return np.array([row["recovered"] and row["optimal"] for row in rows if row["records"] == records])


def removal_answer(inputs: Inputs) -> str | None:
    """Say how often each search finds the true levels of sampled data."""
    rows = rows_of(inputs, "recovery")
    if not rows:
        return None
    if text := preview("Removal of thresholds", min(row[SAMPLES] for row in rows)):
        return text
    most = max(row["records"] for row in rows)
    chosen = [row for row in rows if row["records"] == most]
    parts = [f"{_percent(chosen, name)} ({how})" for name, how in FINDERS.items()]
    return f"Merging levels finds the true ones in {listed(parts)} of the samples with {most:,} records."


def _percent(rows: Rows, column: str) -> str:
    share, low, high = wilson(sum(row[column] for row in rows), sum(row[SAMPLES] for row in rows))
    return f"{100 * share:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
