"""What rules hand to their scripts; the Snakefile reads this without arrays.

All are tuples: Snakemake records these as text, and would not notice a change in an object of another kind.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cutpoint.base import user_code
from cutpoint.base.errors import InputError

if TYPE_CHECKING:  # an environment of an outside program lacks what they need
    from cutpoint.method.method import DiscretizerFunction, Method

OWN = "own"  # the study of a user's data, and the name of these among the data sets
ALL_RECORDS = "all-records"  # in place of the name of a resample; no such name has a hyphen


class FamilyJob(NamedTuple):
    """Some random networks of a family; options are those of `cutpoint.networks.random_networks`."""

    study: str
    name: str
    replicates: range
    options: Mapping[str, Any]
    seed: int


class SampleJob(NamedTuple):
    """The records of a network, or of the networks of a family, one for each replicate."""

    study: str
    network: str
    n: int
    replicates: range
    seed: int


class NoiseJob(NamedTuple):
    """How continuous values are made of a sample; the part is "noise" to learn from, "test" for records held out."""

    sample: SampleJob
    name: str
    options: Mapping[str, Any]
    part: str = "noise"


class ResampleJob(NamedTuple):
    """How replicates are drawn from a data set; the options of a cross-validation have its number of folds."""

    study: str
    dataset: str
    name: str
    replicates: range
    options: Mapping[str, Any]
    seed: int


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


def words(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; those that are files, from the working directory or the clone, are absolute."""
    try:
        parts = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as problem:
        raise InputError(f"command: {problem}: {command}") from None
    return [_place(word) if i or os.sep in word else word for i, word in enumerate(parts)]


def _place(word: str) -> str:
    try:
        return str(user_code.find(word).absolute())
    except InputError:
        return word
