"""What is special in Tran 2013: graphs and their scores, removals of thresholds, how often searches find the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cutpoint.graphs.dags import count_dags
from cutpoint.plots import lines
from cutpoint.plots.explosions import Explosion, explosions
from cutpoint.plots.graphs import Graph, groups_of_graphs
from cutpoint.plots.graphs import graphs as draw_graphs
from cutpoint.plots.style import Figure
from cutpoint.report.artefacts import Cell, Row
from cutpoint.report.claims import Inequality
from cutpoint.statistics.pairs import wilson
from cutpoint.studies.claims import truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import Rows, cube, mean_cell, means, rows_of
from cutpoint.studies.tables import Content
from cutpoint.studies.tran2013 import graphs
from cutpoint.studies.tran2013.misprints import FULL, TRUE

SEARCHES = {"onepass": "one pass", "iterated": "iterated removal", "optimum": "smallest DL local of all"}
SCORES = {
    "aic_full": "AIC", "bic_full": "BIC", "mdl_rootless": "MDL", "aic": "AIC with r - 1 parameters",
    "bic": "BIC with r - 1 parameters", "mdl": "MDL with the roots' parameters",
}  # fmt: skip
# The rows of Table 5.1, and what each is
KINDS = {
    FULL: "full list", "12|3|4|5|6": "right removal", "1|23|4|5|6": "wrong removal", "1|2|34|5|6": "right removal",
    "1|2|3|45|6": "right removal", "1|2|3|4|56": "wrong removal", TRUE: "true",
}  # fmt: skip
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
    rows, lines_ = rows_of(inputs, "graph_scores"), inputs.printed(printed)
    first = [row for row in rows if row["sample"] == 0]
    ours, theirs = {}, {}
    for head, (column, *names) in columns.items():
        ours[head] = {int(row["graph"]): float(row[column]) for row in first}
        theirs[head] = {int(graph): line[name] for name in names for graph, line in lines_.items()}
    best, named = ({head: lowest(scores) for head, scores in side.items()} for side in (ours, theirs))
    shown = []
    for graph in range(1, len(graphs.GRAPHS) + 1):
        cells = [Cell(ours[head].get(graph), theirs[head].get(graph), digits=3) for head in columns]
        mine, other = ("; ".join(h for h, members in side.items() if graph in members) for side in (best, named))
        label = f"{graph} (true)" if graph == graphs.TRUE_GRAPH else str(graph)
        shown.append(Row(str(graph), label, f"class {_listed(graphs.class_of(graph))}", (*cells, Cell(mine, other))))
    return Content("graph", (*columns, "lowest"), shown, notes=_recovered(rows, columns))


def lowest(scores: Mapping[int, float]) -> tuple[int, ...]:
    """Return the class of the graph with the lowest score."""
    return graphs.class_of(min(scores, key=scores.__getitem__)) if scores else ()


def recoveries(rows: Rows, column: str) -> np.ndarray:
    """Return in which samples the class of the true graph has the lowest score, float64 [samples]."""
    (_, numbers), values = cube(rows, "sample", "graph", value=column)
    true = graphs.class_of(graphs.TRUE_GRAPH)
    return np.array([float(numbers[k] in true) for k in values.argmin(1)])


def _recovered(rows: Rows, columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return how often each score selects the class of the true graph."""
    if not rows:
        return []
    found = {heading: recoveries(rows, column) for heading, (column, *_) in columns.items()}
    text = "; ".join(f"{heading} in {int(right.sum())} of {len(right)}" for heading, right in found.items())
    return [
        "Scores are those of one sample of ours and of the one of the thesis, which have different parameters: only "
        "their order can be compared.",
        f"The class of graph {graphs.TRUE_GRAPH} has the lowest score: {text} samples.",
    ]


Decided = tuple[np.ndarray, dict[str, float], int | None]  # truth in all draws, numbers and units of an inequality
UNKNOWN: Decided = np.full(1, np.nan), {}, 0


def _of_scores(inputs: Inputs, text: str, decide: Callable[[Rows, str], Decided]) -> list[Inequality]:
    """Return an inequality for each score; {} in its text is what the score is called."""
    rows = rows_of(inputs, "graph_scores")
    return [
        Inequality(text.format(label), *(decide(rows, name) if rows else UNKNOWN)) for name, label in SCORES.items()
    ]


def true_class_selected(inputs: Inputs) -> list[Inequality]:
    """Return T1: each score selects the class of the true graph."""

    def decide(rows: Rows, name: str) -> Decided:
        right = recoveries(rows, name)
        draws = means(inputs, right)
        return truth(draws >= MOST), {"share": float(draws[0])}, len(right)

    text = f"{{}} selects the class of graph {graphs.TRUE_GRAPH} in at least {MOST:.0%} of the samples"
    return _of_scores(inputs, text, decide)


