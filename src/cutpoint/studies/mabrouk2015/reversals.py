"""The arc reversals of Figure 2, computed: X loses its children and gets its Markov blanket as parents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.networks.network import Network
from cutpoint.networks.reversal import reverse_arc

# X has two parents and the children V and W, each with one more parent.
PARENTS = {"P": "", "R": "", "S": "", "T": "", "X": "PR", "V": "XS", "W": "XT"}
STATES = 3


def figure_2() -> list[tuple[str, Network]]:
    """Return the panels of Figure 2 by title: X -> V of (a) reversed gives (b), then X -> W gives (c).

    The text of the paper names only X, V and W; the other parents are ours, and so are the tables, which are
    drawn once and for all from Dirichlet(1, .., 1).
    """
    rng = np.random.default_rng(2015)
    names = tuple(PARENTS)
    before = Network(
        name="figure_2",
        variables=names,
        states=(tuple(f"s{k}" for k in range(STATES)),) * len(names),
        parents=tuple(tuple(map(names.index, parents)) for parents in PARENTS.values()),
        tables=tuple(rng.dirichlet(np.ones(STATES), [STATES] * len(parents)) for parents in PARENTS.values()),
    )
    between = reverse_arc(before, "X", "V")
    after = reverse_arc(between, "X", "W")
    return [("(a) before", before), ("(b) X → V reversed", between), ("(c) X → W reversed", after)]


def largest_difference(networks: Sequence[Network]) -> float:
    """Return by how much the joint distributions differ from the first at most, over all configurations."""
    first, *others = map(_joint, networks)
    return max((float(np.abs(joint - first).max()) for joint in others), default=0.0)


def _joint(network: Network) -> np.ndarray:
    """Return the probability of every configuration, float64 [states of each variable]."""
    factors: list = []
    for i, parents in enumerate(network.parents):
        factors += [network.tables[i], [*parents, i]]
    return np.einsum(*factors, list(range(len(network.variables))))
