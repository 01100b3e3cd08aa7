"""Posteriors in discrete networks: exact by pyAgrum, or by weighted samples where that would take too much memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.networks.network import Network, sample

MAX_JOINT = 2**20  # cells: up to here one joint costs less than the posteriors of a few hundred configurations
MAX_TREE = 2**24  # cells of the cliques of a junction tree, 128 MB; the page of a model has the same bound
SAMPLES = 100_000  # weighted records in place of exact inference


def requisite(dag: np.ndarray, target: int, evidence: Sequence[int]) -> list[int]:
    """Return the positions in the evidence that can matter: the rest is separated from the target by them.

    They are what paths from the target reach in the moral graph of the ancestors of target and evidence without passing
    evidence (Lauritzen, Dawid, Larsen and Leimer 1990).
    """
    inside = np.zeros(len(dag), bool)
    inside[[target, *evidence]] = True
    while (grown := inside | dag[:, inside].any(1)).sum() > inside.sum():
        inside = grown
    arcs = dag & inside & inside[:, None]
    moral = arcs | arcs.T | (arcs.astype(np.int64) @ arcs.T > 0)
    observed = np.zeros(len(dag), bool)
    observed[list(evidence)] = True
    reached = np.arange(len(dag)) == target
    while (grown := reached | moral[reached & ~observed].any(0)).sum() > reached.sum():
        reached = grown
    return np.flatnonzero(reached[list(evidence)]).tolist()


def pyagrum() -> Any:
    """Return the module of pyAgrum."""
    try:
        import pyagrum
    except ImportError:
        raise InputError("posteriors and to_pyagrum need pyAgrum: pip install 'bn-cutpoint[inference]'") from None
    return pyagrum


def of_pyagrum(table: np.ndarray) -> np.ndarray:
    """Return a table as pyAgrum's arrays have it: parents in the reverse of the order of their arcs, then the child."""
    return np.ascontiguousarray(np.moveaxis(table.T, 0, -1))


def tree_cells(dag: np.ndarray, cardinalities: np.ndarray, kept: Sequence[int], clique: Sequence[int] = ()) -> float:
    """Return the cells of the cliques of a junction tree of the variables that are not observed.

    dag: bool [n, n]; kept: these variables; clique: some of them that must stand together.
    """
    gum = pyagrum()
    graph, inside = gum.UndiGraph(), {*kept}
    for i in kept:
        graph.addNodeWithId(int(i))
    families = [{*np.flatnonzero(dag[:, i]).tolist(), i} & inside for i in range(len(dag))]
    for family in [*families, {*clique} & inside]:
        for i, j in combinations(sorted(family), 2):
            graph.addEdge(int(i), int(j))
    tree = gum.JunctionTreeGenerator().junctionTree(graph)
    return sum(cardinalities[[*tree.clique(node)]].prod(dtype=float) for node in tree.nodes())


