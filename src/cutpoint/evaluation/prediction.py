"""Prediction of discrete targets from a part of their Markov blanket by exact inference (Mabrouk 2015, Table 2).

A method's network predicts from its own codes: parameters from the learning records, evidence of the test
records coded by its thresholds. pyAgrum computes the posteriors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import seed_sequence
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import markov_blanket
from cutpoint.networks.network import Network

MAX_JOINT = 2**20  # cells: up to here one joint costs less than the posteriors of a few hundred configurations
MAX_TABLE = 2**24  # cells: a larger conditional table is refused
TOLERANCE = 1e-9  # between probabilities that count as equal: sums in another order differ by less
DECIMALS = 9  # of a mean probability: pyAgrum adds in an order that differs from run to run, by 1e-16


def estimate(
    codes: np.ndarray, cardinalities: np.ndarray, dag: np.ndarray, variables: Sequence[str], *, pseudo: float = 1.0
) -> Network:
    """Return the network of a graph with smoothed relative frequencies (Laplace: one pseudo-count per cell).

    Args:
        codes: integer [N, n], levels 0..r-1.
        cardinalities: int64 [n].
        dag: bool [n, n].
        variables: n names.
        pseudo: what is added to the count of every cell.

    Raises:
        InputError: a table of more than `MAX_TABLE` cells.
    """
    cards, families, tables = cardinalities.tolist(), [], []
    for child, name in enumerate(variables):
        parents = np.flatnonzero(dag[:, child]).tolist()
        members = [*parents, child]
        shape = [cards[i] for i in members]
        if (cells := math.prod(shape)) > MAX_TABLE:
            raise InputError(f"{name}: its table given {len(parents)} parents has {cells} cells, over {MAX_TABLE}")
        cell = np.ravel_multi_index(tuple(codes[:, i] for i in members), shape)
        counts = np.bincount(cell, minlength=cells).reshape(shape) + pseudo
        families.append(tuple(parents))
        tables.append(counts / counts.sum(-1, keepdims=True))
    states = tuple(tuple(map(str, range(r))) for r in cards)
    return Network("learned", tuple(variables), states, tuple(families), tuple(tables))


def requisite(dag: np.ndarray, target: int, evidence: Sequence[int]) -> list[int]:
    """Return the positions in the evidence that can matter: the rest is separated from the target by them.

    They are what paths from the target reach in the moral graph of the ancestors of target and evidence
    without passing evidence (Lauritzen, Dawid, Larsen and Leimer 1990).

    Args:
        dag: bool [n, n].
        target: a variable.
        evidence: other variables.
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


