"""Prediction of discrete targets from a part of their Markov blanket by exact inference (Mabrouk 2015, Table 2).

A learned network predicts from its own codes: parameters from the learning records, evidence of the test
records coded by its thresholds. `cutpoint.models.inference` computes the posteriors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation.outcomes import Key, Outcomes, dag_of
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import markov_blanket
from cutpoint.models.inference import Inference
from cutpoint.networks.network import Network

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
    asked = []
    for target in targets:
        blanket = sorted(markov_blanket(dag, target).tolist(), key=names.__getitem__)
        evidence, state = (
            np.random.default_rng(seed_sequence(*identity, names[target], purpose)) for purpose in ("evidence", "state")
        )
        order, uniforms = evidence.permutation(blanket).tolist(), state.random(records)
        for share in shares:
            count = math.ceil(share * len(order) - TOLERANCE)
            asked.append(Question(target, share, tuple(map(int, order[:count])), uniforms))
    return asked


class Model:
    """A learned network that predicts from values.

    Args:
        values: float64 [N, n], the learning records.
        discrete: bool [n], True for a variable that holds codes. Its levels are 0 to the largest code that was
            learned from, as in `cutpoint.discretization.encoding.discrete_thresholds`.
        thresholds: n sorted arrays, by which the other variables are coded.
        dag: bool [n, n].
        variables: n names.
    """

    def __init__(
        self,
        values: np.ndarray,
        discrete: np.ndarray,
        thresholds: Sequence[np.ndarray],
        dag: np.ndarray,
        variables: Sequence[str],
    ):
        self._discrete, self._thresholds = discrete, thresholds
        levels = [len(cuts) + 1 for cuts in thresholds]
        cardinalities = np.where(discrete, values.max(0).astype(np.int64) + 1, levels)
        self._inference = Inference(estimate(self._codes(values), cardinalities, dag, variables))

    def _codes(self, values: np.ndarray) -> np.ndarray:
        codes = encode(values, self._thresholds)
        codes[:, self._discrete] = values[:, self._discrete]
        return codes

    def answer(self, question: Question, values: np.ndarray) -> dict[str, float]:
        """Return the `accuracy` on test records, float64 [N, n]; see `Inference.posteriors` for unseen states."""
        codes = self._codes(values)
        posteriors = self._inference.posteriors(question.target, question.evidence, codes[:, list(question.evidence)])
        return accuracy(posteriors, codes[:, question.target], question.uniforms)


class TrueNetworks:
    """The true networks of a batch; inference is prepared for those that are asked.

    Args:
        networks: by name.
    """

    def __init__(self, networks: Mapping[str, Network]):
        self.networks = networks
        self.inference = cache(self._inference)

    def _inference(self, name: str) -> Inference:
        return Inference(self.networks[name])


class PredictionCase:
    """One data set: its test records, what is asked about them and how well the true network answers.

    Args:
        identity: cell and replicate.
        data: the learning records.
        tests: the records held out.
        codes: the true codes of both, in this order.
        truth: the true networks of the batch.
        shares: of a Markov blanket that are observed, in (0, 1].
        seed: of the whole run.
        source: where the test records come from, for the message.
    """

    def __init__(
        self,
        identity: dict[str, Any],
        data: DataSet,
        tests: DataSet,
        codes: DataSet,
        truth: TrueNetworks,
        *,
        shares: Sequence[float],
        seed: int,
        source: object,
    ):
        self.identity, self.data, self.tests = identity, data, tests
        self.about = {key: data.about.get(key) for key in ("network", "n", "noise")}
        known = self._true_codes(codes, source)
        name = data.about["truth"]
        network = truth.networks[name]
        self.questions = questions(
            network.dag_of(data.variables),
            np.flatnonzero(data.discrete).tolist(),
            shares,
            len(known),
            data.variables,
            *(seed, data.about["study"], self.about["network"], self.about["n"], identity["replicate"]),
        )
        place, self.ceilings = network.places(data.variables), []
        for question in self.questions:
            evidence = list(question.evidence)
            posteriors = truth.inference(name).posteriors(place[question.target], place[evidence], known[:, evidence])
            self.ceilings.append(accuracy(posteriors, known[:, question.target], question.uniforms))

    def _true_codes(self, codes: DataSet, source: object) -> np.ndarray:
        """Return the true codes of the test records, int64 [M, n]; the targets show whether they are these records."""
        tests, discrete = self.tests, self.data.discrete
        same = tests.variables == self.data.variables and sorted(tests.variables) == sorted(codes.variables)
        order = [codes.variables.index(name) for name in self.data.variables] if same else []
        known = codes.values[len(self.data.values) :, order].astype(np.int64)
        same &= known.shape == tests.values.shape
        if not (same and np.array_equal(known[:, discrete], tests.values[:, discrete])):
            raise InputError(f"{source}: its records are not those that follow the learning records in the true codes")
        return known

    def rows(self, method: str, outcomes: Outcomes) -> Iterator[dict[str, Any]]:
        """Yield a row for every question, with the shares of right values of one method."""
        run, answers = self._answers((method, self.identity["cell"], self.identity["replicate"]), outcomes)
        for question, ceiling, answer in zip(self.questions, self.ceilings, answers, strict=True):
            yield (
                {"method": method, "target": self.data.variables[question.target], "share": question.share}
                | {"observed": len(question.evidence), "records": len(self.tests.values)}
                | {"ceiling_expected": ceiling["expected"], "ceiling_argmax": ceiling["argmax"]}
                | {"status": run["status"], "message": run["message"]}
                | self.identity
                | self.about
                | answer
            )

    def _answers(self, key: Key, outcomes: Outcomes) -> tuple[Mapping[str, Any], list[dict[str, float]]]:
        """Return how the run ended, and an answer to every question, empty where the run cannot predict."""
        run, nothing = outcomes.run(key), [dict[str, float]() for _ in self.questions]
        if run["status"] != "ok":
            return run, nothing
        try:
            model = self._model(key, run, outcomes)
            return run, [model.answer(question, self.tests.values) for question in self.questions]
        except InputError as problem:
            return {"status": "error", "message": str(problem)}, nothing

    def _model(self, key: Key, run: Mapping[str, Any], outcomes: Outcomes) -> Model:
        if run["levels"] is None:
            raise InputError("no discretization: it cannot predict")
        if run["kind"] is None:
            raise InputError("no graph: it cannot predict")
        data = self.data
        dag, _ = dag_of(outcomes.graph(key, data.variables), run["kind"], key[0])
        return Model(data.values, data.discrete, outcomes.thresholds(key, data.variables), dag, data.variables)
