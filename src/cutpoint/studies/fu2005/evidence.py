"""Normalised results of the simulated and the real grid in all bootstrap draws (Fu 2005, V.1.3)."""

from __future__ import annotations

import numpy as np

from cutpoint.statistics.draws import cell_means, draw_weights, generator, mean, normalise
from cutpoint.studies import columns
from cutpoint.studies.columns import MEAN, Columns, grouped, merge, reasons
from cutpoint.studies.inputs import Grid, Inputs, grid

KEYS = ("network", "n")  # of a cell of the simulated grid

NETWORKS = ("alarm", "child", "hailfinder", "insurance")
SIZES = (500, 1000, 5000)
PREDISCRETIZATIONS = ("eqfreq2", "eqfreq3", "eqwidth2", "eqwidth3", "hartemink")
BINNINGS = PREDISCRETIZATIONS[:4]
FRIEDMAN, MONTI, STECK = ("friedman2", "friedman3"), ("monti2", "monti3"), ("steck2", "steck3")
INTEGRATED = (*FRIEDMAN, *MONTI, *STECK)
DIRECT = ("bach", "pc_fisherz", "tetrad_pc")
PRINTED = (*PREDISCRETIZATIONS, *INTEGRATED, *DIRECT)
FAMILIES = {
    "eqfreq": ("eqfreq2", "eqfreq3"),
    "eqwidth": ("eqwidth2", "eqwidth3"),
    "friedman": FRIEDMAN,
    "monti": MONTI,
    "steck": STECK,
}


def simulated(inputs: Inputs) -> Grid:
    """Return the simulated grid, cells (network, N)."""
    return grid(inputs, "simulated", *KEYS)


def ratios(inputs: Inputs, metric: str, reference: str | None) -> np.ndarray:
    """Return a metric per cell of the simulated grid in every draw, float64 [D, M, C]."""
    return columns.ratios(simulated(inputs), metric, reference)


def by_size(inputs: Inputs, metric: str, reference: str | None = "bach") -> Columns:
    """Return the normalised metric by N, and the mean over N (Tables V-4 to V-8)."""
    return grouped(inputs, "simulated", KEYS, metric, ("n",), reference)


def by_network(inputs: Inputs, metric: str) -> Columns:
    """Return the metric itself by network, and the mean over networks."""
    return grouped(inputs, "simulated", KEYS, metric, ("network",))


def family_edges(inputs: Inputs, metric: str) -> tuple[list[tuple[str, list[int]]], Columns]:
    """Return extraneous or missing edges over true edges by network, averaged over N and k (Table V-9).

    Returns:
        The rows as (name, places of the methods in them), and the columns with these rows as methods.
    """
    shares = inputs.once(("edges", metric), lambda: _shares(inputs, metric))
    rows: list[tuple[str, list[int]]] = []
    for i, method in enumerate(inputs.methods):
        name = next((f for f, members in FAMILIES.items() if method.name in members), method.name)
        found = next((row for row in rows if row[0] == name), None)
        if found:
            found[1].append(i)
        else:
            rows.append((name, [i]))
    return rows, merge(shares, [members for _, members in rows])


def _shares(inputs: Inputs, metric: str) -> Columns:
    with np.errstate(invalid="ignore", divide="ignore"):
        column = np.asarray(inputs.metrics[metric], float) / np.asarray(inputs.metrics["true_edges"], float)
    return by_network(inputs.with_metrics({**inputs.metrics, "share": column}), "share")


def real(inputs: Inputs, metric: str, reference: str = "bach") -> tuple[Columns, Columns]:
    """Return a normalised metric of the real data: its mean over data sets, and each set apart (Table V-11).

    Data sets are what is resampled; those without a single successful run do not count.
    """
    return inputs.once(("real", metric, reference), lambda: _real(inputs, metric, reference))


def _real(inputs: Inputs, metric: str, reference: str) -> tuple[Columns, Columns]:
    runs = grid(inputs, "real", "dataset")
    means = mean(runs.cube(metric), 2) if runs.cells else np.empty((len(runs.methods), 0))
    at = runs.index(reference)
    ratio = np.full_like(means, np.nan) if at is None else normalise(means, at)
    useful = np.flatnonzero(np.asarray(np.isfinite(runs.cube("seconds")).any((0, 2))))
    weights = draw_weights(np.ones((1, useful.size), bool), generator(inputs.scale.seed, "real", "bootstrap"))
    kept = ratio[:, None, useful]
    values = cell_means(kept, weights) if useful.size else np.full((1, len(means), 1), np.nan)
    whole = np.asarray(np.isfinite(kept).all((1, 2)) & (useful.size > 0))
    why = reasons(runs, metric, reference, [*[[c] for c in range(len(runs.cells))], range(len(runs.cells))])
    pooled = Columns(
        names=(MEAN,),
        values=values,
        strict=np.where(whole[None, :, None], values, np.nan),
        runs=np.isfinite(kept).sum((1, 2))[:, None],
        expected=np.full((len(means), 1), useful.size),
        reasons=[r[-1:] for r in why],
        units=(useful.size,),
    )
    apart = Columns(
        names=tuple(cell[0] for cell in runs.cells),
        values=ratio[None],
        strict=ratio[None],
        runs=np.isfinite(ratio).astype(int),
        expected=np.ones(ratio.shape, int),
        reasons=[r[:-1] for r in why],
        units=(1,) * len(runs.cells),
    )
    return pooled, apart
