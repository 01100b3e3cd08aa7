"""How stable the edges are: the share of resamples of the records in which a method learns them."""

import numpy as np

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import reasons
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import heat, style
from cutpoint.bench.statistics.estimates import mean
from cutpoint.bench.studies.own.outcomes import BOOTSTRAP, CONFIDENCE, data, lost, part_of, resample_of, truth
from cutpoint.graphs.frequencies import SETTLED, EdgeFrequencies, frequencies_of
from cutpoint.plots.style import clipped

FORWARD, BACKWARD, NEITHER = "->", "<-", "--"
ARROWS = {FORWARD: "→", BACKWARD: "←", NEITHER: "–"}
SURE = 0.9  # confidence of which it is known how often it was right
# Pairs that a method joined in more than 90 % of the bootstrap samples, and how many of them are truly adjacent, over
# the methods and data sets of the study `calibration` at published scale: table_networks, all methods
TRUSTED = {
    "alarm": {200: (304, 245), 1000: (724, 612)},
    "asia": {200: (44, 42), 1000: (77, 71)},
    "child": {200: (201, 199), 1000: (461, 446)},
    "insurance": {200: (278, 266), 1000: (694, 651)},
    "random": {200: (82, 82), 1000: (260, 257)},
    "sachs": {200: (82, 75), 1000: (269, 257)},
}
NONE = "no method found any edge in the resamples"


@once
def frequencies(inputs: Inputs) -> list[EdgeFrequencies | None]:
    """Return how often each method joins each pair, None for a method of which no run succeeded."""
    runs, edges, names = inputs.runs(CONFIDENCE), inputs.edges, data(inputs).variables
    counts = runs[runs["status"] == OK].groupby("method").size()
    return [
        frequencies_of(edges[edges["method"] == name].to_dict("records"), names, int(counts[name]))
        if name in counts
        else None
        for name in inputs.labels
    ]


def stability(shares: EdgeFrequencies | None) -> float:
    """Return the share of edges that two resamples have in common, whatever their direction.

    The edges in both of two graphs and those in either are summed over all pairs of resamples; NaN with fewer than two
    resamples, or without edges.
    """
    if shares is None:
        return np.nan
    total = shares.graphs
    count = shares.adjacent[np.triu_indices(len(shares.adjacent), 1)] * total
    both, neither = count * (count - 1), (total - count) * (total - count - 1)
    either = (total * (total - 1) - neither).sum()
    return float(both.sum() / either) if either > 0 else np.nan


def reason(inputs: Inputs, method: int) -> str:
    """Return why nothing is known of the edges of a method."""
    return lost(inputs, CONFIDENCE) or reasons(inputs, inputs.runs(CONFIDENCE)).iloc[method]


def adjacent(inputs: Inputs) -> np.ndarray:
    """Return the share of resamples in which each pair is joined, float64 [M, n, n], NaN of a method that failed."""
    n = len(data(inputs).variables)
    return np.array([np.full((n, n), np.nan) if f is None else f.adjacent for f in frequencies(inputs)])


def average(inputs: Inputs) -> np.ndarray:
    """Return the mean share of each pair over the methods that have any run, float64 [n, n], NaN where none has."""
    return mean(adjacent(inputs), 0)


def pairs(inputs: Inputs) -> list[tuple[int, int]]:
    """Return the pairs that any method joins, those with the highest mean share over the methods first."""
    shares = np.nan_to_num(average(inputs))
    edges = np.argwhere(np.triu(shares, 1) > 0)
    order = np.argsort(-shares[edges[:, 0], edges[:, 1]], kind="stable")
    return [(int(i), int(j)) for i, j in edges[order]]


def mark(edges: EdgeFrequencies, i: int, j: int) -> str:
    """Return the direction in which an edge points in at least `SETTLED` of the resamples."""
    return FORWARD if edges.settled[i, j] else BACKWARD if edges.settled[j, i] else NEITHER


