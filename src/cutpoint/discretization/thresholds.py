"""Thresholds with the names and states by which new records are matched."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.frames import Records, coded, records_of
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.labels import interval_labels
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.rows import checked_cuts


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
        self._check()

    def _check(self) -> None:
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

    __hash__ = None  # type: ignore[assignment]

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
