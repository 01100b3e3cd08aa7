"""Which row to take on data of each kind, and what following that advice would cost on a network that was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from cutpoint.bench.studies.field2026.losses import CLASSES, Losses, without_network

from cutpoint.bench.engine.inputs import Method
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.data.features import FEATURES
from cutpoint.statistics.estimates import Estimate, Statistic
from cutpoint.statistics.recommending import (
    MARGIN,
    Recommended,
    centres_of,
    nearest,
    over_networks,
    pooled,
    recommended,
)

USUAL = {  # what is taken without any advice
    "always equal frequency, 3 levels": "field3.equal_frequency.bdeu.hill_climbing",
    "always equal width, 3 levels": "field3.equal_width.bdeu.hill_climbing",
}
DIRECT = "direct"  # the category of rows that do not discretize
PAIRWISE = ("miic",)  # rows that cut each pair of variables by itself: no levels of a variable, and not its values
LEFT_OUT, UNCUT, CUT = "left out", "without levels", "with levels"  # what rows of PAIRWISE can count as
SPLITS, SPLIT_SEED = 1000, 0  # halves of the networks that are left out
DIGITS, LOWER = 4, 3  # of the numbers of the shipped table, and rows with a lower mean in it


@dataclass(frozen=True)
class Kind:
    """Data of one mechanism, size and class of networks, and what to take on them.

    Attributes:
        mechanism, n, variables: which data; `variables` is a key of `CLASSES`.
        discrete: mean share of discrete columns.
        found: what to take, None where there are too few networks.
        networks: how many there are.
        seconds: CPU seconds of a run of the row to take, NaN where it is not known.
    """

    mechanism: str
    n: int
    variables: str
    discrete: float
    found: Recommended | None
    networks: int
    seconds: float

    @property
    def recovers(self) -> bool:
        """Whether the row to take is surely nearer to the true graph than the empty one, whose loss is 1."""
        return self.found is not None and float(self.found.loss.high[self.found.best]) < 1


def kinds_of(losses: Losses) -> Iterator[Kind]:
    """Yield all kinds of data of the runs."""
    share = FEATURES.index("discrete_share")
    if not losses.networks:
        return
    scores = [pooled(losses.values, losses.classes == c) for c in range(len(CLASSES))]
    for m, mechanism in enumerate(losses.mechanisms):
        for s, n in enumerate(losses.sizes):
            for c, name in enumerate(CLASSES):
                mine = losses.classes == c
                if mine.any():
                    found = (
                        recommended(losses.values[:, m, s, mine], scores[c][:, m, s]) if mine.sum() >= FEWEST else None
                    )
                    discrete = float(np.nanmean(losses.features[m, s, mine, share]))
                    seconds = np.nan if found is None else middle(losses.seconds[found.best, m, s, mine])
                    yield Kind(mechanism, n, name, discrete, found, int(mine.sum()), seconds)


def middle(numbers: np.ndarray) -> float:
    """Return the median of what is known, NaN where nothing is."""
    known = numbers[np.isfinite(numbers)]
    return float(np.median(known)) if known.size else np.nan


def left_out(count: int) -> np.ndarray:
    """Return random halves of the networks, bool [SPLITS, networks]."""
    return np.random.default_rng(SPLIT_SEED).random((SPLITS, count)).argsort(1) < count // 2


def elsewhere(values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the mean loss on some networks of the row that has the lowest mean on the others.

    Half of the networks is left out at a time: where a single one is, rows that are nearly tied take turns, and each
    time that is taken which is worse on what was left out.

    Args:
        values: float64 [M, ..., networks].
        out: bool [halves, networks], of `left_out`.

    Returns:
        float64 [...], over networks and the halves that they are in.
    """
    rows = (values @ (~out).T.astype(float)).argmin(0)  # [..., splits]
    losses = values @ out.T.astype(float) / out.sum(1)  # [M, ..., splits]
    return np.take_along_axis(losses, rows[None], 0)[0].mean(-1)


