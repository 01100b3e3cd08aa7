"""Prior knowledge of arcs and thresholds by column name, and its checks; `cutpoint.knowledge.read` reads the files."""

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from cutpoint.base.checking import Closed, check
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.graphs.dags import find_cycle
from cutpoint.knowledge.arcs import Arcs

Count = Annotated[int, Field(ge=1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class KnownThresholds(Closed):
    """What is known of the thresholds of one column; a list stands for fixed ones."""

    fixed: list[Finite] | None = Field(None, description="the thresholds, increasing")
    grid: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(None, description="step of multiples")
    origin: Finite = Field(0.0, description="where the grid has a threshold")
    least_share: Annotated[float, Field(gt=0, le=0.5)] | None = Field(None, description="of the records in each level")
    least_levels: Count | None = Field(None, description="the fewest levels")
    most_levels: Count | None = Field(None, description="the most levels")

    @model_validator(mode="after")
    def _agree(self):
        others = [key for key in type(self).model_fields if key != "fixed" and key in self.model_fields_set]
        if self.fixed is not None and others:
            raise ValueError(f"fixed thresholds leave nothing to {others[0]}; leave one of them out")
        if self.fixed is not None and any(low >= high for low, high in zip(self.fixed, self.fixed[1:], strict=False)):
            raise ValueError("thresholds are increasing numbers")
        if "origin" in others and self.grid is None:
            raise ValueError("origin is that of a grid; add grid")
        least = self.least_levels or 1
        if least > (self.most_levels or math.inf):
            raise ValueError(f"at least {least} and at most {self.most_levels} levels")
        if self.least_share is not None and least * self.least_share > 1:
            raise ValueError(f"{least} levels cannot each have {self.least_share:g} of the records")
        return self


def _arc(value: Any) -> Any:
    """Return the two names of an arc, which may be written x -> y."""
    if isinstance(value, str) and value.count("->") != 1:
        raise ValueError(f"{value!r} is no arc; write 'a -> b'")
    return [name.strip() for name in value.split("->")] if isinstance(value, str) else value


Arc = Annotated[tuple[str, str], BeforeValidator(_arc)]
OfColumn = Annotated[
    KnownThresholds, BeforeValidator(lambda value: {"fixed": value} if isinstance(value, list | tuple) else value)
]


class KnowledgeKeys(Closed):
    """The keys of a knowledge file."""

    required: list[Arc] = Field([], description="arcs that every graph has: [parent, child] or parent -> child")
    forbidden: list[Arc] = Field([], description="arcs that no graph has")
    tiers: list[list[str]] = Field([], description="columns in order of time: no arc from a later tier to an earlier")
    no_arcs_within: list[Count] = Field([], description="the numbers, from 1, of tiers that have no arcs inside")
    max_parents: Annotated[int, Field(ge=0)] | None = Field(None, description="the most parents of a variable")
    max_levels: Annotated[int, Field(ge=2)] | None = Field(None, description="the most levels of a continuous column")
    thresholds: dict[str, OfColumn] = Field({}, description="what is known of the thresholds of columns, by name")


class Knowledge:
    """Prior knowledge that a method must respect: arcs, their order, thresholds; see docs/knowledge.md.

    Args:
        required, forbidden: arcs as (parent, child).
        tiers: lists of columns: no arc leads from a later one to an earlier one. Other columns are free.
        no_arcs_within: the numbers, from 1, of tiers that have no arcs inside.
        max_parents: the most parents of a variable.
        max_levels: the most levels of a continuous column, where `thresholds` has no others.
        thresholds: by column a list of fixed thresholds, or a dict of grid, origin, least_share, least_levels and
            most_levels.
        source: begins messages, such as the name of a file; an InputError has it and the key of what is wrong.

    Examples:
        >>> known = cp.Knowledge(forbidden=["x0 -> x1"], tiers=[["x0", "x1"], ["x2"]])
        >>> cp.learn(values, "eqfreq3", knowledge=known).edges()[0]
        Edge(source='x1', target='x0', directed=True)
    """

    def __init__(
        self,
        *,
        required: Sequence[Any] = (),
        forbidden: Sequence[Any] = (),
        tiers: Sequence[Sequence[str]] = (),
        no_arcs_within: Sequence[int] = (),
        max_parents: int | None = None,
        max_levels: int | None = None,
        thresholds: Mapping[str, Any] | None = None,
        source: str = "knowledge",
    ):
        arcs = {"required": required, "forbidden": forbidden, "tiers": tiers, "no_arcs_within": no_arcs_within}
        limits = {"max_parents": max_parents, "max_levels": max_levels, "thresholds": thresholds or {}}
        self._use(arcs | limits, source)

    @classmethod
    def of(cls, content: Mapping[str, Any], source: str) -> "Knowledge":
        """Return the knowledge of the keys of a file."""
        knowledge = cls.__new__(cls)
        knowledge._use(content, source)
        return knowledge

    def _use(self, content: Mapping[str, Any], source: str) -> None:
        self.source, self.content = source, check(KnowledgeKeys, content, source)
        self._check()
        self.arcs(sorted({name for _, name in self._names()}))

    def plain(self) -> dict[str, Any]:
        """Return the knowledge as plain data, which `of` reads."""
        return self.content.model_dump(exclude_unset=True)

    def __repr__(self) -> str:
        settings = {key: value for key, value in self.plain().items() if value not in ([], {}, None)}
        return f"Knowledge({', '.join(f'{key}={value!r}' for key, value in settings.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Knowledge) and self.content == other.content

    __hash__ = None  # type: ignore[assignment]

    def _names(self) -> Iterator[tuple[str, str]]:
        """Yield all names with the keys under which they stand."""
        content = self.content
        for key, arcs in (("required", content.required), ("forbidden", content.forbidden)):
            yield from ((key, name) for arc in arcs for name in arc)
        yield from (("tiers", name) for tier in content.tiers for name in tier)
        yield from (("thresholds", name) for name in content.thresholds)

    def _check(self) -> None:
        content = self.content
        for key, arcs in (("required", content.required), ("forbidden", content.forbidden)):
            if loop := [x for x, y in arcs if x == y]:
                raise InputError(f"{self.source}: {key}: an arc from {loop[0]} to itself")
        placed: set[str] = set()
        for name in (name for tier in content.tiers for name in tier):
            if name in placed:
                raise InputError(f"{self.source}: tiers: {name} stands in two places")
            placed.add(name)
        if beyond := [number for number in content.no_arcs_within if number > len(content.tiers)]:
            raise InputError(f"{self.source}: no_arcs_within: there is no tier {beyond[0]}")

    def check(self, variables: Sequence[str], discrete: np.ndarray | None = None) -> None:
        """Check that the knowledge names no other columns; those that are `discrete`, bool [n], have no thresholds."""
        for key, name in self._names():
            if name not in variables:
                raise InputError(f"{self.source}: {key}: the data have no column {name!r}{suggest(name, variables)}")
        for name in self.content.thresholds:
            if discrete is not None and discrete[list(variables).index(name)]:
                raise InputError(f"{self.source}: thresholds.{name}: the column is discrete and has no thresholds")

    def arcs(self, variables: Sequence[str]) -> Arcs | None:
        """Return the constraints on the arcs between some columns, in their order; None where there are none."""
        content, index = self.content, {name: i for i, name in enumerate(variables)}
        self.check(variables)
        if not (content.required or content.forbidden or content.tiers or content.max_parents is not None):
            return None
        required, forbidden = np.zeros((2, len(index), len(index)), bool)
        for matrix, arcs in ((required, content.required), (forbidden, content.forbidden)):
            for x, y in arcs:
                matrix[index[x], index[y]] = True
        later = self._against_tiers(index)
        self._check_arcs(required, forbidden, later, variables)
        allowed = ~(forbidden | later | required.T)
        np.fill_diagonal(allowed, False)
        constraints = Arcs(allowed, required, list(variables), content.max_parents, self.source)
        constraints.limit(None)
        return constraints

    def oriented(self, pattern: np.ndarray, variables: Sequence[str]) -> np.ndarray:
        """Return a pattern of some columns, bool [n, n], with the directions that follow; see `Arcs.oriented`."""
        arcs = self.arcs_among(variables)
        return pattern if arcs is None else arcs.oriented(pattern)

    def arcs_among(self, variables: Sequence[str]) -> Arcs | None:
        """Return the constraints on the arcs between some of the columns; see `arcs`."""
        arcs = self.arcs([*variables, *sorted({name for _, name in self._names()} - {*variables})])
        return None if arcs is None else arcs.reordered(np.arange(len(variables)))

    def _against_tiers(self, index: Mapping[str, int]) -> np.ndarray:
        """Return the arcs that lead back in time or stand within a tier that has none, bool [n, n]."""
        tiers = [[index[name] for name in tier] for tier in self.content.tiers]
        against = np.zeros((len(index), len(index)), bool)
        for earlier, later in combinations(tiers, 2):
            against[np.ix_(later, earlier)] = True
        for number in self.content.no_arcs_within:
            against[np.ix_(tiers[number - 1], tiers[number - 1])] = True
        return against

    def _check_arcs(self, required: np.ndarray, forbidden: np.ndarray, later: np.ndarray, of: Sequence[str]) -> None:
        for other, text in ((forbidden, "is forbidden too"), (later, "is against the tiers")):
            if (both := required & other).any():
                i, j = np.argwhere(both)[0]
                raise InputError(f"{self.source}: required: {of[i]} -> {of[j]} {text}")
        if cycle := find_cycle(required):
            names = [of[i] for i in (*cycle, cycle[0])]
            raise InputError(f"{self.source}: required: the arcs have a cycle: {' -> '.join(names)}")


def apart(knowledge: Knowledge | None, names: Container[str], variables: Sequence[str]) -> Knowledge:
    """Return knowledge with no arc at some columns but those that it requires."""
    content: dict[str, Any] = {} if knowledge is None else knowledge.plain()
    pairs = [(x, y) for x, y in permutations(variables, 2) if x in names or y in names]
    required = {name for arc in content.get("required", []) for name in arc}
    forbidden = [pair for pair in pairs if not {*pair} & required]
    source = "knowledge" if knowledge is None else knowledge.source
    return Knowledge.of(content | {"forbidden": [*content.get("forbidden", []), *forbidden]}, source)
