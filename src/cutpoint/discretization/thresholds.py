"""Thresholds with the names and states by which new records are matched, and what levels between them are called."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.frames import Records, coded, records_of
from cutpoint.data.times import dates_of
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.returned import checked_cuts

_INTERVAL = re.compile("lt_(.+)|from_(.+)_to_(.+)|ge_(.+)")


class Thresholds(list[np.ndarray]):
    """One sorted float64 array of thresholds per variable, with the names of the variables and their states.

    Attributes:
        variables: n names, or None for thresholds of an array, which know positions alone.
        states: of each discrete variable by name, by code.
        times: the names of variables whose values are times, as years with decimals.

    Raises:
        InputError: thresholds that are not finite or do not rise, names that are not one per variable and different, or
            states that are not those of the levels.

    Examples:
        >>> thresholds = cp.Thresholds([[0.5, 1.5]], ["dose"])
        >>> thresholds.labels, cp.cardinalities(thresholds)
        ({'dose': ['lt_0.5', 'from_0.5_to_1.5', 'ge_1.5']}, array([3]))
    """

    def __init__(
        self,
        thresholds: Iterable[Any],
        variables: Sequence[str] | None = None,
        states: Mapping[str, Sequence[str]] | None = None,
        times: Sequence[str] = (),
    ):
        super().__init__(checked_cuts(cuts, f"thresholds: list {i + 1}") for i, cuts in enumerate(thresholds))
        self.variables = None if variables is None else list(variables)
        self.states = {name: tuple(levels) for name, levels in (states or {}).items()}
        self.times = tuple(times)
        names = self.variables
        if names is not None and (len(names) != len(self) or len({*names}) < len(names)):
            raise InputError(f"variables: {len(self)} different names are expected, not {names}")
        levels = {name: len(cuts) + 1 for name, cuts in zip(names or (), self, strict=False)}
        for name, own in self.states.items():
            if name not in levels:
                raise InputError(f"states: there is no variable {name}")
            if levels[name] != len(own):
                raise InputError(f"states: {len(own)} of {name}, whose thresholds make {levels[name]} levels")

    def __eq__(self, other: object) -> bool:
        """Return whether thresholds, names and states are equal; a plain list has no names and states."""
        if not isinstance(other, list):
            return False
        names, states = getattr(other, "variables", None), getattr(other, "states", {})
        same = self.variables == names and self.states == states and len(self) == len(other)
        return same and all(map(np.array_equal, self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    @property
    def names(self) -> list[str]:
        """Return the names of the variables; x0, x1, ... where they have none."""
        return numbered(len(self)) if self.variables is None else self.variables

    @property
    def labels(self) -> dict[str, list[str]]:
        """Return the names of the levels of each variable: its states, or names of the intervals."""
        return {
            name: list(self.states[name]) if name in self.states else interval_labels(cuts, times=name in self.times)
            for name, cuts in zip(self.names, self, strict=True)
        }

    @property
    def discrete(self) -> np.ndarray:
        """Return which variables have states, bool [n]."""
        return np.array([name in self.states for name in self.variables or [""] * len(self)], bool)

    def read(self, data: Any) -> np.ndarray:
        """Return records as values, float64 [M, n], states as their codes; see `cutpoint.encode`."""
        return self.values_of(records_of(data))

    def encode(self, data: Any) -> np.ndarray:
        """Return the codes of records, int32 [M, n], or of a single one [n]; see `cutpoint.encode`."""
        records = records_of(data)
        codes = encode(self.values_of(records), self)
        return codes[0] if records.single else codes

    def of(self, places: Sequence[int]) -> "Thresholds":
        """Return those of some variables, with names."""
        names = [self.names[i] for i in places]
        states = {name: levels for name, levels in self.states.items() if name in names}
        return Thresholds([self[i] for i in places], names, states, self.times)

    def moved(self, thresholds: Sequence[np.ndarray]) -> "Thresholds":
        """Return other thresholds of the same variables."""
        return Thresholds(thresholds, self.variables, self.states, self.times)

    def values_of(self, records: Records, *, gaps: bool = False) -> np.ndarray:
        """Return records as values, float64 [M, n]; see `read`. With `gaps` a cell may be missing, which is NaN."""
        columns = []
        for name, cells in records.matched(self.variables, len(self)):
            columns.append(coded(cells, self.states.get(name), f"{records.source}: column {name}", gaps=gaps))
        return np.asfortranarray(np.column_stack(columns)) if columns else np.empty((0, 0))


def interval_labels(thresholds: Sequence[float] | np.ndarray, *, times: bool = False) -> list[str]:
    """Return a name for each level: ``lt_1.5``, ``from_1.5_to_3``, ``ge_3``; ``all`` where there is one level.

    Sorted thresholds have six significant digits, or as many as keep them apart; the exact ones stand beside the names
    wherever these are written. Names are letters, digits, points, minus signs and underscores. Of `times`, years with
    decimals, the dates stand there: ``lt_2021-07-02``.
    """
    if not len(thresholds):
        return ["all"]
    texts = [text.replace(" ", "_").replace(":", ".") for text in short(np.asarray(thresholds, float), times=times)]
    return [f"lt_{texts[0]}", *(f"from_{low}_to_{high}" for low, high in pairwise(texts)), f"ge_{texts[-1]}"]


def spoken(label: str) -> str:
    """Return the name of a level for readers: ``< 1.5``, ``1.5 to 3``, ``≥ 3``; other names as they are."""
    match = _INTERVAL.fullmatch(label)
    if match is None:
        return label
    text = f"< {match[1]}" if match[1] else f"{match[2]} to {match[3]}" if match[2] else f"≥ {match[4]}"
    return text.replace("_", " ")


def short(thresholds: np.ndarray, *, times: bool = False) -> list[str]:
    """Return sorted thresholds with six significant digits, or as many as keep them apart; of times the dates."""
    if times:
        return dates_of(thresholds)
    values = (thresholds + 0.0).tolist()  # -0 is 0
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}".replace("e+", "e") for value in values]
        if len({*texts}) == len({*values}):
            break
    return texts
