"""Networks learned from jackknife samples of a data set: Figures 6 and 7, and claim S8.

The yeast data of the paper where a user has them, else the protein signalling data of Sachs et al. (2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inequalities import inequalities
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, grouped, number, only, runs_by_data
from cutpoint.bench.engine.samples import rows_of
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import graphs, lines
from cutpoint.bench.plots.lines import LinePanel
from cutpoint.bench.statistics.verdicts import Statement
from cutpoint.graphs.frequencies import ROUNDING, EdgeFrequencies, frequencies_of
from cutpoint.plots.style import Figure

GRID = "jackknife"
PAPER = "hartemink"
DATASETS = {
    PAPER: "yeast gene expression of the paper",
    "sachs": "protein signalling, 853 observational records; the yeast data of the paper are not at hand",
}
JUDGED = {PAPER: "yeast data", "sachs": "protein data, not the yeast data of the paper"}  # in claims
# What the columns of the yeast data are: the paper has 32 genes and the mating type
YEAST = {32: "32 genes, without the mating type", 33: "32 genes, with the mating type"}
KINDS = {"steck_quantile": "thresholds at quantiles", "steck_levels": "thresholds optimised"}
LEVELS = (3, 4, 5)  # printed; others may be run
BOTH, OPTIMISED = "steck_both", "both optimised"  # levels and thresholds
SOLID, DASHED, RATIO = 0.5, 0.34, 2.0  # shares of Figure 7, and how much likelier a direction is than the other


def dataset(inputs: Inputs) -> str:
    """Return the first of DATASETS from which anything was learned, the first where there is none."""
    table = inputs.metrics
    learned = set(table["dataset"][(table["grid"] == GRID) & (table["status"] == OK)])
    return next((name for name in DATASETS if name in learned), PAPER)


def missing(inputs: Inputs) -> str:
    """Return why no network was learned, or ""."""
    runs = inputs.metrics["grid"] == GRID
    good = (inputs.metrics["status"][runs] == OK).any()
    return inputs.missing(GRID) or ("" if good else f"no run of the {GRID} grid has succeeded")


def about(inputs: Inputs) -> str:
    """Return the sentence on which data were used."""
    name = dataset(inputs)
    there = name == PAPER and name in inputs.datasets and inputs.datasets[name].status == OK
    count = len(inputs.datasets[name].variables) if there else 0
    genes = f", {YEAST.get(count, f'{count} variables')}" if count else ""
    return f"Data: {DATASETS[name]}{genes}."


def which_data(inputs: Inputs) -> list[str]:
    """Return a note on the data, none where nothing was learned."""
    return [] if missing(inputs) else [about(inputs)]


# Numbers of edges: Figure 6 and claim S8


def of_data(inputs: Inputs, *, grid: str, metric: str) -> Columns:
    """Return a metric of every data set; the column of the one that is shown has the name of the mean."""
    columns = grouped(inputs, grid, ("dataset",), metric, ("dataset",))
    called = {MEAN: "all data sets", dataset(inputs): MEAN}
    return {called.get(name, name): numbers for name, numbers in columns.items()}


def edge_counts(inputs: Inputs) -> Content:
    """Return the numbers of edges of Figure 6."""
    edges, ours = number(inputs, "edges"), edge_spread(inputs)
    printed: dict[str, tuple[float | str, float | str]] = {**printed_spread(inputs)}
    if dataset(inputs) != PAPER:  # as texts, which stand beside ours and are not compared with them
        printed = {name: (f"{mean:.1f} (yeast)", f"{sd:.1f} (yeast)") for name, (mean, sd) in printed.items()}
    rows = []
    for method in inputs.methods:
        if method.name.startswith((*KINDS, BOTH)):
            kind = next((text for start, text in KINDS.items() if method.name.startswith(start)), OPTIMISED)
            (_, sd), theirs = ours.get(method.name, (None, None)), printed.get(method.name, (None, None))
            mean = edges.cell(method.name, theirs[0], digits=1)
            cells = mean, Cell(sd, theirs[1], reason=mean.reason, digits=1)
            rows.append(Row(method.name, method.label, kind, cells))
    return Content("method", ("Edges", "Standard deviation"), rows, missing=missing(inputs))


def edge_spread(inputs: Inputs) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of the number of edges by method, of those with any run."""
    counts = only(runs_by_data(inputs, GRID, "learned_edges", ("dataset",)), {"dataset": dataset(inputs)}).dropna(
        how="all"
    )
    return {name: (float(edges.mean()), float(edges.std())) for name, edges in counts.iterrows()}


def printed_spread(inputs: Inputs) -> dict[str, tuple[float, float]]:
    """Return the printed mean and standard deviation of the number of edges by method."""
    return {name: (line["mean"], line["std"]) for name, line in inputs.printed("figure_6_edges").items()}


