"""Normalised results of the simulated and the real grid in all bootstrap draws (Fu 2005, V.1.3).

Arrays have the draws first; draw 0 is the sample itself. ``values`` means over what is there, as the tables
do; ``strict`` is NaN as soon as one cell of the mean has no successful run, as claims demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.artefacts import Cell
from cutpoint.statistics import cell_means, draw_weights, generator, interval, mean, normalise
from cutpoint.studies.inputs import Grid, Inputs, grid

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
MEAN = "mean"


@dataclass(frozen=True)
class Columns:
    """A metric of every method in some columns of a table.

    Attributes:
        names: what the columns stand for: N, network or data set, and MEAN.
        values, strict: float64 [D, M, K].
        runs, expected: int [M, K], runs with a value and runs asked for.
        reasons: [M][K], why a value is missing.
        units: smallest number of resampled units behind each column.
    """

    names: tuple
    values: np.ndarray
    strict: np.ndarray
    runs: np.ndarray
    expected: np.ndarray
    reasons: list[list[str]]
    units: tuple[int, ...]

    def cell(self, method: int, name: object, published: float | None = None, digits: int = 2) -> Cell:
        """Return the table cell of a method in a column, with its interval where one can be had."""
        if name not in self.names:
            return Cell(published=published, reason="no runs at this scale", digits=digits)
        k = self.names.index(name)
        draws = self.values[:, method, k]
        low, high = interval(draws[1:]) if self.units[k] > 1 else (np.nan, np.nan)
        return Cell(
            reproduced=float(draws[0]),
            published=published,
            low=float(low),
            high=float(high),
            runs=int(self.runs[method, k]),
            expected=int(self.expected[method, k]),
            reason=self.reasons[method][k],
            digits=digits,
        )


def simulated(inputs: Inputs) -> Grid:
    """Return the simulated grid, cells (network, N)."""
    return grid(inputs, "simulated", "network", "n")


def ratios(inputs: Inputs, metric: str, reference: str | None) -> np.ndarray:
    """Return a metric per cell in every draw, divided by the reference's, float64 [D, M, C]."""

    def make() -> np.ndarray:
        runs = simulated(inputs)
        means = cell_means(runs.cube(metric), runs.weights)
        if reference is None:
            return means
        at = runs.index(reference)
        return np.full_like(means, np.nan) if at is None else normalise(means, at)

    return inputs.once(("ratios", metric, reference), make)


def _column(values: np.ndarray, groups: Sequence[Sequence[int]], *, strict: bool) -> np.ndarray:
    """Return the mean over each group of cells, float64 [D, M, K]."""
    take = [values[:, :, list(g)].mean(2) if strict else mean(values[:, :, list(g)], 2) for g in groups]
    return np.stack(take, 2) if take else np.empty((*values.shape[:2], 0))


def _with_mean(columns: np.ndarray, *, strict: bool) -> np.ndarray:
    if not columns.shape[2]:
        return np.full((*columns.shape[:2], 1), np.nan)
    total = columns.mean(2) if strict else mean(columns, 2)
    return np.concatenate([columns, total[:, :, None]], 2)


def by_size(inputs: Inputs, metric: str, reference: str | None = "bach") -> Columns:
    """Return the normalised metric by N, and the mean over N (Tables V-4 to V-8)."""
    return inputs.once(("by_size", metric, reference), lambda: _grouped(inputs, metric, reference, 1))


def by_network(inputs: Inputs, metric: str) -> Columns:
    """Return the metric itself by network, and the mean over networks."""
    return inputs.once(("by_network", metric), lambda: _grouped(inputs, metric, None, 0))


