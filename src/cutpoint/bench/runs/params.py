"""What the rules that run methods hand to their scripts; see `cutpoint.bench.simulation.params` on their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # an environment of an outside program lacks what they need
    from cutpoint.method.method import DiscretizerFunction, Method

# On which data sets which methods run: cell, first and last replicate, methods.
Wanted = Sequence[tuple[str, int, int, Sequence[str]]]


class LearnJob(NamedTuple):
    """Methods by name and their runs; the text of the limits changes where these would change a result."""

    methods: Mapping[str, Method]
    runs: Wanted
    limits: str


class DiscretizeJob(NamedTuple):
    """The same of discretizers."""

    discretizers: Mapping[str, DiscretizerFunction]
    runs: Wanted
    limits: str


class ExperimentJob(NamedTuple):
    """An experiment of a study at a scale, with the methods that it runs, and the limits of these."""

    study: str
    name: str
    seed: int
    options: Mapping[str, Any]
    methods: Mapping[str, Method]
    limits: tuple[float, float] | None
