"""Which data sets and runs a study consists of, and how they are cut into jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.bench.workflow.settings import Scale, Study


@dataclass(frozen=True)
class Cell:
    """One kind of data: a network, a size and a noise, or a real data set.

    Attributes:
        name: identifies it within the study, such as ``alarm-n500-sigma0.35``.
        network: a shipped network, the path of a BIF file or a family of random networks; None for real data.
        n: number of records; None for real data.
        noise: of the study's noises; None for real data.
        dataset: of the data-set registry; None for simulated data.
        resample: how replicates are drawn from the data set; None for the data set itself.
    """

    name: str
    network: str | None = None
    n: int | None = None
    noise: str | None = None
    dataset: str | None = None
    resample: str | None = None


@dataclass(frozen=True)
class Batch:
    """What one job works on: the replicates first..last of some cells.

    Attributes:
        name: from its grid, cells and replicates, so that a batch that a change of the config leaves alone
            keeps its name and its results.
        grid: the grid that it is a part of.
        cells: its cells.
        first, last: replicates, both included.
        methods: the methods that run on it.
    """

    name: str
    grid: str
    cells: tuple[Cell, ...]
    first: int
    last: int
    methods: tuple[str, ...]

    @property
    def replicates(self) -> str:
        """The range of replicates as it stands in file names."""
        return f"{self.first}-{self.last}"

    @property
    def datasets(self) -> int:
        """How many data sets it holds."""
        return len(self.cells) * (self.last - self.first + 1)


def stem(network: str) -> str:
    """Return the name of a network given by name or by path."""
    return Path(network).stem


def networks_of(studies: Mapping[str, Mapping[str, Batch]]) -> list[str]:
    """Return the networks of the batches of all studies, each once.

    Raises:
        InputError: for two files of the same name, which would be mistaken for each other.
    """
    of_stem: dict[str, str] = {}
    for batches in studies.values():
        for network in (cell.network for batch in batches.values() for cell in batch.cells if cell.network):
            if of_stem.setdefault(stem(network), network) != network:
                raise InputError(f"networks {of_stem[stem(network)]!r} and {network!r} have one name; rename the file")
    return list(of_stem.values())


def cells_of(study: Study, scale: Scale, name: str) -> list[Cell]:
    """Return the cells of a grid, given by name."""
    grid = study.grids[name]
    if grid.resamples:
        pairs = [(dataset, resample) for dataset in grid.datasets for resample in grid.resamples]
        return [Cell(f"{dataset}-{resample}", dataset=dataset, resample=resample) for dataset, resample in pairs]
    if grid.datasets:
        return [Cell(name=dataset, dataset=dataset) for dataset in grid.datasets]
    return [
        Cell(f"{stem(network)}-n{n}-{noise}", network, n, noise)
        for network in scale.of("networks", name) or grid.networks
        for n in scale.of("n", name) or grid.n
        for noise in grid.noises
    ]


def batches_of(study: Study, scale: str, size: int, methods: Mapping[str, tuple[str, ...]]) -> list[Batch]:
    """Return the batches of a study at a scale.

    Args:
        study: its grids.
        scale: its name.
        size: data sets per batch at most.
        methods: of each grid, see `methods_of`.

    Raises:
        InputError: for an unknown scale.
    """
    if scale not in study.scales:
        raise InputError(f"unknown scale {scale!r}{suggest(scale, study.scales)}")
    return [batch for grid in study.grids for batch in _cut(study, study.scales[scale], grid, size, methods[grid])]


def methods_of(
    study: Study, name: str, rows: Mapping[str, Mapping[str, Any]], extra: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the methods of each grid of a study: its own, then those that join, in their order.

    A row joins every study, or those that its ``studies`` name, and none that says ``joins: false``. The grids with the
    most methods take it; one that picks a few of these does not.

    Args:
        study: its grids.
        name: of the study.
        rows: of the methods file.
        extra: rows that join whatever else holds.
    """
    mine = {method for grid in study.grids.values() for method in grid.methods}
    most = max((len(grid.methods) for grid in study.grids.values()), default=0)
    joining = [
        method
        for method, row in rows.items()
        if method not in mine and (method in extra or (study.joins and _joins(row, name)))
    ]
    return {
        key: (*grid.methods, *joining) if len(grid.methods) == most else tuple(grid.methods)
        for key, grid in study.grids.items()
    }


def _joins(row: Mapping[str, Any], study: str) -> bool:
    """Return whether a row joins a study: it names the study, or none at all."""
    return row.get("studies") is None or study in row["studies"]


def _cut(study: Study, scale: Scale, name: str, size: int, methods: tuple[str, ...]) -> Iterator[Batch]:
    cells = cells_of(study, scale, name)
    single = study.grids[name].datasets and not study.grids[name].resamples
    replicates = 1 if single else scale.of("replicates", name)
    parts = -(-replicates // size)
    bounds = [replicates * k // parts for k in range(parts + 1)]  # as even as possible
    width = max(1, size // replicates)
    for start in range(0, len(cells), width):
        for first, end in pairwise(bounds):
            part = tuple(cells[start : start + width])
            yield Batch(f"{name}-{_name(part)}-{first}-{end - 1}", name, part, first, end - 1, methods)


def _name(cells: tuple[Cell, ...]) -> str:
    """Return the name of a cell, or how many there are and a digest of which."""
    if len(cells) == 1:
        return cells[0].name
    digest = hashlib.sha256("\n".join(cell.name for cell in cells).encode()).hexdigest()
    return f"{len(cells)}cells-{digest[:6]}"