def edges_against_levels(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the number of edges against the number of levels, ours and those of the paper."""
    if reason := missing(inputs):
        raise Absent(reason)
    drawn = [_edges("reproduced: " + DATASETS[dataset(inputs)].split(",")[0], edge_spread(inputs))]
    if printed := printed_spread(inputs):
        drawn.append(_edges("published: yeast, 33 variables", printed))
    title += f", mean and sd over jackknife samples\n{about(inputs)}"
    return lines.plots(drawn, title=title, scale=scale)


def _edges(head: str, spread: Mapping[str, tuple[float, float]]) -> LinePanel:
    """Return a panel of Figure 6 from means and standard deviations by method."""
    drawn = []
    for kind, label in KINDS.items():
        numbers = sorted(int(name.removeprefix(kind)) for name in spread if name.startswith(kind))
        mean, sd = np.array([spread[f"{kind}{r}"] for r in numbers], float).reshape(-1, 2).T
        drawn.append(lines.Line(label, np.array(numbers, float), mean, mean - sd, mean + sd))
    ends = np.concatenate([line.x for line in drawn])
    if BOTH in spread and ends.size:
        mean_, sd_ = spread[BOTH]
        head += f"\nboth optimised: {mean_:.1f} ± {sd_:.1f} edges"
        drawn.append(lines.Line(OPTIMISED, np.array([ends.min(), ends.max()]), np.full(2, mean_)))
    return LinePanel(head, drawn, "number of levels", "edges")


def by_ess(inputs: Inputs) -> pd.DataFrame:
    """Return the rows of the cross-validation that succeeded; the best size is so far `ahead` in 100 records."""
    rows = rows_of(inputs, "ess")
    rows = rows[rows["status"] == OK] if len(rows) else rows
    if rows.empty:
        return rows
    best = rows[rows["ess"] == rows.groupby("ess")["score"].mean().idxmax()].set_index("sample")["score"]
    return rows.assign(ahead=100 * (rows["sample"].map(best) - rows["score"]))


def fewer_levels_more_edges(inputs: Inputs) -> list[Statement]:
    """Return S8: edges by number of levels, and with thresholds optimised."""
    data = "" if missing(inputs) else f" ({JUDGED[dataset(inputs)]})"
    needs = {
        f"{about}: {r} levels give more edges than {s}{data}": f"{kind}{r} > {kind}{s} in edges"
        for kind, about in KINDS.items()
        for r, s in pairwise(LEVELS)
    }
    for r in LEVELS:
        text = f"{r} levels: optimised thresholds give more edges than quantiles{data}"
        needs[text] = f"steck_levels{r} > steck_quantile{r} in edges"
    return inequalities(inputs, needs)


# The composite graph: Figure 7


def composite_graph(inputs: Inputs) -> tuple[tuple[str, ...], list[dict[str, str | float | bool]], int]:
    """Return the variables, the edges of Figure 7 and the number of samples.

    Of several kinds of samples of the data set the one with the most runs is taken.

    Raises:
        Absent: nothing is known of the edges.
    """
    name = dataset(inputs)
    rows = [] if inputs.edges.empty else inputs.edges.query("dataset == @name and method == @BOTH").to_dict("records")
    if not rows:
        raise Absent(missing(inputs) or f"no edges of {BOTH}")
    most = max(rows, key=lambda row: (row["runs"], row["cell"]))
    rows, samples = [row for row in rows if row["cell"] == most["cell"]], int(most["runs"])
    variables = tuple(inputs.datasets[name].variables) if name in inputs.datasets else ()
    variables = variables or tuple(sorted({row[end] for row in rows for end in ("source", "target")}))
    shares = frequencies_of(rows, variables, samples)
    return variables, composite_edges(shares, variables), samples


def composite_edges(
    frequencies: EdgeFrequencies,
    variables: Sequence[str],
    *,
    solid: float = SOLID,
    dashed: float = DASHED,
    ratio: float = RATIO,
) -> list[dict[str, str | float | bool]]:
    """Return the edges of the composite graph (Steck and Jaakkola 2007, Figure 7), in order of the variables.

    An edge is solid when its share is above `solid` and dashed when it is above `dashed`. It has a direction where one
    is at least `ratio` times as likely as the contrary; an undirected edge counts half for either. Rows have source,
    target, directed, share and style, "solid" or "dashed".
    """
    likely = frequencies.directed + frequencies.undirected / 2
    rows: list[dict[str, str | float | bool]] = []
    for i, j in np.argwhere(np.triu(frequencies.adjacent > dashed, 1)):
        share = float(frequencies.adjacent[i, j])
        source, target = (i, j) if likely[i, j] >= likely[j, i] else (j, i)
        rows.append(
            {
                "source": variables[source],
                "target": variables[target],
                "directed": bool(likely[source, target] >= ratio * likely[target, source] - ROUNDING),
                "share": share,
                "style": "solid" if share > solid else "dashed",
            }
        )
    return rows


def composite_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the composite graph."""
    variables, edges, samples = composite_graph(inputs)
    title += f" of {samples} jackknife samples\neach leaves out 30 records"
    title += "; numbers: percent of the samples\n" + about(inputs).replace("; ", ";\n")
    meanings = f"above {100 * SOLID:g} %", f"above {100 * DASHED:g} %"
    scale = str(replace(inputs.scale, replicates=samples))
    return graphs.layered(variables, edges, title=title, meanings=meanings, scale=scale)
