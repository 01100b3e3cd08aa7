"""What to use on data of each type, and what that choice costs on networks that were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from cutpoint.bench.studies.field2026.losses import Losses

from cutpoint.advice import distances
from cutpoint.bench.statistics.estimates import Estimate, Statistic, jackknife
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.data.features import FEATURES

RULES = {  # what is used without any advice; the first is the rule of thumb of the shipped table
    "always three equal-frequency bins": "field3.equal_frequency.bdeu.hill_climbing",
    "always three equal-width bins": "field3.equal_width.bdeu.hill_climbing",
}
RULE_OF_THUMB = next(iter(RULES.values()))
DIRECT = "direct"  # the category of methods that do not discretize
PAIRWISE = ("miic",)  # discretize each pair of variables by itself: neither with bins of a variable nor without
DIGITS = 4  # of the numbers of the shipped table
ADVISED, KNOWN, ONE = "advice, data type predicted", "advice, data type known", "best method of all other networks"


@dataclass(frozen=True)
class Kind:
    """Data of one type and sample size, and what to use on them.

    Attributes:
        data_type, n: which data.
        best, binned, rule: the method with the lowest mean loss, the one of those with bins, and the rule of thumb.
        loss: of every method, [M]; intervals do not account for the choice among methods.
        difference: loss of the best method with bins less that of the best that does not discretize.
    """

    data_type: str
    n: int
    best: int
    binned: int | None
    rule: int | None
    loss: Estimate
    difference: Estimate | None


def over_networks(losses: np.ndarray) -> Statistic:
    """Return the mean of losses [M, networks] over networks, [M]."""
    return jackknife(losses[:, None], blocks=["networks"])[:, 0]


def leave_one_out(function: Callable[..., np.ndarray], *arrays: np.ndarray) -> Statistic:
    """Return a function of arrays [..., networks] with its values without each network in turn.

    What is chosen by networks and judged on networks depends on each of them in more than one way: the spread of its
    numbers over networks alone would be too small.
    """
    count = arrays[0].shape[-1]
    rows = [function(*(np.delete(each, k, -1) for each in arrays)) for k in range(count)]
    return Statistic(np.stack([function(*arrays), *rows]), tuple(("networks", k) for k in range(count)))


def centres_of(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean features of each data type and sample size, and their spread within these.

    Args:
        features: float64 [types, sizes, F, networks]; NaN for data that were not there.

    Returns:
        float64 [types, sizes, F] and [F], the root mean square of the deviations from these means.
    """
    there = np.isfinite(features)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(there, features, 0.0).sum(-1) / there.sum(-1)
        squares = np.where(there, features - means[..., None], 0.0) ** 2
        spread = np.sqrt(squares.sum((0, 1, 3)) / there.sum((0, 1, 3)))
    return means, spread


def predicted_types(features: np.ndarray) -> np.ndarray:
    """Return the data type with the nearest centre, of the centres of all other networks.

    Args:
        features: float64 [types, sizes, F, networks].

    Returns:
        int64 [types, sizes, networks].
    """
    types, sizes, _, count = features.shape
    predicted = np.zeros((types, sizes, count), int)
    for k in range(count):
        centres, spread = centres_of(np.delete(features, k, -1))
        predicted[..., k] = distances(features[..., k], centres.swapaxes(0, 1), spread).argmin(-1)
    return predicted


def confusion(predicted: np.ndarray) -> np.ndarray:
    """Return the confusion matrix, float64 [predicted, true types], rows sum to 1.

    A type that is never predicted is taken to be right.

    Args:
        predicted: of `predicted_types`.
    """
    types = len(predicted)
    counts = np.stack([np.bincount(each.ravel(), minlength=types) for each in predicted], 1).astype(float)
    total = counts.sum(1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), np.eye(types))


