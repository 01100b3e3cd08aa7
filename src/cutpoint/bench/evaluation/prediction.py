"""Prediction of discrete targets from a part of their Markov blanket by exact inference (Mabrouk 2015, Table 2).

A learned network predicts from its own codes: parameters from the learning records, evidence of the test
records coded by its thresholds. `cutpoint.models.inference` computes the posteriors.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.data.status import ERROR, OK
from cutpoint.bench.evaluation.results import Key, Results, dag_of
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import markov_blanket
from cutpoint.models.inference import Inference
from cutpoint.networks.network import Network

MAX_TABLE = 2**24  # cells: a larger conditional table is refused
TOLERANCE = 1e-9  # between probabilities that count as equal: sums in another order differ by less
DECIMALS = 9  # of a mean probability: pyAgrum adds in an order that differs from run to run, by 1e-16

inference_of = cache(Inference)  # of a true network, which many data sets share


def estimate(codes: np.ndarray, cardinalities: np.ndarray, dag: np.ndarray, variables: Sequence[str]) -> Network:
    """Return the network of a graph from codes, integer [N, n], with one pseudo-count per cell (Laplace)."""
    cards, families, tables = cardinalities.tolist(), [], []
    for child, name in enumerate(variables):
        parents = np.flatnonzero(dag[:, child]).tolist()
        members = [*parents, child]
        shape = [cards[i] for i in members]
        if (cells := math.prod(shape)) > MAX_TABLE:
            raise InputError(f"{name}: its table given {len(parents)} parents has {cells} cells, over {MAX_TABLE}")
        cell = np.ravel_multi_index(tuple(codes[:, i] for i in members), shape)
        counts = np.bincount(cell, minlength=cells).reshape(shape) + 1.0
        families.append(tuple(parents))
        tables.append(counts / counts.sum(-1, keepdims=True))
    states = tuple(tuple(map(str, range(r))) for r in cards)
    return Network("learned", tuple(variables), states, tuple(families), tuple(tables))


def accuracy(posteriors: np.ndarray, truth: np.ndarray, uniforms: np.ndarray) -> dict[str, float]:
    """Return the shares of right values when the state of a target is read off its posterior, float64 [N, r].

    ``expected`` is the mean probability of the true state, int [N]; one beyond r was never seen in learning and is
    never right. ``sampled`` draws one state per record (Mabrouk 2015, section 4), with uniforms, float64 [N] in [0, 1);
    ``argmax`` takes the most probable state, the first of equals.
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


class Question(NamedTuple):
    """A target, the share of its true Markov blanket that is observed, and which variables these are.

    The uniforms, float64 [N], draw a state for each test record. They are the same for all methods and shares, so that
    these do not differ by the draws.
    """

    target: int
    share: float
    evidence: tuple[int, ...]
    uniforms: np.ndarray


def questions(
    dag: np.ndarray, targets: Sequence[int], shares: Sequence[float], records: int, names: Sequence[str], *identity: Any
) -> list[Question]:
    """Return the questions about all targets: the first ceil(share * size) variables of a random order of the blanket.

    The draws depend on the names rather than on the order of the columns, and on the identity: seed of the run, study,
    network, n and replicate; nothing of a method.
    """
    result = []
    for target in targets:
        blanket = sorted(markov_blanket(dag, target).tolist(), key=names.__getitem__)
        evidence, state = (generator_for(*identity, names[target], purpose) for purpose in ("evidence", "state"))
        order, uniforms = evidence.permutation(blanket).tolist(), state.random(records)
        for share in shares:
            count = math.ceil(share * len(order) - TOLERANCE)
            result.append(Question(target, share, tuple(map(int, order[:count])), uniforms))
    return result


class Predictor:
    """A learned network that predicts from values, float64 [N, n], coded by thresholds.

    The levels of a discrete variable are 0 to the largest code of the learning records, as in
    `cutpoint.discretization.encoding.discrete_thresholds`.
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


class PredictionCase:
    """One data set: its test records, what is asked about them and how well the true network answers.

    The codes are the true ones of the learning and then of the test records; the source is where the test records come
    from, for the message.
    """

    def __init__(
        self,
        identity: dict[str, Any],
        data: DataSet,
        tests: DataSet,
        codes: DataSet,
        networks: Mapping[str, Network],
        *,
        shares: Sequence[float],
        seed: int,
        source: object,
    ):
        self.identity, self.data, self.tests = identity, data, tests
        self.about = {key: data.about.get(key) for key in ("network", "n", "noise")}
        truth, network = self._true_codes(codes, source), networks[data.about["truth"]]
        self.questions = questions(
            network.dag_of(data.variables),
            np.flatnonzero(data.discrete).tolist(),
            shares,
            len(truth),
            data.variables,
            *(seed, data.about["study"], self.about["network"], self.about["n"], identity["replicate"]),
        )
        place, self.ceilings = network.places(data.variables), []
        for question in self.questions:
            evidence = list(question.evidence)
            posteriors = inference_of(network).posteriors(place[question.target], place[evidence], truth[:, evidence])
            self.ceilings.append(accuracy(posteriors, truth[:, question.target], question.uniforms))

    def _true_codes(self, codes: DataSet, source: object) -> np.ndarray:
        """Return the true codes of the test records, int64 [M, n]; the targets show whether they are these records."""
        tests, discrete = self.tests, self.data.discrete
        same = tests.variables == self.data.variables and sorted(tests.variables) == sorted(codes.variables)
        order = [codes.variables.index(name) for name in self.data.variables] if same else []
        true_codes = codes.values[len(self.data.values) :, order].astype(np.int64)
        same &= true_codes.shape == tests.values.shape
        if not (same and np.array_equal(true_codes[:, discrete], tests.values[:, discrete])):
            raise InputError(f"{source}: its records are not those that follow the learning records in the true codes")
        return true_codes

    def rows(self, method: str, results: Results) -> Iterator[dict[str, Any]]:
        """Yield a row for every question, without shares of right values where a method cannot predict."""
        key = (method, self.identity["cell"], self.identity["replicate"])
        run = results.run(key)
        ending = {name: run[name] for name in ("status", "message")}
        answers = [dict[str, float]()] * len(self.questions)
        if run["status"] == OK:
            try:
                model = self._model(key, run, results)
                answers = [model.answer(question, self.tests.values) for question in self.questions]
            except InputError as problem:
                ending = {"status": ERROR, "message": str(problem)}
        for question, ceiling, answer in zip(self.questions, self.ceilings, answers, strict=True):
            yield (
                {"method": method, "target": self.data.variables[question.target], "share": question.share}
                | {"observed": len(question.evidence), "records": len(self.tests.values)}
                | {"ceiling_expected": ceiling["expected"], "ceiling_argmax": ceiling["argmax"]}
                | (ending | self.identity | self.about | answer)
            )

    def _model(self, key: Key, run: Mapping[str, Any], results: Results) -> Predictor:
        if run["levels"] is None:
            raise InputError("no discretization: it cannot predict")
        if run["kind"] is None:
            raise InputError("no graph: it cannot predict")
        data = self.data
        dag, _ = dag_of(results.graph(key, data.variables), run["kind"], key[0])
        return Predictor(data.values, data.discrete, results.thresholds(key, data.variables), dag, data.variables)