def equal_within_classes(inputs: Inputs) -> list[Inequality]:
    """Return T2: scores are equal within each class."""

    def decide(rows: Rows, name: str) -> Decided:
        (_, numbers), values = cube(rows, "sample", "graph", value=name)
        parts = [values[:, [numbers.index(graph) for graph in members]] for members in graphs.CLASSES]
        widest = max(float((np.ptp(part, axis=1) / np.abs(part).max(1)).max()) for part in parts)
        return truth(np.array([widest <= SPREAD])), {"relative difference": widest}, None

    return _of_scores(inputs, "{} is equal within each class", decide)


# Single removals: Table 5.1, claim T3


def removal_table(inputs: Inputs) -> Content:
    """Return DL_local of the full list, of single removals and of the truth."""
    rows = rows_of(inputs, "removals")
    printed = {key: line["dl_local"] for key, line in inputs.printed("table_5.1_dl_local").items()}
    found = []
    for text, kind in KINDS.items():
        difference = printed[text] - printed[FULL] if printed else None
        cells = [Cell(published=printed.get(text)), Cell(published=difference), Cell(), Cell(), Cell()]
        if rows:
            lengths, above = _lengths(rows, "dl_full", text), _lengths(rows, "dl_full", text, FULL)
            cells[:2] = [Cell(float(lengths[0]), printed.get(text)), Cell(float(above[0]), difference)]
            if text != FULL:
                free = _lengths(rows, "dl_free", text, FULL)
                cells[2:] = [mean_cell(inputs, above), mean_cell(inputs, free), Cell(float((above < 0).mean()))]
        found.append(Row(text, text.replace("|", " "), kind, tuple(cells)))
    columns = ("DL local", "minus full list", "mean difference", "mean, r - 1", "share below")
    return Content("discretization", columns, found)


def _lengths(rows: Rows, name: str, text: str, base: str = "") -> np.ndarray:
    """Return DL_local of a discretization, less that of another one if it is named, float64 [samples]."""
    (_, lists), values = cube(rows, "sample", "discretization", value=name)
    return values[:, lists.index(text)] - (values[:, lists.index(base)] if base else 0.0)


def wrong_removals_stand_out(inputs: Inputs) -> list[Inequality]:
    """Return T3: wrong removals stand out and the truth is shortest, by the mean over samples."""
    rows = rows_of(inputs, "removals")
    said = {"right removals lower DL local": 1, "wrong removals raise it": -1}
    said["the true discretization is the shortest of all"] = 1
    found = []
    for name, about in {"dl_full": "r parameters, as printed", "dl_free": "r - 1 parameters"}.items():
        changes = _changes(rows, name) if rows else [np.empty(0)] * len(said)
        for (text, sign), change in zip(said.items(), changes, strict=True):
            decided = _falls(inputs, change, sign) if rows else UNKNOWN
            found.append(Inequality(f"{text} ({about})", *decided))
    return found


def _falls(inputs: Inputs, change: np.ndarray, sign: int) -> Decided:
    """Return whether the mean of a change over samples has the opposite of a sign."""
    draws = means(inputs, change)
    numbers = {"mean difference": float(draws[0]), "share of samples": float((sign * change < 0).mean())}
    return truth(sign * draws < 0), numbers, len(change)


def _changes(rows: Rows, name: str) -> list[np.ndarray]:
    """Return three numbers by sample, each float64 [samples].

    They are the highest change of a right removal and the lowest of a wrong one, against the full list, and the true
    discretization minus the shortest of all others.
    """
    (_, lists), values = cube(rows, "sample", "discretization", value=name)
    change = values - values[:, [lists.index(FULL)]]
    right, wrong = (
        change[:, [lists.index(text) for text, kind in KINDS.items() if kind == f"{which} removal"]]
        for which in ("right", "wrong")
    )
    true = lists.index(TRUE)
    return [right.max(1), wrong.min(1), values[:, true] - np.delete(values, true, 1).min(1)]


# How often the truth is found: table_explosions, table_recovery and their figure, claim T4


def shares(rows: Rows, search: str) -> dict[tuple[int, int], Cell]:
    """Return by number of values and of records how often a search succeeds, with Wilson's interval."""
    counts: dict[tuple[int, int], tuple[int, int]] = {}
    for row in rows:
        key = int(row["values"]), int(row["records"])
        found, total = counts.get(key, (0, 0))
        counts[key] = found + int(row[search]), total + int(row.get("samples", 1))
    estimates = {key: wilson(*count) for key, count in counts.items()}
    return {key: Cell(share, low=low, high=high) for key, (share, low, high) in estimates.items()}


