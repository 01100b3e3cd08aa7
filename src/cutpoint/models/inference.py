"""Posteriors in discrete networks, exact by elimination, else by weighted samples; the page does it by inference.js.

Evidence may leave several levels open: intervals of values, sets of states, likelihoods.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.frames import cells_of, coded
from cutpoint.graphs.dags import with_ancestors
from cutpoint.models.density import TINY
from cutpoint.models.fitted import Fitted
from cutpoint.networks.network import Network, sample

MAX_TREE = 2**24  # cells of all cliques, 128 MB; the page of a model has the same bound
TOGETHER = 2**20  # cells of a clique with some configurations at once
SAMPLES = 100_000  # weighted records in place of exact inference

Order = list[tuple[int, list[int]]]  # variables, each with those that it is joined with when it is eliminated
Factor = tuple[list[int], np.ndarray]  # variables, and a table [M or 1, a level of each ...] of M configurations


def requisite(dag: np.ndarray, target: int, evidence: Sequence[int]) -> list[int]:
    """Return the positions in the evidence that can matter: the rest is separated from the target by them.

    Paths from the target reach them in the moral graph of the ancestors, passing no evidence (Lauritzen et al. 1990).
    """
    inside = with_ancestors(dag, [target, *evidence])
    arcs = dag & inside & inside[:, None]
    moral = arcs | arcs.T | (arcs.astype(np.int64) @ arcs.T > 0)
    observed = np.isin(np.arange(len(dag)), evidence)
    return np.flatnonzero(with_ancestors(moral & ~observed, [target])[[*evidence]]).tolist()


def elimination(families: Iterable[Collection[int]], sizes: np.ndarray, kept: Collection[int] = ()) -> Order:
    """Return an order of elimination of the variables of families but those `kept`."""
    near: dict[int, set[int]] = {}
    for family in families:
        for i in family:
            near.setdefault(i, set()).update({*family} - {i})
    order: Order = []
    costs: dict[int, tuple[int, float, int]] = {}
    stale = {*near}
    while True:
        for i in stale - {*kept}:  # first the one that joins the fewest pairs of neighbors, then the smallest clique
            added = sum(b not in near[a] for a, b in combinations(near[i], 2))
            costs[i] = added, sizes[[i, *near[i]]].prod(dtype=float), i
        if not costs:
            return order
        first = min(costs, key=costs.__getitem__)
        del costs[first]
        rest = near.pop(first)
        for i in rest:
            near[i] = (near[i] | rest) - {i, first}
        order.append((first, sorted(rest)))
        stale = rest.union(*(near[i] for i in rest))


class Inference:
    """Posteriors of one variable of a discrete network given codes of others.

    They are exact where the cliques of an elimination have at most `MAX_TREE` cells; `error` is the largest standard
    error of those that were not, 0 before. Variables are named by their index and states by their code.
    """

    def __init__(self, network: Network):
        self.cardinalities, self.network, self.error = network.cardinalities, network, 0.0
        self.dag = network.dag
        self._families = [[*of, i] for i, of in enumerate(network.parents)]
        self._fits = cache(self._has_room)

    def posteriors(self, target: int, evidence: Sequence[int] | np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the distribution of a variable for every record, float64 [N, r], given codes [N, k] of k others.

        A code outside the levels of its variable is no evidence.
        """
        chosen = np.asarray(evidence, np.int64)
        valid = (codes >= 0) & (codes < self.cardinalities[chosen])
        answer = np.empty((len(codes), int(self.cardinalities[target])))
        patterns, group = np.unique(valid, axis=0, return_inverse=True)
        for k, pattern in enumerate(patterns):
            rows, observed = np.flatnonzero(group.reshape(-1) == k), chosen[pattern]
            # of a wide network all evidence is used, which makes it narrower
            kept = requisite(self.dag, target, observed) if self._fits((), ()) else [*range(len(observed))]
            conditions = codes[np.ix_(rows, np.flatnonzero(pattern)[kept])]
            answer[rows] = self._posteriors(target, observed[kept].tolist(), conditions)
        return answer

    def _posteriors(self, target: int, evidence: list[int], codes: np.ndarray) -> np.ndarray:
        configurations, place = np.unique(codes, axis=0, return_inverse=True)
        ask = self._exact if self._fits((*evidence,), ()) else self._sampled
        answer = ask([target], evidence, configurations)[place.reshape(-1)]
        total = answer.sum(-1, keepdims=True)
        if not (total > 0).all():
            raise InputError("evidence that has probability 0 in the network")
        return answer / total

    def _has_room(self, evidence: tuple[int, ...], clique: tuple[int, ...]) -> bool:
        """Return whether exact inference fits, some variables being observed and some standing together."""
        families = [{*family} - {*evidence} for family in (*self._families, clique)]
        cliques = elimination(families, self.cardinalities)
        return sum(self.cardinalities[[i, *rest]].prod(dtype=float) for i, rest in cliques) <= MAX_TREE

    def joint(self, variables: Sequence[int]) -> np.ndarray:
        """Return the joint distribution of some variables, one axis each."""
        if self._fits((), (*variables,)):
            answer = self._exact(variables, [], np.zeros((1, 0), np.int64))[0]
            return answer / answer.sum()
        codes, shape = sample(self.network, SAMPLES, 0)[:, [*variables]], self.cardinalities[[*variables]]
        counts = np.bincount(np.ravel_multi_index([*codes.T], [*shape]), minlength=int(shape.prod()))
        self.error = max(self.error, 0.5 * SAMPLES**-0.5)
        return counts.reshape(shape) / SAMPLES

    def _exact(self, targets: Sequence[int], evidence: Sequence[int], configurations: np.ndarray) -> np.ndarray:
        """Return the distribution of targets in each configuration up to a factor, an axis each; 0 if impossible."""
        inside = np.flatnonzero(with_ancestors(self.dag, [*targets, *evidence])).tolist()
        families = [{*self._families[i]} - {*evidence} for i in inside]
        order = elimination([*families, targets], self.cardinalities, targets)
        cliques = [[*targets], *([i, *rest] for i, rest in order)]
        size = max(1, int(TOGETHER / max(self.cardinalities[clique].prod(dtype=float) for clique in cliques)))
        answers = []
        for part in (configurations[k : k + size] for k in range(0, len(configurations), size)):
            known = dict(zip(evidence, part.T, strict=True))
            answer = eliminated([self._factor(i, known) for i in inside], order, targets)
            answers.append(np.broadcast_to(answer, (len(part), *self.cardinalities[[*targets]])))
        return np.concatenate(answers)

    def _factor(self, variable: int, known: Mapping[int, np.ndarray]) -> Factor:
        """Return the table of a family where some variables are known, codes [M] of each."""
        family = self._families[variable]
        seen, free = [i for i in family if i in known], [i for i in family if i not in known]
        table = self.network.tables[variable].transpose([family.index(i) for i in (*seen, *free)])
        return free, table[tuple(known[i] for i in seen)] if seen else table[None]

    def _sampled(self, targets: Sequence[int], evidence: Sequence[int], configurations: np.ndarray) -> np.ndarray:
        """Return posteriors by likelihood weighting (Fung and Chang 1990), 0 where no sample has the evidence."""
        answer = np.zeros((len(configurations), int(self.cardinalities[targets[0]])))
        for row, states in zip(answer, configurations, strict=True):
            codes, weights = weighted(self.network, dict(zip(evidence, states.tolist(), strict=True)))
            row[:] = np.bincount(codes[:, targets[0]], weights, len(row))
            effective = weights.sum() ** 2 / max((weights**2).sum(), 1e-300)
            self.error = max(self.error, 0.5 * max(effective, 1.0) ** -0.5)
        return answer


