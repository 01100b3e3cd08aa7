"""The equivalent sample size by cross-validated predictive accuracy (section 6)."""

from __future__ import annotations

import numpy as np

from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.learners.learned import Learned
from cutpoint.method.parsing import parse
from cutpoint.statistics.draws import generator
from cutpoint.studies.inputs import Data

FOLDS = 5
SIZES = (1.0, 3.0, 10.0, 15.0, 25.0, 40.0, 60.0, 100.0, 150.0, 250.0)
PRINTED = 25
START = 3  # quantile levels from which the search starts


def predictive_scores(data: Data, seed: int, *, sizes: tuple[float, ...] = SIZES, folds: int = FOLDS) -> np.ndarray:
    """Return the log predictive score of held-out records per record, float64 [folds, sizes].

    Structure and thresholds are learned by the greedy method from the other folds.

    Args:
        data: a real data set.
        seed: of the folds.
        sizes: equivalent sample sizes.
        folds: number of folds.
    """
    order = generator(seed, "steck2007", "folds", data.name).permutation(len(data.values))
    scores = np.empty((folds, len(sizes)))
    for f in range(folds):
        test = np.zeros(len(order), bool)
        test[order[f::folds]] = True
        for s, ess in enumerate(sizes):
            scores[f, s] = _score(data, test, ess)
    return scores


def _score(data: Data, test: np.ndarray, ess: float) -> float:
    frozen = np.asarray(data.discrete, bool)
    method = parse({
        "category": "integrated", "policy": "steck", "initial": {"equal_frequency": START},
        "learner": "hill_climbing", "score": "bdeu", "ess": ess,
    })  # fmt: skip
    learned = method.learn(np.asfortranarray(data.values[~test]), frozen)
    return log_density(data.values, frozen, test, learned, ess) / int(test.sum())


def log_density(values: np.ndarray, frozen: np.ndarray, test: np.ndarray, learned: Learned, ess: float) -> float:
    """Return the log score of test records given the others (Steck and Jaakkola 2007, Eq. 3 to 5).

    The probability of a record's levels is the mean of its Dirichlet posterior. That of a level is divided evenly
    among the intervals of the finest grid in it, of which there are as many as training records. What is left,
    the density inside them, is the same for all thresholds.

    Args:
        values: float64 [N, n].
        frozen: bool [n], variables without a continuous density.
        test: bool [N].
        learned: graph and thresholds.
        ess: equivalent sample size.
    """
    assert learned.dag is not None
    assert learned.thresholds is not None
    codes, levels = encode(values, learned.thresholds), cardinalities(learned.thresholds)
    total = 0.0
    for i in range(len(levels)):
        parents = np.flatnonzero(learned.dag[:, i])
        q, r = float(np.prod(levels[parents], dtype=float)), int(levels[i])
        # configurations by number, those that occur only: their nominal number may be huge
        joint = (
            np.unique(codes[:, parents], axis=0, return_inverse=True)[1].reshape(-1)
            if len(parents)
            else 0 * codes[:, i]
        )
        counts = np.zeros((int(joint.max()) + 1, r))
        np.add.at(counts, (joint[~test], codes[~test, i]), 1)
        at, code = joint[test], codes[test, i]
        total += np.log((ess / (q * r) + counts[at, code]) / (ess / q + counts.sum(1)[at])).sum()
        if not frozen[i]:
            total -= np.log(np.maximum(counts.sum(0)[code], 1)).sum()
    return float(total)
