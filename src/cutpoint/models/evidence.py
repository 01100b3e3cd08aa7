"""Evidence that leaves several levels open: intervals of values, sets of states, likelihoods."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.frames import cells_of, coded
from cutpoint.models.density import TINY
from cutpoint.models.fitted import Fitted
from cutpoint.networks.network import Network


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
    try:
        low, high = map(float, value)
        rises = low < high
    except (TypeError, ValueError):
        rises = False
    if not rises:
        raise InputError(f"{where}: an interval is a tuple of two numbers that rise, such as (5, 10), not {value}")
    return low, high


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
