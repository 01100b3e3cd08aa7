"""What the rules of the evaluation hand to their scripts; see `cutpoint.bench.simulation.params` on their kind."""

from __future__ import annotations

from typing import NamedTuple


class Runs(NamedTuple):
    """The runs of the methods of a grid on some replicates of a cell, and what is asked about them.

    Shares are those of the Markov blanket from which targets are predicted; the data set, the name of the resample and
    the number of folds are those of a cross-validation.
    """

    study: str
    grid: str
    cell: str
    replicates: range
    methods: tuple[str, ...]
    seed: int = 0
    shares: tuple[float, ...] = ()
    dataset: str = ""
    resample: str = ""
    folds: int = 0
