"""Which data sets and runs a study consists of, and how they are cut into jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutpoint.config import Grid, Scale, Study
from cutpoint.errors import InputError
from cutpoint.registry import suggest


@dataclass(frozen=True)
class Cell:
    """One kind of data: a network, a size and a noise, or a real data set.

    Attributes:
        name: identifies it within the study, such as ``alarm-n500-sigma0.35``.
        network: a shipped network or the path of a BIF file; None for real data.
        n: number of records; None for real data.
        noise: of the study's noises; None for real data.
        dataset: of the data-set registry; None for simulated data.
    """

    name: str
    network: str | None = None
    n: int | None = None
    noise: str | None = None
    dataset: str | None = None


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
    found: dict[str, str] = {}
    for batches in studies.values():
        for network in (cell.network for batch in batches.values() for cell in batch.cells if cell.network):
            if found.setdefault(stem(network), network) != network:
                raise InputError(f"networks {found[stem(network)]!r} and {network!r} have one name; rename the file")
    return list(found.values())


def cells_of(grid: Grid, scale: Scale) -> list[Cell]:
    """Return the cells of a grid."""
    if grid.datasets:
        return [Cell(name=name, dataset=name) for name in grid.datasets]
    return [
        Cell(f"{stem(network)}-n{n}-{noise}", network, n, noise)
        for network in scale.networks or grid.networks
        for n in scale.n or grid.n
        for noise in grid.noises
    ]


def batches_of(
    study: Study, name: str, size: int, rows: Mapping[str, Mapping[str, Any]], study_name: str
) -> list[Batch]:
    """Return the jobs' worth of a study at a scale.

    Args:
        study: its grids.
        name: of the scale.
        size: data sets per batch.
        rows: of the methods file; those beyond the printed ones join every grid that
            normalises by the study's reference, unless their ``studies`` leave this one out.
        study_name: as in ``studies``.

    Raises:
        InputError: for an unknown scale.
    """
    if name not in study.scales:
        raise InputError(f"unknown scale {name!r}{suggest(name, study.scales)}")
    return [
        batch
        for grid in study.grids
        for batch in _cut(study, name, grid, size, methods_of(study, grid, rows, study_name))
    ]


def methods_of(study: Study, grid: str, rows: Mapping[str, Mapping[str, Any]], study_name: str) -> tuple[str, ...]:
    """Return the methods of a grid: the printed ones, then the user's own in their order.

    A grid that runs all printed methods takes further rows; one that picks a few does not.
    """
    printed = study.grids[grid].methods
    everything = {method for other in study.grids.values() for method in other.methods}
    if set(printed) != everything:
        return tuple(printed)
    own = [
        name
        for name, row in rows.items()
        if name not in everything and study_name in (row.get("studies") or [study_name])
    ]
    return (*printed, *own)


def _cut(study: Study, scale_name: str, grid_name: str, size: int, methods: tuple[str, ...]) -> Iterator[Batch]:
    grid, scale = study.grids[grid_name], study.scales[scale_name]
    cells = cells_of(grid, scale)
    replicates = 1 if grid.datasets else scale.replicates
    span = min(size, replicates)
    width = max(1, size // replicates)
    for start in range(0, len(cells), width):
        for first in range(0, replicates, span):
            last = min(first + span, replicates) - 1
            part = tuple(cells[start : start + width])
            yield Batch(f"{grid_name}-{_name(part)}-{first}-{last}", grid_name, part, first, last, methods)


def _name(cells: tuple[Cell, ...]) -> str:
    """Return the name of a cell, or how many there are and a digest of which."""
    if len(cells) == 1:
        return cells[0].name
    digest = hashlib.sha256("\n".join(cell.name for cell in cells).encode()).hexdigest()
    return f"{len(cells)}cells-{digest[:6]}"