def eliminated(factors: list[Factor], order: Order, targets: Sequence[int]) -> np.ndarray:
    """Return what an elimination leaves of some factors, [M or 1, a level of each target]."""
    for variable, rest in order:
        message = product([factor for factor in factors if variable in factor[0]], [*rest, variable]).sum(-1)
        largest = message.max(axis=tuple(range(1, message.ndim)), keepdims=True)
        factors = [factor for factor in factors if variable not in factor[0]]
        factors.append((rest, message / np.where(largest > 0, largest, 1)))
    return product(factors, targets)


def product(factors: Iterable[Factor], variables: Sequence[int]) -> np.ndarray:
    """Return the product of some factors, [M or 1, a level of each of the variables]."""
    total = np.ones((1,) * (1 + len(variables)))
    for of, table in factors:
        axes = [0, *(1 + of.index(i) for i in sorted(of, key=variables.index))]
        absent = [k for k, i in enumerate(variables, 1) if i not in of]
        total = total * np.expand_dims(table.transpose(axes), absent)
    return total


def weighted(network: Network, known: Mapping[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return `SAMPLES` records with some codes known, int32 [M, n], and their weights, float64 [M]."""
    tables, weights = [*network.tables], np.ones(SAMPLES)
    for i, code in known.items():
        tables[i] = np.broadcast_to(np.eye(tables[i].shape[-1])[code], tables[i].shape)
    codes = sample(replace(network, tables=tuple(tables)), SAMPLES, 0)
    for i, code in known.items():
        weights *= network.tables[i][(*(codes[:, j] for j in network.parents[i]), code)]
    return codes, weights


def is_open(value: Any) -> bool:
    """Return whether evidence is an interval (tuple), a set of states (list, set) or likelihoods by state (dict)."""
    return isinstance(value, tuple | list | set | frozenset | Mapping)


def check_mapping(values: Any, what: str) -> None:
    """Refuse values that are not given by variable."""
    if not isinstance(values, Mapping):
        raise InputError(f"{what}: a dict of values by variable is expected, such as {{'dose': 8}}, not {values!r}")


def likelihood(model: Fitted, name: str, value: Any) -> np.ndarray:
    """Return the likelihood of each level of a variable under such evidence, float64 [r], the highest 1."""
    where = f"evidence: {name}"
    place = model.variables.index(name)
    if isinstance(value, tuple):
        if name not in model.scales:
            raise InputError(f"{where}: is discrete and has no interval {value}; give a list of states")
        low, high = _ends(value, where)
        weights = _shares(model, place, low, high)
    else:
        if any(np.ndim(cell) for cell in value):
            raise InputError(f"{where}: a list of states or of names of levels is expected, not {value}")
        pairs = value if isinstance(value, Mapping) else dict.fromkeys(value, 1.0)
        codes, numbers = _codes(model, place, pairs, where), list(pairs.values())
        if not all(isinstance(x, int | float | np.number) and 0 <= x < np.inf for x in numbers) or not any(numbers):
            raise InputError(f"{where}: likelihoods are numbers from 0, at least one above it, not {value}")
        weights = np.zeros(len(model.network.states[place]))
        weights[codes] = numbers
    return weights / weights.max()


def _ends(value: tuple[Any, ...], where: str) -> tuple[float, float]:
    with suppress(TypeError, ValueError):
        low, high = map(float, value)
        if low < high:
            return low, high
    raise InputError(f"{where}: an interval is a tuple of two numbers that rise, such as (5, 10), not {value}")


def _codes(model: Fitted, place: int, cells: Iterable[Any], where: str) -> list[int]:
    name, levels = model.variables[place], model.network.states[place]
    if name in model.scales and not {*cells} <= {*levels}:
        hint = "an interval is a tuple, (5, 10), and several records are a data frame"
        raise InputError(f"{where}: levels are called {', '.join(levels)}; {hint}")
    codes = coded(cells_of(name, [*cells]), levels, where).astype(int).tolist()
    if len({*codes}) < len(codes):
        raise InputError(f"{where}: a state stands twice")
    return codes


def _shares(model: Fitted, place: int, low: float, high: float) -> np.ndarray:
    """Return the share of each level that lies in an interval, by the density of the variable, float64 [r]."""
    cuts, scale = model.thresholds[place], model.scales[model.variables[place]]
    edges = np.unique([*cuts, *(x for x in (low, high) if np.isfinite(x))])
    if scale.density is None:  # in a model from a file, where values are uniform within a level
        ends = np.clip([-np.inf, *edges, np.inf], scale.least, scale.greatest)
        masses = np.maximum(np.diff(ends), TINY)
    else:
        masses = scale.density.masses(edges)
    left = np.concatenate([[-np.inf], edges])
    levels = np.searchsorted(cuts, left, side="right")
    inside = (left >= low) & (left < high)
    return np.bincount(levels, masses * inside, len(cuts) + 1) / np.bincount(levels, masses, len(cuts) + 1)


def observed(network: Network, likelihoods: Mapping[int, np.ndarray]) -> Network:
    """Return a network in which each of these variables has one more child, observed in state 0 (Pearl 1988, 2.2.2)."""
    children = [np.stack([weights, 1 - weights], axis=1) for weights in likelihoods.values()]
    return replace(
        network,
        variables=(*network.variables, *(f"observation of {network.variables[i]}" for i in likelihoods)),
        states=(*network.states, *[("observed", "not")] * len(children)),
        parents=(*network.parents, *((i,) for i in likelihoods)),
        tables=(*network.tables, *children),
    )