def edges_table(inputs: Inputs, *, most: int) -> Content:
    """Return the confidence of each edge by method, the most frequent first, in at most so many rows."""
    names, every, by_method, shares = data(inputs).variables, pairs(inputs), frequencies(inputs), average(inputs)
    why = ["" if edges else reason(inputs, m) for m, edges in enumerate(by_method)]
    rows = []
    for i, j in every[:most]:
        each = [_share(edges, i, j, text) for edges, text in zip(by_method, why, strict=True)]
        rows.append(Row(f"{names[i]}--{names[j]}", f"{names[i]} - {names[j]}", "", (Cell(float(shares[i, j])), *each)))
    held, more = lost(inputs, CONFIDENCE), len(every) - len(rows)
    notes = [f"{more} more pairs, with lower means, are not shown."] if more else []
    notes += [text for text in (smaller(inputs), trusted(inputs)) if rows and text]
    columns = ("Mean", *(m.label for m in inputs.methods))
    return Content("pair", columns, rows, notes=notes, missing=held or ("" if rows else NONE))


def _share(edges: EdgeFrequencies | None, i: int, j: int, why: str) -> Cell:
    if edges is None:
        return Cell(reason=why)
    share, there, back = edges.adjacent[i, j], edges.directed[i, j], edges.directed[j, i]
    return Cell(f"{share:.2f} {mark(edges, i, j)} {there:.2f}/{back:.2f}" if share > 0 else "0")


def confidence_figure(inputs: Inputs, *, title: str, scale: str, most: int) -> style.Figure:
    """Draw how often every method learns the most frequent edges, of at most so many pairs, beside the true ones."""
    every, names, true = pairs(inputs), data(inputs).variables, truth(inputs)
    if true is not None:
        joined = np.argwhere(np.triu(true | true.T)).tolist()
        every += [(i, j) for i, j in joined if (i, j) not in every]
    if why := lost(inputs, CONFIDENCE) or ("" if every else NONE):
        raise Absent(why)
    by_method, likeliest = frequencies(inputs), every[:most]
    i, j = np.transpose(likeliest)
    shares = np.vstack([average(inputs)[None, i, j], adjacent(inputs)[:, i, j]]).T
    marks = [["", *(ARROWS[mark(f, *pair)] if f else "" for f in by_method)] for pair in likeliest]
    labels = [f"{clipped(names[i])} & {clipped(names[j])}" for i, j in likeliest]
    more = f"; {len(every) - len(likeliest)} more pairs are not shown" if len(every) > len(likeliest) else ""
    title += f"\n→ first to second, ← second to first, in at least {SETTLED:.0%} of the resamples; – neither{more}"
    heads = ["Mean", *(m.label for m in inputs.methods)]
    texts = heat.percents(shares, marks)
    if true is not None:
        heads, shares = ["True graph", *heads], np.column_stack([true[i, j] | true[j, i], shares])
        texts = [[_arrow(true, *pair), *row] for pair, row in zip(likeliest, texts, strict=True)]
    return heat.heat_map(labels, heads, shares, texts, title=title, scale=scale)


def _arrow(graph: np.ndarray, i: int, j: int) -> str:
    """Return the sign of an edge of an equivalence class, "" where there is none."""
    there, back = graph[i, j], graph[j, i]
    return "" if not (there or back) else ARROWS[NEITHER if there and back else FORWARD if there else BACKWARD]


def trusted(inputs: Inputs) -> str:
    """Return what so high a share was worth in simulated data, "" of other resamples than bootstrap samples."""
    if resample_of(inputs, CONFIDENCE) != BOOTSTRAP:
        return ""
    shares = [(true / count, name, n) for name, sizes in TRUSTED.items() for n, (count, true) in sizes.items()]
    (low, *least), (high, *most) = min(shares), max(shares)
    note = (
        "In simulated data (study calibration), of the pairs that a method joined in more than {:.0%} of the bootstrap "
        "samples between {:.0%} ({}, N = {}) and {:.0%} ({}, N = {}) were truly adjacent."
    )
    return note.format(SURE, low, *least, high, *most)


def smaller(inputs: Inputs) -> str:
    """Return what shares of resamples that are smaller than the data say, "" where they are not."""
    part = part_of(inputs)
    note = (
        "Each resample has {} of the {} records, so that the shares are those of graphs learned from so many: an edge "
        "that takes more records to be told is less frequent here than in graphs of all."
    )
    return note.format(part, len(data(inputs).values)) if part else ""
