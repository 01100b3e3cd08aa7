"""Confidence in the edges of a learned graph: their frequency over resamples of the records, or over several searches.

Records that the bootstrap repeats make graphs denser (Steck and Jaakkola 2007, section 6), yet its shares are nearer
to the truth than those of the jackknife; the study `calibration` measures both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import numbered

ROUNDING = 1e-9  # shares are sums of fractions
SETTLED = 0.75  # share of the graphs that must have an arrow before it is drawn as one
LearnedBy = Literal["resamples", "searches", "draws", "draws of levels"]


class EdgeShares(NamedTuple):
    """Shares of the graphs that join two variables: in any way, by an arc there or back, without a direction."""

    source: str
    target: str
    any: float
    forward: float
    backward: float
    undirected: float


@dataclass(frozen=True, eq=False, repr=False)
class EdgeFrequencies:
    """How often pairs of variables are joined in R graphs, as shares of R.

    Attributes:
        adjacent, undirected: float64 [n, n], symmetric: an edge of any kind; an undirected edge.
        directed: float64 [n, n]: ``directed[i, j]`` for i -> j.
        graphs: R.
        variables: n names, in the order of the columns of the data, where they are known.
        of: what each graph is of: "resamples", "searches", "draws" of a posterior, or "draws of levels".
    """

    adjacent: np.ndarray
    directed: np.ndarray
    undirected: np.ndarray
    graphs: int
    variables: list[str] | None = None
    of: LearnedBy = "resamples"

    def __repr__(self) -> str:
        pairs = np.count_nonzero(np.triu(self.adjacent, 1))
        return f"<EdgeFrequencies: {pairs} pairs of {len(self.adjacent)} variables in {self.graphs} {self.of}>"

    def edges(self) -> list[EdgeShares]:
        """Return the pairs that some graph joins, the most frequent first; a data frame can be made of the list."""
        names = self.variables or numbered(len(self.adjacent))
        pairs = np.argwhere(np.triu(self.adjacent, 1) > 0).tolist()
        kinds = (self.adjacent, self.directed, self.directed.T, self.undirected)
        shares = [EdgeShares(names[i], names[j], *(float(kind[i, j]) for kind in kinds)) for i, j in pairs]
        return sorted(shares, key=lambda edge: -edge.any)

    def among(self, names: Sequence[str]) -> "EdgeFrequencies":
        """Return the shares between variables of these names, in their order; pairs of others are 0."""
        rows = [edge._asdict() for edge in self.edges() if {edge.source, edge.target} <= {*names}]
        return frequencies_of(rows, names, self.graphs, self.of)

    @property
    def settled(self) -> np.ndarray:
        """Return which arrows i -> j at least `SETTLED` of the graphs have, bool [n, n]."""
        return self.directed >= SETTLED - ROUNDING


def edge_frequencies(
    graphs: Sequence[np.ndarray] | np.ndarray, variables: list[str] | None = None, of: LearnedBy = "resamples"
) -> EdgeFrequencies:
    """Return how often each edge is in several graphs, bool [R, n, n], of n names; of: see `EdgeFrequencies`."""
    stack = np.asarray(graphs, bool)
    if stack.ndim != 3 or len(stack) == 0 or stack.shape[1] != stack.shape[2]:
        raise InputError(f"graphs: at least one square matrix is expected, not an array of shape {stack.shape}")
    back = stack.transpose(0, 2, 1)
    adjacent, directed, undirected = (kind.mean(axis=0) for kind in (stack | back, stack & ~back, stack & back))
    return EdgeFrequencies(adjacent, directed, undirected, len(stack), variables, of)


def frequencies_of(
    shares: Iterable[Mapping[str, Any]], variables: Sequence[str], graphs: int, of: LearnedBy = "resamples"
) -> EdgeFrequencies:
    """Return the frequencies in rows of `schemas.EDGE_SHARES` of one method and cell; pairs without a row are 0."""
    place = {name: i for i, name in enumerate(variables)}
    adjacent, directed, undirected = np.zeros((3, len(place), len(place)))
    for row in shares:
        i, j = place[row["source"]], place[row["target"]]
        adjacent[i, j] = adjacent[j, i] = row["any"]
        undirected[i, j] = undirected[j, i] = row["undirected"]
        directed[i, j], directed[j, i] = row["forward"], row["backward"]
    return EdgeFrequencies(adjacent, directed, undirected, graphs, list(variables), of)
