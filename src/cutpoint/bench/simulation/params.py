"""What the rules that make data hand to their scripts; the Snakefile reads this without arrays.

All are tuples: Snakemake records these as text, and would not notice a change in an object of another kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

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
