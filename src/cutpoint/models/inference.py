"""Exact posteriors in discrete networks, computed by pyAgrum."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.networks.network import Network

MAX_JOINT = 2**20  # cells: up to here one joint costs less than the posteriors of a few hundred configurations


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


class Inference:
    """Exact posteriors of one variable of a discrete network given codes of others.

    Variables are named by their index and states by their code, since pyAgrum does not accept all names that occur.
    """

    def __init__(self, network: Network):
        gum = pyagrum()
        gum.setNumberOfThreads(1)  # its threads hang in a child of a process that has used them
        self.cardinalities = network.cardinalities
        # a variable of one level carries no information, and pyAgrum returns some joints with one axis of it too many
        varies = self.cardinalities > 1
        self.dag = network.dag & varies & varies[:, None]
        self._engine = gum.LazyPropagation
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
            kept = requisite(self.dag, target, observed)
            conditions = codes[np.ix_(rows, np.flatnonzero(pattern)[kept])]
            answer[rows] = self._posteriors(target, observed[kept].tolist(), conditions)
        return answer

    def _posteriors(self, target: int, evidence: list[int], codes: np.ndarray) -> np.ndarray:
        if self.cardinalities[target] == 1:
            return np.ones((len(codes), 1))
        if self.cardinalities[[target, *evidence]].prod(dtype=float) <= MAX_JOINT:
            answer = self.joint([*evidence, target])[tuple(codes.T.astype(np.int64))]
            answer = np.broadcast_to(answer, (len(codes), answer.shape[-1]))
        else:
            configurations, place = np.unique(codes, axis=0, return_inverse=True)
            answer = self._one_by_one(target, evidence, configurations)[place.reshape(-1)]
        total = answer.sum(-1, keepdims=True)
        if not (total > 0).all():
            raise InputError("evidence that has probability 0 in the network")
        return answer / total

    def joint(self, variables: Sequence[int]) -> np.ndarray:
        """Return the joint distribution of some variables, one axis each."""
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
