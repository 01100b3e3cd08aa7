"""How sure the edges are: the share of resamples of the records in which a method finds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.graphs.frequencies import EdgeFrequencies, frequencies_of
from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import mean
from cutpoint.studies.inputs import Grid, Inputs, grid
from cutpoint.studies.own.outcomes import CONFIDENCE, basis, data, lost

MOST = 60  # pairs in the table
RATIO = 2.0  # how much likelier a direction is than the other
FORWARD, BACKWARD, NEITHER = "->", "<-", "--"


def resamples(inputs: Inputs) -> Grid:
    """Return the runs on resamples, one cell."""
    return grid(inputs, CONFIDENCE, "dataset")


def frequencies(inputs: Inputs) -> list[EdgeFrequencies | None]:
    """Return how often each method joins each pair, None for a method of which no run succeeded."""
    return inputs.once(("frequencies",), lambda: _frequencies(inputs))


def _frequencies(inputs: Inputs) -> list[EdgeFrequencies | None]:
    if lost(inputs, CONFIDENCE):
        return [None] * len(inputs.methods)
    names, table = data(inputs).variables, inputs.metrics
    good = table["method"][(table["grid"] == CONFIDENCE) & (table["status"] == "ok")].tolist()
    rows: dict[str, list] = {m.name: [] for m in inputs.methods}
    for row in inputs.edges:
        rows.setdefault(row["method"], []).append(row)
    counts = [good.count(m.name) for m in inputs.methods]
    return [
        frequencies_of(rows[m.name], names, count) if count else None
        for m, count in zip(inputs.methods, counts, strict=True)
    ]


def reason(inputs: Inputs, method: int) -> str:
    """Return why nothing is known of the edges of a method."""
    return lost(inputs, CONFIDENCE) or resamples(inputs).reason(method, [0])


def adjacent(inputs: Inputs) -> np.ndarray:
    """Return the share of resamples in which each pair is joined, float64 [M, n, n], NaN of a method that failed."""
    n = len(data(inputs).variables)
    return np.array([np.full((n, n), np.nan) if f is None else f.adjacent for f in frequencies(inputs)])


def middle(inputs: Inputs) -> np.ndarray:
    """Return the mean share of each pair over the methods that have any run, float64 [n, n], NaN where none has."""
    n = len(data(inputs).variables)
    return mean(adjacent(inputs), 0) if inputs.methods else np.full((n, n), np.nan)


def pairs(inputs: Inputs) -> list[tuple[int, int]]:
    """Return the pairs that any method joins, those with the highest mean share over the methods first."""
    shares = np.nan_to_num(middle(inputs))
    found = np.argwhere(np.triu(shares, 1) > 0)
    order = np.argsort(-shares[found[:, 0], found[:, 1]], kind="stable")
    return [(int(i), int(j)) for i, j in found[order]]


def mark(found: EdgeFrequencies, i: int, j: int) -> str:
    """Return the direction in which an edge points at least `RATIO` times as often as in the other."""
    pointed = found.pointed(RATIO)
    return FORWARD if pointed[i, j] else BACKWARD if pointed[j, i] else NEITHER


def table_edges(inputs: Inputs) -> Table:
    """Return the confidence of each edge by method, the surest edges first."""
    names, every, known = data(inputs).variables, pairs(inputs), frequencies(inputs)
    shares = middle(inputs)
    reasons = ["" if found else reason(inputs, m) for m, found in enumerate(known)]
    rows = [
        Row(f"{names[i]}--{names[j]}", f"{names[i]} - {names[j]}", "",
            (Cell(float(shares[i, j])), *_shares(known, reasons, i, j)))
        for i, j in every[:MOST]
    ]  # fmt: skip
    more = len(every) - len(rows)
    held = "; ".join(f"{m.label}: {why}" for m, why in zip(inputs.methods, reasons, strict=True) if why)
    return Table(
        name="table_edges",
        title="Confidence of the edges",
        caption="Share of the resamples of the records in which a method joins a pair of columns; 1 is always. Look "
        "for pairs that are near 1 for most methods: they depend neither on a few records nor on the method.",
        key="pair",
        columns=("Mean", *(m.label for m in inputs.methods)),
        rows=tuple(rows),
        scale=basis(inputs, CONFIDENCE),
        notes=(
            f"{FORWARD} from the first to the second, {BACKWARD} from the second to the first: at least {RATIO:g} "
            f"times as often as the other way; {NEITHER} no direction is that much likelier. An undirected edge counts "
            "half for either.",
            *([f"{more} more pairs with a lower mean are left out."] if more else []),
            *([f"Without results: {held}."] if held and not lost(inputs, CONFIDENCE) else []),
        ),
        missing=lost(inputs, CONFIDENCE) or ("" if rows else "no method found any edge in the resamples"),
    )


def _shares(known: Sequence[EdgeFrequencies | None], reasons: Sequence[str], i: int, j: int) -> list[Cell]:
    cells = []
    for found, why in zip(known, reasons, strict=True):
        if found is None:
            cells.append(Cell(reason=why))
        else:
            share = found.adjacent[i, j]
            cells.append(Cell(f"{share:.2f} {mark(found, i, j)}" if share > 0 else "0"))
    return cells
