"""The order of the columns of data from a network: methods that break ties by it must not be helped by it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cutpoint.graphs.dags import topological_order
from cutpoint.networks.network import Network

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