def without_each(function: Callable[[np.ndarray, np.ndarray], np.ndarray], values: np.ndarray) -> Statistic:
    """Return a function of values [..., networks] and halves left out, with its values without each network in turn.

    What is chosen by networks and judged on networks depends on each of them in more than one way: the spread of its
    numbers over networks would be too little. The halves stay the same but for the network, so that chance in drawing
    them does not count as spread.
    """
    count = values.shape[-1]
    out = left_out(count)
    rows = [function(np.delete(values, k, -1), np.delete(out, k, 1)) for k in range(count)]
    return Statistic(np.stack([function(values, out), *rows]), tuple(("networks", k) for k in range(count)))


def called_of(features: np.ndarray) -> np.ndarray:
    """Return which kind the features of each data set tell, with the centres of all other networks.

    Args:
        features: float64 [kinds, sizes, networks, F].

    Returns:
        int64 [kinds, sizes, networks].
    """
    kinds, sizes, count, _ = features.shape
    found = np.zeros((kinds, sizes, count), int)
    for k in range(count):
        centres, spread = centres_of(np.delete(features, k, 2))
        for s in range(sizes):
            found[:, s, k] = nearest(features[:, s, k], centres[:, s], spread)
    return found


def told_of(called: np.ndarray) -> np.ndarray:
    """Return of the data called of each kind the share that are of each, float64 [called, kinds].

    Every kind counts as often as there are data of it. What nothing is called is what it is called.

    Args:
        called: of `called_of`.
    """
    kinds = len(called)
    counts = np.stack([np.bincount(each.ravel(), minlength=kinds) for each in called], 1).astype(float)
    total = counts.sum(1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), np.eye(kinds))


def as_called(losses: Losses, told: np.ndarray) -> Losses:
    """Return the losses to be expected on data that are called of each kind, for what they may be.

    Args:
        losses: by what the data are.
        told: of `told_of`.
    """
    return replace(losses, values=np.einsum("gm,rmsk->rgsk", told, losses.values))


@dataclass(frozen=True)
class Regrets:
    """What strategies cost on each network that was left out while their advice was made.

    Attributes:
        loss: by strategy, float64 [sizes, K], mean over mechanisms.
        best: float64 [sizes, K], the same of the best row of each data set, which nobody knows beforehand.
        guessed: share of the data sets whose mechanism the features tell.
        without: the same of all networks but one, each in turn.
    """

    loss: Mapping[str, np.ndarray]
    best: np.ndarray
    guessed: float
    without: tuple[Regrets, ...] = ()

    def regret(self, strategy: str, size: int | None = None) -> Estimate:
        """Return the mean loss of a strategy above that of the best row of each data set, over networks."""
        return self._mean(lambda each: each.loss[strategy] - each.best, size)

    def against(self, strategy: str, other: str) -> Estimate:
        """Return the mean loss of a strategy less that of another one."""
        return self._mean(lambda each: each.loss[strategy] - each.loss[other], None)

    def _mean(self, numbers: Callable[[Regrets], np.ndarray], size: int | None) -> Estimate:
        place = slice(None) if size is None else size
        rows = np.array([numbers(each)[place].mean() for each in (self, *self.without)])
        return Statistic(rows, tuple(("networks", k) for k in range(len(self.without)))).estimate()


ADVISED, KNOWN, ONE = "advised from the data", "advised, kind of data known", "best row of all other networks"


def judged(judge: str) -> str:
    """Return the strategy that takes the row with the highest held-out likelihood of each data set."""
    return f"highest held-out likelihood, by {judge}"


def regrets(losses: Losses) -> Regrets | None:
    """Return the regret of the advice by leaving one network out, None of too few networks.

    What a network that is left out is called, and how far that can be trusted, come from the others too. As each
    network has a part in the advice for all others, errors are those of the whole without each network.
    """
    count = len(losses.networks)
    if count <= FEWEST or not losses.methods:
        return None
    return replace(_regrets(losses), without=tuple(_regrets(without_network(losses, k)) for k in range(count)))


