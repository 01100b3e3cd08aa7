"""Networks learned from jackknife samples of a data set (Figures 6 and 7).

The yeast data of the paper where a user has them, else the protein signalling data of Sachs et al. (2005).
"""

from __future__ import annotations

import numpy as np

from cutpoint.graphs.frequencies import EdgeFrequencies, composite_edges, frequencies_of
from cutpoint.studies.claims import draws_of, get
from cutpoint.studies.inputs import Grid, Inputs, grid
from cutpoint.studies.numbers import Columns, grouped

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
    learned = set(table["dataset"][(table["grid"] == GRID) & (table["status"] == "ok")])
    return next((name for name in DATASETS if name in learned), next(iter(DATASETS)))


def missing(inputs: Inputs) -> str:
    """Return why no network was learned, or ""."""
    if not (inputs.metrics["grid"] == GRID).any():
        return inputs.missing(GRID)
    good = (inputs.metrics["grid"] == GRID) & (inputs.metrics["status"] == "ok")
    return "" if good.any() else f"no run of the {GRID} grid has succeeded"


def incomparable(inputs: Inputs) -> str:
    """Return why there is nothing to compare with print, whose numbers are those of the yeast data, or ""."""
    if lost := missing(inputs):
        return lost
    return "" if dataset(inputs) == PAPER else "the yeast data of the paper are not at hand"


def label(inputs: Inputs, name: str) -> str:
    """Return what a data set is, the yeast data by their number of columns."""
    count = len(inputs.datasets[name].variables) if available(inputs, name) else 0
    if name != PAPER or not count:
        return DATASETS[name]
    return f"{DATASETS[name]}, {YEAST.get(count, f'{count} variables')}"


def available(inputs: Inputs, name: str) -> bool:
    """Return whether a data set could be had."""
    return name in inputs.datasets and inputs.datasets[name].status == "ok"


def about(inputs: Inputs, name: str = "") -> str:
    """Return the sentence on which data were used, those that were learned from unless others are named."""
    return f"Data: {label(inputs, name or dataset(inputs))}."


def notes(inputs: Inputs, lost: str, *more: str) -> tuple[str, ...]:
    """Return the notes of a table on the data set; where its numbers are lost, there are no data to name."""
    return more if lost else (about(inputs), *more)


def runs(inputs: Inputs) -> Grid:
    """Return the runs on jackknife samples, one cell per data set."""
    return grid(inputs, GRID, "dataset")


def column(inputs: Inputs, metric: str) -> Columns:
    """Return a metric by data set."""
    return grouped(inputs, GRID, ("dataset",), metric, ("dataset",))


def edge_draws(inputs: Inputs) -> tuple[dict[str, np.ndarray], int]:
    """Return the mean number of edges of every method in all draws, and the number of jackknife samples.

    Only the methods of Figure 6 take part.
    """
    found, units = draws_of(inputs, column(inputs, "learned_edges"), dataset(inputs))
    names = [f"{prefix}{r}" for prefix in KINDS for r in LEVELS]
    return dict(zip(names, get(found, names), strict=True)), units


def values(inputs: Inputs, metric: str) -> dict[str, np.ndarray]:
    """Return a metric of the data set's runs by method, float64 [samples], NaN where a run failed."""
    found, name = runs(inputs), dataset(inputs)
    if (name,) not in found.cells:
        return {}
    at = found.cells.index((name,))
    return {m.name: each[at] for m, each in zip(found.methods, found.cube(metric), strict=True)}


def spread(inputs: Inputs) -> dict[str, tuple[float, float]]:
    """Return mean and standard deviation of the number of edges by method, of those with any run."""
    found = {name: edges[np.isfinite(edges)] for name, edges in values(inputs, "learned_edges").items()}
    return {
        name: (float(edges.mean()), float(edges.std(ddof=1)) if len(edges) > 1 else np.nan)
        for name, edges in found.items()
        if len(edges)
    }


def printed_spread(printed: dict[str, dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Return the printed mean and standard deviation of the number of edges by the names of our methods."""
    found = {}
    for kind, which in zip(KINDS, ("quantile", "optimized"), strict=True):
        for levels, line in printed.items():
            if levels.isdigit() and f"{which}_mean" in line:
                found[f"{kind}{levels}"] = line[f"{which}_mean"], line[f"{which}_std"]
    if "optimized" in printed:
        found[BOTH] = printed["optimized"]["optimized_mean"], printed["optimized"]["optimized_std"]
    return found


def frequencies(inputs: Inputs) -> tuple[tuple[str, ...], EdgeFrequencies] | str:
    """Return the variables and how often each pair is joined by BOTH, or why nothing is known.

    Of several kinds of samples of the data set the one with the most runs is taken.
    """
    name = dataset(inputs)
    rows = [row for row in inputs.edges if row["dataset"] == name and row["method"] == BOTH]
    if not rows:
        return missing(inputs) or f"no edges of {BOTH}"
    most = max(rows, key=lambda row: (row["runs"], row["cell"]))
    rows = [row for row in rows if row["cell"] == most["cell"]]
    read = inputs.datasets.get(name)
    variables = tuple(read.variables) if read is not None else ()
    variables = variables or tuple(sorted({row[end] for row in rows for end in ("source", "target")}))
    return variables, frequencies_of(rows, variables, int(most["runs"]))


def composite(inputs: Inputs) -> tuple[tuple[str, ...], list[dict[str, str | float | bool]], int] | str:
    """Return the variables, the edges of Figure 7 and the number of samples, or why there are none."""
    found = frequencies(inputs)
    if isinstance(found, str):
        return found
    variables, shares = found
    edges = composite_edges(shares, variables, solid=SOLID, dashed=DASHED, ratio=RATIO)
    return variables, edges, shares.resamples