def _grouped(inputs: Inputs, metric: str, reference: str | None, key: int) -> Columns:
    runs = simulated(inputs)
    names = tuple(sorted({cell[key] for cell in runs.cells}))
    groups = [[i for i, cell in enumerate(runs.cells) if cell[key] == name] for name in names]
    values = ratios(inputs, metric, reference)
    everything = [*groups, list(range(len(runs.cells)))]
    good = np.isfinite(runs.cube(metric))
    return Columns(
        names=(*names, MEAN),
        values=_with_mean(_column(values, groups, strict=False), strict=False),
        strict=_with_mean(_column(values, groups, strict=True), strict=True),
        runs=np.stack([good[:, g].sum((1, 2)) for g in everything], 1),
        expected=np.tile([int(runs.present[g].sum()) for g in everything], (len(good), 1)),
        reasons=_reasons(runs, reference, everything),
        units=tuple(runs.units(g) for g in everything),
    )


def _reasons(runs: Grid, reference: str | None, groups: Sequence[Sequence[int]]) -> list[list[str]]:
    at = runs.index(reference) if reference else None
    lost = ["" for _ in groups]
    if reference:
        lost = [f"no reference: {runs.reason(at, g) if at is not None else 'not among the methods'}" for g in groups]
    status = runs.inputs.metrics["status"]
    table = []
    for m in range(len(runs.methods)):
        rows = [runs.rows[m][list(g)] for g in groups]
        own = [any(status[i] == "ok" for i in r.flat if i >= 0) for r in rows]
        table.append(
            [why if ok and reference else runs.reason(m, g) for ok, why, g in zip(own, lost, groups, strict=True)]
        )
    return table


def family_edges(inputs: Inputs, metric: str) -> tuple[list[tuple[str, list[int]]], Columns]:
    """Return extraneous or missing edges over true edges by network, averaged over N and k (Table V-9).

    Returns:
        The rows as (name, places of the methods in them), and the columns with these rows as methods.
    """
    columns = inputs.once(("edges", metric), lambda: _grouped_share(inputs, metric))
    rows: list[tuple[str, list[int]]] = []
    for i, method in enumerate(inputs.methods):
        name = next((f for f, members in FAMILIES.items() if method.name in members), method.name)
        found = next((row for row in rows if row[0] == name), None)
        if found:
            found[1].append(i)
        else:
            rows.append((name, [i]))
    return rows, merge(columns, [members for _, members in rows])


def merge(columns: Columns, rows: Sequence[Sequence[int]]) -> Columns:
    """Return columns with the mean over some methods in each row."""
    if not rows:
        return columns
    parts = [(columns.values[:, r], columns.strict[:, r]) for r in rows]
    return Columns(
        names=columns.names,
        values=np.stack([mean(values, 1) for values, _ in parts], 1),
        strict=np.stack([strict.mean(1) for _, strict in parts], 1),
        runs=np.stack([columns.runs[list(r)].sum(0) for r in rows]),
        expected=np.stack([columns.expected[list(r)].sum(0) for r in rows]),
        reasons=[columns.reasons[r[0]] for r in rows],
        units=columns.units,
    )


def _grouped_share(inputs: Inputs, metric: str) -> Columns:
    share = f"{metric}_share"
    with np.errstate(invalid="ignore", divide="ignore"):
        column = np.asarray(inputs.metrics[metric], float) / np.asarray(inputs.metrics["true_edges"], float)
    widened = Inputs(**{**vars(inputs), "metrics": {**inputs.metrics, share: column}, "cache": {}})
    return _grouped(widened, share, None, 0)


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
    reasons = _reasons(runs, reference, [*[[c] for c in range(len(runs.cells))], range(len(runs.cells))])
    pooled = Columns(
        names=(MEAN,),
        values=values,
        strict=np.where(whole[None, :, None], values, np.nan),
        runs=np.isfinite(kept).sum((1, 2))[:, None],
        expected=np.full((len(means), 1), useful.size),
        reasons=[r[-1:] for r in reasons],
        units=(useful.size,),
    )
    apart = Columns(
        names=tuple(cell[0] for cell in runs.cells),
        values=ratio[None],
        strict=ratio[None],
        runs=np.isfinite(ratio).astype(int),
        expected=np.ones(ratio.shape, int),
        reasons=[r[:-1] for r in reasons],
        units=(1,) * len(runs.cells),
    )
    return pooled, apart
