"""The two variables that Fu 2005 shows, each with its only parent (Tables V-2, V-3, Figures V-1 to V-3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.networks.network import Network
from cutpoint.studies.inputs import Inputs

SIGMA = 0.35  # standard deviation of the noise around the codes (Fu 2005, V.1.1)


@dataclass(frozen=True)
class Example:
    """A variable and its parent: which network, how the paper calls it, its printed table, and what differs."""

    network: str
    child: str
    parent: str
    called: str
    table: str
    published: str
    note: str = ""


CHILD = Example("child", "CardiacMixing", "Disease", "X17", "table_V-2", "table_V-2_child_X17")
ALARM = Example(
    "alarm",
    "VENTMACH",
    "MINVOLSET",
    "X25",
    "table_V-3",
    "table_V-3_alarm_X25",
    note="X25 as in the public Alarm network: 0.93 and 0.05 where Table V-3 of the paper prints 0.97 and 0.01",
)


@dataclass(frozen=True)
class Pair:
    """A variable given its parent.

    Attributes:
        conditional: float64 [parent states, child states], rows sum to 1.
        joint: float64 of the same shape, summing to 1.
        child_states, parent_states: their names.
    """

    conditional: np.ndarray
    joint: np.ndarray
    child_states: tuple[str, ...]
    parent_states: tuple[str, ...]


def find(inputs: Inputs, example: Example) -> Pair | str:
    """Return the example from the network file, or why it is not there."""
    if example.network not in inputs.networks:
        return f"network {example.network} was not read"
    network = inputs.networks[example.network]
    index = {name.lower(): i for i, name in enumerate(network.variables)}
    child, parent = index.get(example.child.lower()), index.get(example.parent.lower())
    if child is None or parent is None or network.parents[child] != (parent,):
        return f"{example.child} with the only parent {example.parent} is not in network {example.network}"
    conditional = network.tables[child]
    joint = marginal(network, parent)[:, None] * conditional
    return Pair(conditional, joint, network.states[child], network.states[parent])


def marginal(network: Network, variable: int) -> np.ndarray:
    """Return the exact marginal of a variable, float64 [states], by summing over its ancestors."""
    ancestors, stack = {variable}, [variable]
    while stack:
        new = set(network.parents[stack.pop()]) - ancestors
        ancestors |= new
        stack += sorted(new)
    place = {v: k for k, v in enumerate(sorted(ancestors))}
    factors: list = []
    for v in place:
        factors += [network.tables[v], [*(place[p] for p in network.parents[v]), place[v]]]
    return np.einsum(*factors, [place[variable]], optimize=True)
