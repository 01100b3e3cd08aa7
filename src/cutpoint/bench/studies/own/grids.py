"""The runs of one grid as positions in cubes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.inputs import Inputs, Method, once, short
from cutpoint.bench.report.artefacts import UNDEFINED
from cutpoint.statistics.estimates import Statistic, jackknife

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Grid:
    """The runs of one grid as positions in cubes [method, cell, replicate].

    Attributes:
        name: of the grid.
        keys: columns of the metrics that tell its cells apart.
        cells: keys of the cells, sorted.
        replicates: their numbers, sorted.
        present: bool [C, R], replicates that any method was asked for.
        rows: int [M, C, R], row in the metrics, -1 where a method has none.
    """

    inputs: Inputs
    name: str
    keys: tuple[str, ...]
    methods: tuple[Method, ...]
    cells: tuple[Key, ...]
    replicates: tuple[int, ...]
    present: np.ndarray
    rows: np.ndarray

    def cube(self, metric: str) -> np.ndarray:
        """Return a metric of the runs that succeeded, float64 [M, C, R], NaN elsewhere."""
        runs = self.inputs.metrics
        return np.append(runs[metric].where(runs["status"] == OK).to_numpy(float), np.nan)[self.rows]

    def units(self, cells: Sequence[int] | None = None) -> int:
        """Return the smallest number of replicates in a cell, 0 without cells."""
        counts = self.present.sum(1) if cells is None else self.present[list(cells)].sum(1)
        return int(counts.min()) if counts.size else 0

    def means(self, values: np.ndarray) -> Statistic:
        """Return the means over replicates of values [..., C, R], such as a cube, shape [..., C]."""
        return jackknife(values, blocks=self.blocks, replicates=self.replicates)

    @cached_property
    def blocks(self) -> list[Key]:
        """Labels of the cells; those of one label hold the same replicates, in all grids."""
        places = [self.keys.index(key) for key in self.inputs.blocks if key in self.keys]
        return [tuple(cell[i] for i in places) or cell for cell in self.cells]

    def index(self, method: str) -> int | None:
        """Return the place of a method, or None."""
        return next((i for i, m in enumerate(self.methods) if m.name == method), None)

    def reason(self, method: int, cells: Sequence[int]) -> str:
        """Return why a method has no result in the cells: its most frequent message."""
        rows = self.rows[method][list(cells)]
        rows = rows[rows >= 0]
        if not rows.size:
            return "no runs"
        status, message = (self.inputs.metrics[name].to_numpy()[rows] for name in ("status", "message"))
        failed = status != OK
        texts = np.where(message == "", status, message)[failed].tolist() or [UNDEFINED]
        return short(max(sorted(set(texts)), key=texts.count))


@once
def grid(inputs: Inputs, name: str, *keys: str) -> Grid:
    """Return one grid of the study, its cells told apart by columns of the metrics."""
    asked = inputs.metrics["grid"] == name
    runs = inputs.metrics[asked]
    identity = pd.MultiIndex.from_frame(runs[list(keys)])
    cells = identity.unique().sort_values()
    numbers, turn = np.unique(runs["replicate"].to_numpy(int), return_inverse=True)
    place = cells.get_indexer(identity)
    present = np.zeros((len(cells), len(numbers)), bool)
    present[place, turn] = True
    method = pd.Index([m.name for m in inputs.methods], dtype=object).get_indexer(runs["method"])
    rows = np.full((len(inputs.methods), len(cells), len(numbers)), -1)
    ours = method >= 0
    rows[method[ours], place[ours], turn[ours]] = np.flatnonzero(asked)[ours]
    found = tuple(cells.tolist())
    return Grid(inputs, name, keys, tuple(inputs.methods), found, tuple(numbers.tolist()), present, rows)