class Inference:
    """Posteriors of one variable of a discrete network given codes of others.

    They are exact where the cliques of a junction tree have at most `MAX_TREE` cells; `error` is the largest standard
    error of those that were not, 0 before. Variables are named by their index and states by their code, since pyAgrum
    does not accept all names that occur.
    """

    def __init__(self, network: Network):
        gum = pyagrum()
        gum.setNumberOfThreads(1)  # its threads hang in a child of a process that has used them
        self.cardinalities, self.network, self.error = network.cardinalities, network, 0.0
        # a variable of one level carries no information, and pyAgrum returns some joints with one axis of it too many
        varies = self.cardinalities > 1
        self.dag = network.dag & varies & varies[:, None]
        self._engine = gum.LazyPropagation
        self._room: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}
        # kept here: the process dies if a network is collected while its tables or engines are in use
        self._net = gum.BayesNet()
        for i in np.flatnonzero(varies).tolist():
            self._net.add(gum.RangeVariable(str(i), "", 0, int(self.cardinalities[i]) - 1))
        for child in np.flatnonzero(varies).tolist():
            for parent in network.parents[child]:
                if varies[parent]:
                    self._net.addArc(str(parent), str(child))
        for child in np.flatnonzero(varies).tolist():
            self._net.cpt(str(child))[:] = of_pyagrum(network.tables[child].squeeze())

    def posteriors(self, target: int, evidence: Sequence[int] | np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the distribution of a variable for every record, float64 [N, r], given codes [N, k] of k others.

        A code outside the levels of its variable, such as a state that was never seen in learning, is no evidence: the
        variable counts as not observed for that record.
        """
        chosen = np.asarray(evidence, np.int64)
        valid = (codes >= 0) & (codes < self.cardinalities[chosen])
        answer = np.empty((len(codes), int(self.cardinalities[target])))
        patterns, group = np.unique(valid, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            rows, observed = np.flatnonzero(group.reshape(-1) == k), chosen[pattern]
            # of a wide network all evidence is used, which makes it narrower
            kept = requisite(self.dag, target, observed) if self._fits([], []) else [*range(len(observed))]
            conditions = codes[np.ix_(rows, np.flatnonzero(pattern)[kept])]
            answer[rows] = self._posteriors(target, observed[kept].tolist(), conditions)
        return answer

    def _posteriors(self, target: int, evidence: list[int], codes: np.ndarray) -> np.ndarray:
        if self.cardinalities[target] == 1:
            return np.ones((len(codes), 1))
        few = self.cardinalities[[target, *evidence]].prod(dtype=float) <= MAX_JOINT
        if few and self._fits([], [*evidence, target]):
            answer = self.joint([*evidence, target])[tuple(codes.T.astype(np.int64))]
            answer = np.broadcast_to(answer, (len(codes), answer.shape[-1]))
        else:
            configurations, place = np.unique(codes, axis=0, return_inverse=True)
            ask = self._one_by_one if self._fits(evidence, []) else self._sampled
            answer = ask(target, evidence, configurations)[place.reshape(-1)]
        total = answer.sum(-1, keepdims=True)
        if not (total > 0).all():
            raise InputError("evidence that has probability 0 in the network")
        return answer / total

    def _fits(self, evidence: Sequence[int], clique: Sequence[int]) -> bool:
        """Return whether exact inference has room, some variables being observed and some standing together."""
        key = tuple(evidence), tuple(clique)
        if key not in self._room:
            kept = [i for i in range(len(self.dag)) if i not in evidence]
            self._room[key] = tree_cells(self.dag, self.cardinalities, kept, clique) <= MAX_TREE
        return self._room[key]

    def joint(self, variables: Sequence[int]) -> np.ndarray:
        """Return the joint distribution of some variables, one axis each."""
        if not self._fits([], variables):
            codes, shape = sample(self.network, SAMPLES, 0)[:, [*variables]], self.cardinalities[[*variables]]
            counts = np.bincount(np.ravel_multi_index([*codes.T], [*shape]), minlength=int(shape.prod()))
            self.error = max(self.error, 0.5 * SAMPLES**-0.5)
            return counts.reshape(shape) / SAMPLES
        names = [str(i) for i in variables if self.cardinalities[i] > 1]
        if not names:
            return np.ones([1] * len(variables))
        engine = self._engine(self._net)
        engine.addJointTarget(set(names))
        engine.makeInference()
        tensor = engine.jointPosterior(set(names))
        axes = list(reversed(tensor.names))  # the first of its variables is the last axis of its array
        answer = np.array(tensor.toarray()).transpose([axes.index(name) for name in names])
        return answer.reshape(self.cardinalities[[*variables]])

    def _one_by_one(self, target: int, evidence: list[int], configurations: np.ndarray) -> np.ndarray:
        """Return the posterior of every configuration, 0 where it is impossible."""
        name, observed = str(target), [str(i) for i in evidence]
        engine = self._engine(self._net)
        engine.setTargets({name})
        engine.setEvidence(dict.fromkeys(observed, 0))
        answer = np.zeros((len(configurations), int(self.cardinalities[target])))
        for row, states in zip(answer, configurations.tolist(), strict=True):
            for variable, state in zip(observed, states, strict=True):
                engine.chgEvidence(variable, state)
            try:
                engine.makeInference()
                row[:] = engine.posterior(name).toarray()
            except pyagrum().IncompatibleEvidence:
                pass
        return answer

    def _sampled(self, target: int, evidence: Sequence[int], configurations: np.ndarray) -> np.ndarray:
        """Return posteriors by likelihood weighting (Fung and Chang 1990), 0 where no sample has the evidence."""
        answer = np.zeros((len(configurations), int(self.cardinalities[target])))
        for row, states in zip(answer, configurations, strict=True):
            codes, weights = weighted(self.network, dict(zip(evidence, states.tolist(), strict=True)))
            row[:] = np.bincount(codes[:, target], weights, len(row))
            effective = weights.sum() ** 2 / max((weights**2).sum(), 1e-300)
            self.error = max(self.error, 0.5 * max(effective, 1.0) ** -0.5)
        return answer


def weighted(network: Network, known: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return `SAMPLES` records with some codes known, int32 [M, n], and their weights, float64 [M]."""
    tables, weights = [*network.tables], np.ones(SAMPLES)
    for i, code in known.items():
        tables[i] = np.broadcast_to(np.eye(tables[i].shape[-1])[code], tables[i].shape)
    codes = sample(replace(network, tables=tuple(tables)), SAMPLES, 0)
    for i, code in known.items():
        weights *= network.tables[i][(*(codes[:, j] for j in network.parents[i]), code)]
    return codes, weights