class Inference:
    """Exact posteriors of one variable of a network given codes of others.

    Args:
        network: any discrete network; variables are named by their index and states by their code, since
            pyAgrum does not take all names that occur.
    """

    def __init__(self, network: Network):
        import pyagrum as gum

        gum.setNumberOfThreads(1)  # its threads hang in a child of a process that has used them
        self.cardinalities = network.cardinalities
        # a variable of one level says nothing, and pyAgrum returns some joints with an axis of it too many
        told = self.cardinalities > 1
        self.dag = network.dag & told & told[:, None]
        self._engine = gum.LazyPropagation
        # kept here: a network that is collected while its tables or engines are in use takes the process with it
        self._net = gum.BayesNet()
        for i in np.flatnonzero(told).tolist():
            self._net.add(gum.RangeVariable(str(i), "", 0, int(self.cardinalities[i]) - 1))
        for child in np.flatnonzero(told).tolist():
            for parent in network.parents[child]:
                if told[parent]:
                    self._net.addArc(str(parent), str(child))
        for child in np.flatnonzero(told).tolist():
            table = network.tables[child].squeeze()
            # its arrays have the parents in the reverse of the order in which the arcs came, then the child
            axes = (*reversed(range(table.ndim - 1)), table.ndim - 1)
            self._net.cpt(str(child))[:] = np.ascontiguousarray(table.transpose(axes))

    def posteriors(self, target: int, evidence: Sequence[int], codes: np.ndarray) -> np.ndarray:
        """Return the distribution of a variable for every record.

        A code outside the levels of its variable, such as a state that was never seen in learning, tells the
        network nothing: there the variable counts as not observed for that record.

        Args:
            target: a variable.
            evidence: k other variables.
            codes: integer [N, k], what is observed of them.

        Returns:
            float64 [N, r], rows sum to 1.

        Raises:
            InputError: evidence of probability 0.
        """
        chosen = np.asarray(evidence, np.int64)
        known = (codes >= 0) & (codes < self.cardinalities[chosen])
        answer = np.empty((len(codes), int(self.cardinalities[target])))
        patterns, group = np.unique(known, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            rows, observed = np.flatnonzero(group.reshape(-1) == k), chosen[pattern]
            kept = requisite(self.dag, target, observed)
            given = codes[np.ix_(rows, np.flatnonzero(pattern)[kept])]
            answer[rows] = self._posteriors(target, observed[kept].tolist(), given)
        return answer

    def _posteriors(self, target: int, evidence: list[int], codes: np.ndarray) -> np.ndarray:
        if self.cardinalities[target] == 1:
            return np.ones((len(codes), 1))
        if self.cardinalities[[target, *evidence]].prod(dtype=float) <= MAX_JOINT:
            found = self._joint(target, evidence)[tuple(codes.T.astype(np.int64))]
            found = np.broadcast_to(found, (len(codes), found.shape[-1]))
        else:
            configurations, place = np.unique(codes, axis=0, return_inverse=True)
            found = self._one_by_one(target, evidence, configurations)[place.reshape(-1)]
        total = found.sum(-1, keepdims=True)
        if not (total > 0).all():
            raise InputError("evidence that has probability 0 in the network")
        return found / total

    def _joint(self, target: int, evidence: list[int]) -> np.ndarray:
        """Return the joint distribution, one axis per evidence variable in order and then the target's."""
        names = [str(i) for i in (*evidence, target)]
        engine = self._engine(self._net)
        engine.addJointTarget(set(names))
        engine.makeInference()
        tensor = engine.jointPosterior(set(names))
        axes = list(reversed(tensor.names))  # the first of its variables is the last axis of its array
        return np.array(tensor.toarray()).transpose([axes.index(name) for name in names])

    def _one_by_one(self, target: int, evidence: list[int], configurations: np.ndarray) -> np.ndarray:
        """Return the posterior of every configuration, 0 where it is impossible."""
        import pyagrum as gum

        name, given = str(target), [str(i) for i in evidence]
        engine = self._engine(self._net)
        engine.setTargets({name})
        engine.setEvidence(dict.fromkeys(given, 0))
        found = np.zeros((len(configurations), int(self.cardinalities[target])))
        for row, states in zip(found, configurations.tolist(), strict=True):
            for variable, state in zip(given, states, strict=True):
                engine.chgEvidence(variable, state)
            try:
                engine.makeInference()
                row[:] = engine.posterior(name).toarray()
            except gum.IncompatibleEvidence:
                pass
        return found


def accuracy(posteriors: np.ndarray, truth: np.ndarray, uniforms: np.ndarray) -> dict[str, float]:
    """Return the shares of right values when the state of a target is read off its posterior.

    Args:
        posteriors: float64 [N, r].
        truth: int [N], the true codes; one beyond r was never seen in learning and is never right.
        uniforms: float64 [N] in [0, 1), to draw with.

    Returns:
        ``expected``: mean probability of the true state to 9 decimals, which is what drawing from the posterior
        gets right on average; ``sampled``: right when one state is drawn per record (Mabrouk 2015, section 4);
        ``argmax``: right when the most probable state is taken, the first of equals.
    """
    levels = posteriors.shape[1]
    possible = truth < levels
    of_truth = posteriors[np.arange(len(truth)), np.where(possible, truth, 0)] * possible
    cumulative = posteriors.cumsum(1)
    drawn = (uniforms[:, None] * cumulative[:, -1:] >= cumulative[:, :-1]).sum(1)
    best = (posteriors >= posteriors.max(1, keepdims=True) - TOLERANCE).argmax(1)
    return {
        "expected": round(float(of_truth.mean()), DECIMALS),
        "sampled": float((drawn == truth).mean()),
        "argmax": float((best == truth).mean()),
    }


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of every method about one target.

    Attributes:
        target: the variable.
        share: of its true Markov blanket that is observed.
        evidence: the observed variables.
        uniforms: float64 [N], to draw a state for each test record; the same for all methods and shares, so that
            these do not differ by the draws.
    """

    target: int
    share: float
    evidence: tuple[int, ...]
    uniforms: np.ndarray


def questions(
    dag: np.ndarray, targets: Sequence[int], shares: Sequence[float], records: int, names: Sequence[str], *identity: Any
) -> list[Question]:
    """Return the questions about all targets: the shares of a blanket are nested.

    The first ceil(share * size) variables of a random order of the blanket are observed.

    Args:
        dag: bool [n, n], the true one.
        targets: variables.
        shares: in (0, 1].
        records: the number of test records.
        names: n names, of which the draws depend rather than on the order of the columns.
        identity: seed of the run, study, network, n and replicate; nothing of a method.
    """
    found = []
    for target in targets:
        blanket = sorted(markov_blanket(dag, target).tolist(), key=names.__getitem__)
        evidence, state = (
            np.random.default_rng(seed_sequence(*identity, names[target], purpose)) for purpose in ("evidence", "state")
        )
        order, uniforms = evidence.permutation(blanket).tolist(), state.random(records)
        for share in shares:
            count = math.ceil(share * len(order) - TOLERANCE)
            found.append(Question(target, share, tuple(map(int, order[:count])), uniforms))
    return found


class Model:
    """A learned network that predicts from values.

    Args:
        values: float64 [N, n], the learning records.
        frozen: bool [n], True for a variable that holds codes. Its levels are 0 to the largest code that was
            learned from, as in `cutpoint.discretization.encoding.frozen_thresholds`.
        thresholds: n sorted arrays, by which the other variables are coded.
        dag: bool [n, n].
        variables: n names.
    """

    def __init__(
        self,
        values: np.ndarray,
        frozen: np.ndarray,
        thresholds: Sequence[np.ndarray],
        dag: np.ndarray,
        variables: Sequence[str],
    ):
        self._frozen, self._thresholds = frozen, thresholds
        levels = [len(cuts) + 1 for cuts in thresholds]
        cardinalities = np.where(frozen, values.max(0).astype(np.int64) + 1, levels)
        self._inference = Inference(estimate(self._codes(values), cardinalities, dag, variables))

    def _codes(self, values: np.ndarray) -> np.ndarray:
        codes = encode(values, self._thresholds)
        codes[:, self._frozen] = values[:, self._frozen]
        return codes

    def answer(self, question: Question, values: np.ndarray) -> dict[str, float]:
        """Return the `accuracy` on test records, float64 [N, n]; see `Inference.posteriors` for unseen states."""
        codes = self._codes(values)
        posteriors = self._inference.posteriors(question.target, question.evidence, codes[:, list(question.evidence)])
        return accuracy(posteriors, codes[:, question.target], question.uniforms)