def _regrets(losses: Losses) -> Regrets:
    count = len(losses.networks)
    mechanisms, sizes = range(len(losses.mechanisms)), range(len(losses.sizes))
    called = called_of(losses.features)
    chosen: dict[str, np.ndarray] = {
        name: np.zeros((len(mechanisms), len(sizes), count), int) for name in (ADVISED, KNOWN, ONE)
    }
    for k in range(count):
        others = np.arange(count) != k
        alike, values = (losses.classes == losses.classes[k])[others], losses.values[..., others]
        chosen[KNOWN][..., k] = pooled(values, alike).argmin(0)  # [mechanisms, sizes]
        told = told_of(called_of(losses.features[:, :, others]))
        best = pooled(np.einsum("gm,rmsk->rgsk", told, values), alike).argmin(0)  # [called, sizes]
        chosen[ADVISED][..., k] = best[called[..., k], np.arange(len(sizes))]
        chosen[ONE][..., k] = values.mean((1, 2, 3)).argmin()
    for name, method in USUAL.items():
        row = losses.row(method)
        if row is not None:
            chosen[name] = np.full((len(mechanisms), len(sizes), count), row)
    for judge, nats in losses.held_out.items():
        if np.isfinite(nats).any(0).all():
            chosen[judged(judge)] = np.nan_to_num(nats, nan=-np.inf).argmax(0)
    found = {name: np.take_along_axis(losses.values, rows[None], 0)[0].mean(0) for name, rows in chosen.items()}
    right = called == np.arange(len(mechanisms))[:, None, None]
    return Regrets(found, losses.values.min(0).mean(0), float(right.mean()))


@dataclass(frozen=True)
class Levels:
    """What discretizing costs on data of one mechanism, against not doing it.

    Attributes:
        mechanism: which data.
        cut, uncut: the rows with the lowest mean loss, of those that discretize and of those that do not.
        gain: loss of the row that discretizes less that of the one that does not, on networks that took no part in
            choosing either, over all N and then for each N, [1 + sizes].
    """

    mechanism: str
    cut: int
    uncut: int
    gain: tuple[Estimate, ...]


def discretize_or_not(losses: Losses, pairwise: str = LEFT_OUT) -> Iterator[Levels]:
    """Yield for each mechanism what discretizing costs, where there are enough networks and rows of both kinds.

    The lowest mean of many rows is low by chance, and there are more rows that discretize: both rows are those with the
    lowest mean on other networks, see `elsewhere`, over all N and anew at each.

    Args:
        losses: of all rows.
        pairwise: what rows of `PAIRWISE` count as: `LEFT_OUT`, `UNCUT` or `CUT`.
    """
    by_pair = np.array([method.name in PAIRWISE for method in losses.methods], bool)
    direct = np.array([method.category == DIRECT for method in losses.methods], bool) & ~by_pair
    cut = ~direct & ~by_pair | by_pair & (pairwise == CUT)
    uncut = direct | by_pair & (pairwise == UNCUT)
    count = len(losses.networks)
    if count <= FEWEST or not cut.any() or not uncut.any():
        return

    def gain(
        values: np.ndarray, out: np.ndarray
    ) -> np.ndarray:  # of [M, mechanisms, sizes, K], [mechanisms, 1 + sizes]
        parts = np.concatenate([values.mean(2, keepdims=True), values], 2)
        return elsewhere(parts[cut], out) - elsewhere(parts[uncut], out)

    found, means = without_each(gain, losses.values), losses.values.mean((2, 3))
    for m, mechanism in enumerate(losses.mechanisms):
        first, bare = (int(np.where(kind, means[:, m], np.inf).argmin()) for kind in (cut, uncut))
        yield Levels(mechanism, first, bare, tuple(found[m, k].estimate() for k in range(1 + len(losses.sizes))))


def best_of(losses: Losses, mechanism: int | None = None) -> Recommended:
    """Return what has the lowest mean loss on all data, or on those of a mechanism; networks are the units."""
    return recommended(of_mechanism(losses, mechanism))


def of_mechanism(losses: Losses, mechanism: int | None = None) -> np.ndarray:
    """Return the mean losses on all data of each network, or on those of a mechanism, float64 [M, K]."""
    kept = losses.values if mechanism is None else losses.values[:, [mechanism]]
    return kept.mean((1, 2))


