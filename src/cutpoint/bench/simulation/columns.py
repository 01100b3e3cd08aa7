"""The order of columns, by which methods break ties and must not be helped, and which are predicted (Mabrouk 4)."""

from typing import Literal

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import markov_blanket, topological_order
from cutpoint.networks.network import Network
from cutpoint.options import BelowOne

ColumnOrder = Literal["shuffled", "declared", "alphabetical", "topological", "reversed"]


def in_order(network: Network, rng: np.random.Generator, *, columns: ColumnOrder = "shuffled") -> list[str]:
    """Return the variables of a network in the order of the columns.

    At random; as in its file ("declared"); alphabetical; "topological", parents before their children, otherwise as
    declared; or "reversed", the contrary of that.
    """
    names = network.variables
    if columns == "declared":
        return list(names)
    if columns in ("topological", "reversed"):
        parents_first = [names[i] for i in topological_order(network.dag)]
        return parents_first if columns == "topological" else parents_first[::-1]
    alphabetical = sorted(names)
    if columns == "alphabetical":
        return alphabetical
    return [alphabetical[i] for i in rng.permutation(len(names))]


LEAST_BLANKET = 2  # variables around a target


def choose_targets(dag: np.ndarray, count: int, rng: np.random.Generator) -> list[int]:
    """Return so many variables to predict, sorted, drawn from those with a Markov blanket of at least two."""
    return sorted(rng.choice(check_count(dag, count), count, replace=False).tolist())


def check_count(dag: np.ndarray, count: int) -> list[int]:
    """Return the variables that may be targets, as `choose_targets` does, or raise InputError for a wrong count."""
    able = [i for i in range(len(dag)) if len(markov_blanket(dag, i)) >= LEAST_BLANKET]
    if not 0 <= count <= len(able):
        blanket = f"a Markov blanket of at least {LEAST_BLANKET}"
        raise InputError(f"targets must be from 0 to {len(able)}, the number of variables with {blanket}, not {count}")
    return able


def learned_from(n: int, *, test: BelowOne = 0.0) -> int:
    """Return how many of n records are learned from, the first ones; a share, the last ones, is held out."""
    return n - round(n * test)