def expected(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return losses averaged over the true types, float64 [M, predicted types, sizes, networks]."""
    return np.einsum("gm,rmsk->rgsk", shares, values)


def kinds_of(losses: Losses, *, predicted: bool = False) -> Iterator[Kind]:
    """Yield what to use on each data type and sample size, where there are enough networks.

    Args:
        losses: of all methods.
        predicted: the type is what the features of the data predict, and losses are averaged over what it may be.
    """
    if len(losses.networks) < FEWEST or not losses.methods:
        return
    values = losses.values
    if predicted:
        values = expected(values, confusion(predicted_types(np.moveaxis(losses.features, 2, -1))))
    pairwise = np.array([method.name in PAIRWISE for method in losses.methods])
    direct = np.array([method.category == DIRECT for method in losses.methods]) & ~pairwise
    for m, data_type in enumerate(losses.mechanisms):
        for s, n in enumerate(losses.sizes):
            means = over_networks(values[:, m, s])
            best = int(means.rows[0].argmin())
            binned, unbinned = (
                int(np.where(rows, means.rows[0], np.inf).argmin()) if rows.any() else None
                for rows in (~direct & ~pairwise, direct)
            )
            comparable = binned is not None and unbinned is not None
            gain = (means[binned] - means[unbinned]).estimate() if comparable else None
            yield Kind(data_type, n, best, binned, losses.row(RULE_OF_THUMB), means.estimate(), gain)


@dataclass(frozen=True)
class Regrets:
    """What strategies cost on each network that was left out when their choice was made.

    Attributes:
        losses: by strategy, [strategies], mean over data types for each N, with the values without each network.
        names: of the strategies; the last is the best method of each data set, which nobody knows beforehand.
        accuracy: share of the data sets whose type is predicted right.
    """

    losses: Statistic
    names: tuple[str, ...]
    accuracy: float

    def regret(self, strategy: str, size: int | None = None) -> Estimate:
        """Return the mean loss of a strategy above that of the best method of each data set."""
        return self._difference(self.names.index(strategy), -1, size)

    def against(self, strategy: str, other: str) -> Estimate:
        """Return the mean loss of a strategy less that of another one."""
        return self._difference(self.names.index(strategy), self.names.index(other), None)

    def _difference(self, one: int, other: int, size: int | None) -> Estimate:
        gain = self.losses[one] - self.losses[other]
        return (gain.map(lambda rows: rows.mean(-1)) if size is None else gain[size]).estimate()


def by_likelihood(judge: str) -> str:
    """Return the strategy that uses the method with the highest held-out likelihood on each data set."""
    return f"highest held-out likelihood, by {judge}"


def regrets(losses: Losses) -> Regrets | None:
    """Return the regret of the advice by leaving one network out, None of too few networks.

    The advice, what the left-out network's type is predicted as, and how far that is trusted, come from the others.
    """
    if len(losses.networks) <= FEWEST or not losses.methods:
        return None
    features = np.moveaxis(losses.features, 2, -1)
    judges = {judge: nats for judge, nats in losses.held_out.items() if np.isfinite(nats).any(0).all()}
    rules = {name: row for name, method in RULES.items() if (row := losses.row(method)) is not None}
    names = (ADVISED, KNOWN, ONE, *rules, *map(by_likelihood, judges), "best")

    def strategies(values: np.ndarray, features: np.ndarray, *nats: np.ndarray) -> np.ndarray:
        chosen = [*_advised(values, features)]
        chosen += [np.full(values.shape[1:], row) for row in rules.values()]
        chosen += [np.nan_to_num(each, nan=-np.inf).argmax(0) for each in nats]
        chosen += [values.argmin(0)]
        return np.stack([np.take_along_axis(values, rows[None], 0)[0].mean((0, 2)) for rows in chosen])

    results = leave_one_out(strategies, losses.values, features, *judges.values())
    right = predicted_types(features) == np.arange(len(losses.mechanisms))[:, None, None]
    return Regrets(results, names, float(right.mean()))


def _advised(values: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return what the others advise for each network, by `ADVISED`, `KNOWN` and `ONE`, int64 [3, types, sizes, K]."""
    count = values.shape[-1]
    predicted, sizes = predicted_types(features), np.arange(values.shape[2])
    chosen = np.zeros((3, *values.shape[1:]), int)
    for k in range(count):
        means = np.delete(values, k, -1).mean(-1)
        shares = confusion(predicted_types(np.delete(features, k, -1)))
        best = np.einsum("gm,rms->rgs", shares, means).argmin(0)  # [predicted types, sizes]
        chosen[0, ..., k] = best[predicted[..., k], sizes]
        chosen[1, ..., k] = means.argmin(0)
        chosen[2, ..., k] = means.mean((1, 2)).argmin()
    return chosen


def advice_of(losses: Losses, *, scale: str, seed: int, version: str) -> dict[str, Any]:
    """Return the table that `cutpoint.advise` applies, as plain data."""
    features = np.moveaxis(losses.features, 2, -1)
    centres, spread = centres_of(features)
    shares, regret = confusion(predicted_types(features)), regrets(losses)
    types = losses.mechanisms
    return {
        "scale": scale,
        "seed": seed,
        "version": version,
        "graphs": losses.runs,
        "networks": len(losses.networks),
        "features": list(FEATURES),
        "spread": _plain(spread),
        "centres": {
            name: {str(n): _plain(centres[m, s]) for s, n in enumerate(losses.sizes)} for m, name in enumerate(types)
        },
        "confusion": {
            name: dict(zip(types, _plain(row), strict=True)) for name, row in zip(types, shares, strict=True)
        },
        "known": [_entry(losses, kind) for kind in kinds_of(losses)],
        "predicted": [_entry(losses, kind) for kind in kinds_of(losses, predicted=True)],
        "regret": {} if regret is None else {name: _interval(regret.regret(name)) for name in regret.names[:-1]},
    }


def _entry(losses: Losses, kind: Kind) -> dict[str, Any]:
    places = {"best": kind.best, "binned": kind.binned, "rule": kind.rule}
    choices: dict[str, Any] = {
        name: {"method": losses.methods[row].name, "loss": _positive(_interval(kind.loss[row]))}
        for name, row in places.items()
        if row is not None
    }
    gain = kind.difference
    together = None if gain is None else gain.interval(comparisons=len(losses.mechanisms))
    bins = None if gain is None or together is None else _plain(np.array([gain.value, *together], float))
    return {"type": kind.data_type, "n": kind.n, **choices, "difference": bins}


def _interval(number: Estimate) -> list[float | None]:
    """Return a number with the ends of its interval."""
    return _plain(np.array([number.value, number.low, number.high], float))


def _positive(interval: list[float | None]) -> list[float | None]:
    """Return a loss with its interval, of which nothing is below 0."""
    return [None if x is None else max(x, 0.0) for x in interval]


def _plain(numbers: np.ndarray) -> list[float | None]:
    return [round(float(x), DIGITS) if np.isfinite(x) else None for x in numbers]
