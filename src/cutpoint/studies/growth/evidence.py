"""CPU seconds by size in all bootstrap draws, and the power laws fitted to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.statistics.powers import Power, cell_medians, power_law
from cutpoint.studies.inputs import Inputs, grid
from cutpoint.studies.numbers import Columns, reasons

FLOOR = 0.005  # CPU seconds: what is below is start-up and the tick of the clock


@dataclass(frozen=True)
class Axis:
    """What a grid changes: the name of the grid, the column of the metrics, its text and the size of reference."""

    grid: str
    size: str
    text: str
    reference: float


RECORDS = Axis("records", "n", "records", 1000)
VARIABLES = Axis("variables", "variables", "variables", 20)


def seconds(inputs: Inputs, axis: Axis) -> Columns:
    """Return the CPU seconds of every method by size: the median over replicates of each network.

    Where a grid has several networks of one size the column is the geometric mean of their medians, NaN where one of
    them has no successful run; ``values`` and ``strict`` are the same array.
    """
    return inputs.once(("growth", axis.grid), lambda: _seconds(_counted(inputs), axis))


def _counted(inputs: Inputs) -> Inputs:
    """Return inputs with the number of variables of every run."""
    return inputs.once("variables", lambda: _with_variables(inputs))


def _with_variables(inputs: Inputs) -> Inputs:
    table, read = inputs.metrics, inputs.networks
    sizes: dict[tuple[str, float], float] = {}
    for network, replicate in set(zip(table["network"], table["replicate"], strict=True)):
        true = read.get(f"{network}-{replicate:.0f}", read.get(network))  # a family has a network for each replicate
        sizes[network, replicate] = len(true.variables) if true is not None else np.nan
    found = [sizes[pair] for pair in zip(table["network"], table["replicate"], strict=True)]
    return inputs.with_metrics({**table, "variables": np.array(found, float)})


def _seconds(inputs: Inputs, axis: Axis) -> Columns:
    runs = grid(inputs, axis.grid, "network", axis.size)
    medians = cell_medians(runs.cube("seconds"), runs.weights) if runs.cells else np.empty((1, len(runs.methods), 0))
    sizes = sorted({cell[1] for cell in runs.cells})
    groups = [[i for i, cell in enumerate(runs.cells) if cell[1] == size] for size in sizes]
    with np.errstate(divide="ignore"):
        logs = np.log(medians)
    strict = [np.exp(logs[:, :, group].mean(2)) for group in groups]
    values = np.stack(strict, 2) if strict else medians
    return Columns(
        names=tuple(sizes),
        values=values,
        strict=values,
        runs=_counts(np.isfinite(runs.cube("seconds")).sum(2), groups),
        expected=_counts(np.tile(runs.present.sum(1), (len(runs.methods), 1)), groups),
        reasons=reasons(runs, "seconds", None, groups),
        units=tuple(runs.units(group) for group in groups),
    )


def _counts(cells: np.ndarray, groups: list[list[int]]) -> np.ndarray:
    return np.stack([cells[:, group].sum(1) for group in groups], 1) if groups else np.zeros((len(cells), 0), int)


def fitted(inputs: Inputs, axis: Axis) -> Power:
    """Return the power laws of all methods in all draws, float64 [D, M], over the sizes that `used` names."""
    return inputs.once(("fitted", axis.grid), lambda: _fitted(inputs, axis))


def _fitted(inputs: Inputs, axis: Axis) -> Power:
    source = seconds(inputs, axis)
    values = np.where(used(inputs, axis), source.values, np.nan)
    return power_law(np.array(source.names, float), values, axis.reference)


def used(inputs: Inputs, axis: Axis) -> np.ndarray:
    """Return which sizes a fit rests on, bool [M, K]: those where the median is at least FLOOR."""
    with np.errstate(invalid="ignore"):
        return seconds(inputs, axis).values[0] >= FLOOR


def units(inputs: Inputs, axis: Axis) -> int:
    """Return the smallest number of replicates of a size, 0 without any."""
    return min(seconds(inputs, axis).units, default=0)