def _share_table(rows: Rows, panels: Mapping[str, tuple[str, str]]) -> Content:
    """Return a row per number of values and a column per number of records.

    Args:
        rows: of the experiment.
        panels: by title the column of the rows, and the heading of each number of records.
    """
    records, values = (sorted({int(row[key]) for row in rows}) for key in ("records", "values"))
    cells = [shares(rows, name) for name, _ in panels.values()]
    shown = [Row(str(m), str(m), "", tuple(each[m, n] for each in cells for n in records)) for m in values]
    columns = [head.format(n) for _, head in panels.values() for n in records]
    width = len(records)
    places = [(title, range(i * width, (i + 1) * width)) for i, title in enumerate(panels)]
    return Content("values m", columns, shown, places)


def recovery_table(inputs: Inputs) -> Content:
    """Return how often each search finds the truth on sampled data."""
    panels = {label: (name, f"{label}, {{:,}}") for name, label in SEARCHES.items()}
    return _share_table(rows_of(inputs, "recovery"), panels)


def explosions_table(inputs: Inputs) -> Content:
    """Return how often one pass finds the truth on exactly proportional counts, and at what cost."""
    rows = rows_of(inputs, "explosions")
    panels = {
        "true discretization found": ("recovered", "found {:,}"),
        "smallest DL local of all found": ("optimal", "smallest {:,}"),
    }
    found = _share_table(rows, panels)
    shown = []
    for row in found.rows:
        m = int(row.key)
        cost = Cell(max(each["comparisons"] for each in rows if each["values"] == m)), Cell(2 ** (m - 1))
        shown.append(Row(row.key, row.label, "", (*cost, *row.cells)))
    places = [("cost", range(2)), *((title, range(r.start + 2, r.stop + 2)) for title, r in found.panels)]
    return Content(found.key, ("comparisons", "discretizations", *found.columns), shown, places)


def recovery_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw how often each search finds the true discretization, against m and the number of records."""
    rows = rows_of(inputs, "recovery")
    panels = []
    for name, label in SEARCHES.items():
        found = shares(rows, name)
        drawn = []
        for m in sorted({m for m, _ in found}):
            mine = {n: cell for (values, n), cell in sorted(found.items()) if values == m}
            y = 100 * np.array([[c.reproduced, c.low, c.high] for c in mine.values()], float).T
            # equally spaced decades; the axis names the numbers
            drawn.append(lines.Line(f"m = {m}", np.log10([*mine]), *y))
        ticks = {float(np.log10(n)): f"{n / 1000:g}" for _, n in found}
        panels.append(lines.Panel(label, drawn, "records in thousands", ticks))
    return lines.rows_of_lines(panels, ylabel="% of the samples", title=title, spread=0.03, scale=scale)


def explosions_undone(inputs: Inputs) -> list[Inequality]:
    """Return T4: what the search finds on exactly proportional counts, for each number of records."""
    rows = rows_of(inputs, "explosions")
    cost = "one pass makes m - 1 comparisons"
    found = "finds the true discretization, the shortest of all 2^(m - 1), in every table"
    if not rows:
        return [Inequality(text, *UNKNOWN) for text in (cost, f"it {found}")]
    costs = float(np.mean([row["comparisons"] == row["values"] - 1 for row in rows]))
    parts = [Inequality(cost, _all(costs), {"share": costs, "tables": float(len(rows))}, None)]
    for records in sorted({row["records"] for row in rows}):
        mine = [row for row in rows if row["records"] == records]
        right, shortest = (float(np.mean([row[name] for row in mine])) for name in ("recovered", "optimal"))
        numbers = {"share found": right, "share shortest": shortest, "tables": float(len(mine))}
        parts.append(Inequality(f"with {records:,} records it {found}", _all(right, shortest), numbers, None))
    return parts


def _all(*shares: float) -> np.ndarray:
    """Return whether shares are whole, float64 [1]."""
    return truth(np.array([min(shares) == 1]))


def removal_answer(inputs: Inputs) -> str | None:
    """Say how often each search finds the true levels of sampled data."""
    rows = rows_of(inputs, "recovery")
    if not rows:
        return None
    most = max(int(row["records"]) for row in rows)
    chosen = [row for row in rows if int(row["records"]) == most]
    total = sum(int(row["samples"]) for row in chosen)
    rates = {label: sum(int(row[name]) for row in chosen) / total for name, label in SEARCHES.items()}
    parts = ", ".join(f"{label} {rate:.0%}" for label, rate in rates.items())
    return f"Removal of thresholds, share of samples of {most:,} records in which the true levels are found: {parts}."
