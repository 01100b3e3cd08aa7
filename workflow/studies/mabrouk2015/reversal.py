"""Arc reversal: another network with the same joint distribution."""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import find_cycle
from cutpoint.networks.network import Network


def reverse_arc(network: Network, parent: str, child: str) -> Network:
    """Return the network with the arc between two names reversed and the joint distribution unchanged (Shachter 1986).

    The child takes over all parents of its parent, and the parent those of its child. The new tables are P(child |
    both's parents), by summing over the parent, and P(parent | both's parents, child), by conditioning; where the child
    has probability 0 that row is uniform, which changes no joint probability. An InputError says where there is no such
    arc, or where it is not the only directed path between its ends, so that the reversed one would close a cycle.
    """
    for name in (parent, child):
        if name not in network.variables:
            raise InputError(f"network {network.name} has no variable {name!r}")
    x, y = network.variables.index(parent), network.variables.index(child)
    if x not in network.parents[y]:
        raise InputError(f"network {network.name} has no arc {parent} -> {child}")
    dag = network.dag
    dag[x, y], dag[y, x] = False, True
    if cycle := find_cycle(dag):
        # the reversed arc is on every cycle, so that it can be turned to be the last
        start = cycle.index(x)
        path = " -> ".join(network.variables[i] for i in cycle[start:] + cycle[:start])
        raise InputError(f"{parent} -> {child} cannot be reversed: {path} is another path")

    shared = sorted({*network.parents[x], *network.parents[y]} - {x})
    axis = {node: k for k, node in enumerate([*shared, y, x])}
    factors = ((network.tables[i], [axis[node] for node in (*network.parents[i], i)]) for i in (x, y))
    joint = np.einsum(*(part for factor in factors for part in factor), list(axis.values()))
    of_child = joint.sum(axis=-1)
    total = of_child[..., None]
    of_parent = np.divide(joint, total, out=np.full_like(joint, 1 / joint.shape[-1]), where=total > 0)

    parents, tables = list(network.parents), list(network.tables)
    parents[y], tables[y] = tuple(shared), of_child
    parents[x], tables[x] = (*shared, y), of_parent
    return Network(network.name, network.variables, network.states, tuple(parents), tuple(tables))