@dataclass(frozen=True)
class Beside:
    """A row that was run on some of the data sets alone, beside the one to take on data of a mechanism.

    Attributes:
        mechanism: which data.
        other: the row.
        taken: the row to take, of all that were run on all data sets.
        gain: loss of the other less that of the row to take, on the same data sets.
        networks: how many there are.
    """

    mechanism: str
    other: Method
    taken: Method
    gain: Estimate
    networks: int


def beside(losses: Losses, theirs: Losses) -> Iterator[Beside]:
    """Yield for each mechanism every row of a smaller grid beside the row to take, where there are enough networks."""
    sizes = [n for n in losses.sizes if n in theirs.sizes]
    networks = [name for name in losses.networks if name in theirs.networks]
    if len(networks) < FEWEST or not sizes:
        return
    mine, their = (
        each.values[
            np.ix_(
                range(len(each.methods)),
                range(len(each.mechanisms)),
                [each.sizes.index(n) for n in sizes],
                [each.networks.index(name) for name in networks],
            )
        ].mean(2)
        for each in (losses, theirs)
    )
    for m, mechanism in enumerate(losses.mechanisms):
        if mechanism in theirs.mechanisms:
            best = best_of(losses, m).best
            gains = over_networks(their[:, theirs.mechanisms.index(mechanism)] - mine[best, m])
            for i, other in enumerate(theirs.methods):
                yield Beside(mechanism, other, losses.methods[best], gains[i].estimate(), len(networks))


def advice_of(losses: Losses, *, scale: str, seed: int, version: str) -> dict[str, Any]:
    """Return the table that `cutpoint.advise` applies, as plain data.

    It holds what to take on each kind of data, how the kinds are told apart, and the regret of the advice.
    """
    centres, spread = centres_of(losses.features)
    regret, told = regrets(losses), told_of(called_of(losses.features))
    return {
        "scale": scale,
        "seed": seed,
        "version": version,
        "graphs": losses.runs,
        "networks": len(losses.networks),
        "margin": MARGIN,
        "variables": {name: None if np.isinf(most) else most for name, most in CLASSES.items()},
        "features": list(FEATURES),
        "spread": _plain(spread),
        "centres": {
            mechanism: {str(n): _plain(centres[m, s]) for s, n in enumerate(losses.sizes)}
            for m, mechanism in enumerate(losses.mechanisms)
        },
        "kinds": [_entry(losses, kind) for kind in kinds_of(losses)],
        "called": [_entry(losses, kind) for kind in kinds_of(as_called(losses, told))],
        "told": {mechanism: round(float(told[m, m]), DIGITS) for m, mechanism in enumerate(losses.mechanisms)},
        "usual": dict(USUAL),
        "regret": {} if regret is None else {name: _interval(regret.regret(name)) for name in regret.loss},
        "guessed": None if regret is None else round(regret.guessed, DIGITS),
    }


def _entry(losses: Losses, kind: Kind) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "mechanism": kind.mechanism,
        "n": kind.n,
        "variables": kind.variables,
        "networks": kind.networks,
    }
    if kind.found is None:
        return entry
    found = kind.found
    usual = {name: losses.row(method) for name, method in USUAL.items()}
    lower = [i for i in np.argsort(found.loss.value, kind="stable").tolist() if found.above.value[i] < 0][:LOWER]
    return entry | {
        "row": losses.methods[found.best].name,
        "as_good": [losses.methods[i].name for i in found.as_good],
        "as_good_loss": _plain(found.loss.value[list(found.as_good)]),
        "lower": [losses.methods[i].name for i in lower],
        "lower_loss": _plain(found.loss.value[lower]),
        "not_surely_worse": int(found.not_surely_worse.sum()) - 1,
        "loss": _positive(_interval(found.loss[found.best])),
        "above": {name: _interval(found.above[row]) for name, row in usual.items() if row is not None},
    }


def _interval(number: Estimate) -> list[float | None]:
    """Return a number with the ends of its interval."""
    return _plain(np.array([number.value, number.low, number.high], float))


def _positive(interval: list[float | None]) -> list[float | None]:
    """Return a loss with its interval, of which nothing is below 0."""
    return [None if x is None else max(x, 0.0) for x in interval]


def _plain(numbers: np.ndarray) -> list[float | None]:
    return [round(float(x), DIGITS) if np.isfinite(x) else None for x in numbers]
