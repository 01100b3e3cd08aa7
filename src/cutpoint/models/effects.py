"""Interventions on a model, and causal effects over all graphs of an equivalence class."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.models.fitted import Fitted
from cutpoint.models.inference import Inference
from cutpoint.networks.network import Network

MAX_JOINT = 2**20  # cells of a cause with its parents and an outcome


@dataclass(frozen=True, eq=False, repr=False)
class Effects:
    """The effects of an intervention on a cause, one for each set of parents that the cause may have; see `Model`.

    Attributes:
        cause, outcome: names of variables.
        levels: those of the cause, r names.
        states: those of the outcome, s names.
        parents: names of the parents of the cause, one tuple for each of k sets.
        probabilities: float64 [k, r, s], P(outcome = state | do(cause = level)).
        means: float64 [s], of the records in each level of a continuous outcome; None for a discrete one.
    """

    cause: str
    outcome: str
    levels: tuple[str, ...]
    states: tuple[str, ...]
    parents: list[tuple[str, ...]]
    probabilities: np.ndarray
    means: np.ndarray | None = None

    @property
    def values(self) -> np.ndarray:
        """The expected outcome in the units of the data, float64 [k, r]; the probabilities of a discrete one."""
        return self.probabilities if self.means is None else self.probabilities @ self.means

    @property
    def least(self) -> np.ndarray:
        """The least value over the sets, float64 [r], or [r, s]."""
        return self.values.min(axis=0)

    @property
    def greatest(self) -> np.ndarray:
        """The greatest value over the sets, float64 [r], or [r, s]."""
        return self.values.max(axis=0)

    def __repr__(self) -> str:
        def row(values: np.ndarray) -> str:
            return ", ".join(f"{value:.4g}" for value in values)

        what = "mean" if self.means is not None else f"probabilities of {', '.join(self.states)}"
        lines = [f"{self.outcome}, {what}, by do({self.cause}):"]
        for level, low, high in zip(self.levels, self.least, self.greatest, strict=True):
            lines.append(f"  {level}: from {row(np.atleast_1d(low))} to {row(np.atleast_1d(high))}")
        return "\n".join([*lines, "  parents: " + " or ".join(listed(names) or "none" for names in self.parents)])


def mutilated(network: Network, levels: Mapping[int, int]) -> Network:
    """Return a network in which some variables, by place, have one level, by code, and no parents."""
    tables, parents = [*network.tables], [*network.parents]
    for place, code in levels.items():
        tables[place], parents[place] = np.eye(len(network.states[place]))[code], ()
    return replace(network, tables=tuple(tables), parents=tuple(parents))


def parent_sets(pattern: np.ndarray, child: int) -> Iterator[list[int]]:
    """Yield the sets of parents of a variable in the graphs of a pattern, bool [n, n], the smaller ones first.

    Some of its undirected neighbours join the parents where a graph of the class has these arcs (Maathuis, Kalisch and
    Bühlmann 2009; Perković, Kalisch and Maathuis 2017 for patterns with knowledge). The pattern has a consistent DAG.
    """
    of_class = cpdag(consistent_extension(pattern)[0])
    parents = np.flatnonzero(pattern[:, child] & ~pattern[child]).tolist()
    neighbours = np.flatnonzero(pattern[:, child] & pattern[child]).tolist()
    adjacent = pattern | pattern.T | np.eye(len(pattern), dtype=bool)
    for size in range(len(neighbours) + 1):
        cliques = [s for s in combinations(neighbours, size) if adjacent[np.ix_(s, s)].all()]
        for joining in cliques:
            graph = pattern.copy()
            graph[child, [*joining]] = False
            graph[[i for i in neighbours if i not in joining], child] = False
            dag, exact = consistent_extension(graph)
            if exact and (cpdag(dag) == of_class).all():
                yield sorted([*parents, *joining])
        if not cliques:
            return


def effects(model: Fitted, cause: int, outcome: int) -> Effects:
    """Return the effects over a class of graphs; see `cutpoint.models.model.Model.effects`."""
    names, network = model.variables, model.network
    if cause == outcome:
        raise InputError(f"effects: {names[cause]} is cause and outcome")
    engine, sets, answers = Inference(network), [*parent_sets(model.pattern, cause)], []
    for parents in sets:
        chosen = [*(i for i in parents if i != outcome), cause, outcome]
        if network.cardinalities[chosen].prod(dtype=float) > MAX_JOINT:
            which = listed([names[i] for i in parents])
            raise InputError(f"effects: the parents {which} have too many levels together")
        joint = engine.joint(chosen)
        of_causes, weights = joint.sum(-1, keepdims=True), joint.sum((-2, -1))
        if outcome in parents:  # which an intervention on its child leaves alone
            answers.append(np.broadcast_to(engine.joint([outcome]), joint.shape[-2:]))
        elif ((of_causes[..., 0] == 0) & (weights[..., None] > 0)).any():
            raise InputError(f"effects: {names[cause]} has a level of probability 0 given its parents")
        else:
            shares = np.divide(joint, of_causes, out=np.zeros_like(joint), where=of_causes > 0)
            answers.append(np.tensordot(weights, shares, weights.ndim))
    levels, states = network.states[cause], network.states[outcome]
    named = [tuple(names[i] for i in parents) for parents in sets]
    means = model.scales[names[outcome]].means if names[outcome] in model.scales else None
    return Effects(names[cause], names[outcome], levels, states, named, np.array(answers), means)
