"""The tables of Tran 2013 on graphs and their scores: 2.1, 2.3, 3.1 and the Markov classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cutpoint.graphs.dags import count_dags
from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import Rows, absent, cube, rows_of, scale_of, scale_of_one
from cutpoint.studies.tran2013 import examples

NODES = range(1, 9)


def table_dags(inputs: Inputs) -> Table:
    """Return Table 2.1: how many DAGs there are."""
    printed = inputs.printed("table_2.1_dags")
    counts = {str(n): count_dags(n) for n in NODES}
    rows = (
        Row(n, n, "", (Cell(count, int(printed[n]["dags"]) if n in printed else None),)) for n, count in counts.items()
    )
    return Table(
        name="table_2.1",
        title="Table 2.1: number of DAGs",
        caption="Labelled directed acyclic graphs by number of nodes, from Robinson's recurrence.",
        key="nodes",
        columns=("DAGs",),
        rows=tuple(rows),
        scale=scale_of_one(inputs),
    )


def table_classes(inputs: Inputs) -> Table:
    """Return the Markov classes of the graphs on three nodes."""

    def text(numbers: Sequence[int]) -> str:
        return ", ".join(map(str, numbers))

    printed = {tuple(members): text(members) for members in examples.TEXT_CLASSES}
    rows = []
    for number, members in enumerate(examples.classes(), 1):
        arcs, parameters = len(examples.GRAPHS[members[0] - 1]), examples.parameters(members[0], full=True)
        free = examples.parameters(members[0])
        cells = Cell(text(members), printed.get(members, "")), Cell(arcs), Cell(free), Cell(parameters)
        rows.append(Row(str(number), str(number), "", cells))
    contradicted = [text(m) for m in printed if m not in examples.classes()]
    return Table(
        name="table_classes",
        title="Markov classes of the graphs on three nodes",
        caption="Computed from their completed patterns, and as the text of 2.4 lists them; parameters of nodes with "
        "six values.",
        key="class",
        columns=("graphs", "arcs", "parameters, r - 1", "parameters, r"),
        rows=tuple(rows),
        scale=scale_of_one(inputs),
        notes=(f"The text also lists {'; '.join(contradicted)}, which are none.",) if contradicted else (),
    )


def lowest(scores: Mapping[int, float]) -> tuple[int, ...]:
    """Return the class of the graph with the lowest score."""
    return examples.class_of(min(scores, key=scores.__getitem__)) if scores else ()


def _scores(inputs: Inputs, name: str, title: str, columns: Mapping[str, tuple[str, str]], caption: str) -> Table:
    """Return a table of scores: heading -> column of the experiment and of print."""
    rows = rows_of(inputs, "graph_scores")
    printed = {int(graph): line for graph, line in inputs.printed(f"{name}_scores").items()}
    ours = {
        column: {int(row["graph"]): float(row[column]) for row in rows if row["sample"] == 0}
        for column, _ in columns.values()
    }
    theirs = {p: {graph: line[p] for graph, line in printed.items()} for _, p in columns.values() if p}
    best = {heading: lowest(ours[column]) for heading, (column, _) in columns.items()}
    named = {heading: lowest(theirs[p]) for heading, (_, p) in columns.items() if p}
    shown = []
    for graph in range(1, len(examples.GRAPHS) + 1):
        cells = [
            Cell(ours[column].get(graph), theirs[p].get(graph) if p else None, digits=3)
            for column, p in columns.values()
        ]
        mine, other = ("; ".join(h for h, members in each.items() if graph in members) for each in (best, named))
        members = ", ".join(map(str, examples.class_of(graph)))
        label = f"{graph} (true)" if graph == examples.TRUE_GRAPH else str(graph)
        shown.append(Row(str(graph), label, f"class {members}", (*cells, Cell(mine, other))))
    return Table(
        name=name,
        title=title,
        caption=caption,
        key="graph",
        columns=(*columns, "lowest"),
        rows=tuple(shown),
        scale=scale_of(inputs, "graph_scores"),
        notes=_recovered(rows, columns),
        missing=absent(inputs, "graph_scores"),
    )


def _recovered(rows: Rows, columns: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    """Return a sentence on how often each score selects the class of the true graph."""
    if not rows:
        return ()
    found = {heading: recoveries(rows, column) for heading, (column, _) in columns.items()}
    text = "; ".join(f"{heading} in {int(right.sum())} of {len(right)}" for heading, right in found.items())
    return (
        "The numbers are those of one sample of ours and one of the thesis, with other parameters: only their order "
        "can be compared.",
        f"The class of graph {examples.TRUE_GRAPH} has the lowest {text} samples.",
    )


def recoveries(rows: Rows, column: str) -> np.ndarray:
    """Return in which samples the class of the true graph has the lowest score, float64 [samples]."""
    (_, graphs), values = cube(rows, "sample", "graph", value=column)
    true = examples.class_of(examples.TRUE_GRAPH)
    return np.array([float(graphs[k] in true) for k in values.argmin(1)])


def table_aic_bic(inputs: Inputs) -> Table:
    """Return Table 2.3: AIC and BIC of all graphs on three nodes."""
    columns = {
        "AIC": ("aic_full", "aic"), "BIC": ("bic_full", "bic"), "AIC, r - 1": ("aic", ""), "BIC, r - 1": ("bic", ""),
    }  # fmt: skip
    caption = (
        "Data of graph 8. As printed, AIC and BIC count r parameters per configuration; r - 1 are free. Lowest: which "
        "scores have their lowest number in the class."
    )
    return _scores(inputs, "table_2.3", "Table 2.3: AIC and BIC of the 25 graphs", columns, caption)


def table_mdl(inputs: Inputs) -> Table:
    """Return Table 3.1: AIC, BIC and MDL of all graphs on three nodes."""
    columns = {
        "AIC": ("aic_full", "aic"), "BIC": ("bic_full", "bic"), "MDL": ("mdl_rootless", "mdl"),
        "MDL with roots": ("mdl", ""), "MDL in bits": ("mdl_bits_rootless", ""), "in bits with roots": ("mdl_bits", ""),
    }  # fmt: skip
    caption = (
        "Data of graph 8. As printed, MDL is in nats and leaves out the parameters of nodes without parents; (3.8) is "
        "in bits and counts them. Lowest: which scores have their lowest number in the class."
    )
    return _scores(inputs, "table_3.1", "Table 3.1: AIC, BIC and MDL of the 25 graphs", columns, caption)
