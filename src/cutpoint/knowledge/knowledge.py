"""Prior knowledge of arcs and thresholds by column name, its checks, and its files: YAML, and those of Tetrad."""

import math
import os
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from cutpoint.base.checking import Closed, check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text
from cutpoint.base.text import listed, suggest
from cutpoint.graphs.dags import find_cycle
from cutpoint.knowledge.arcs import Arcs

Count = Annotated[int, Field(ge=1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
SECTIONS = {"addtemporal": "tiers", "forbiddirect": "forbidden", "requiredirect": "required"}  # of Tetrad
_TIER = re.compile(r"(\d+)([*-]*)")


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


def _no_text(value: Any) -> Any:
    if isinstance(value, str):
        raise ValueError("a list of arcs is expected, such as [a -> b] or [[a, b]]")
    return value


def _tiers(value: Any) -> Any:
    if isinstance(value, str) or any(isinstance(tier, str) for tier in value or ()):
        raise ValueError("a list of lists of columns is expected, such as [[a, b], [c]]")
    return value


def _of_column(value: Any) -> Any:
    """Return what is known of the thresholds of a column, fixed ones of which are a list of numbers."""
    if isinstance(value, list | tuple):
        if wrong := [each for each in value if isinstance(each, str | bool) or each is None]:
            raise ValueError(f"{wrong[0]!r} is no number; of dates take years with decimals: 2021.5 is 2 July 2021")
        return {"fixed": value}
    if not isinstance(value, Mapping):
        raise ValueError("a list of thresholds is expected, such as [30, 50], or a mapping with grid, least_share, ...")
    return value


Arc = Annotated[tuple[str, str], BeforeValidator(_arc)]
ArcList = Annotated[list[Arc], BeforeValidator(_no_text)]
Tiers = Annotated[list[list[str]], BeforeValidator(_tiers)]
OfColumn = Annotated[KnownThresholds, BeforeValidator(_of_column)]


class KnowledgeKeys(Closed):
    """The keys of a knowledge file."""

    required: ArcList = Field([], description="arcs that every graph has: [parent, child] or parent -> child")
    forbidden: ArcList = Field([], description="arcs that no graph has")
    tiers: Tiers = Field([], description="columns in order of time: no arc from a later tier to an earlier")
    no_arcs_within: list[Count] = Field([], description="the numbers, from 1, of tiers that have no arcs inside")
    max_parents: Annotated[int, Field(ge=0)] | None = Field(None, description="the most parents of a variable")
    max_levels: Annotated[int, Field(ge=2)] | None = Field(None, description="the most levels of a continuous column")
    thresholds: dict[str, OfColumn] = Field({}, description="what is known of the thresholds of columns, by name")


class Knowledge:
    """Prior knowledge that a method must respect: arcs, their order, thresholds; see docs/knowledge.md.

    Args:
        content: the keys of a file, in place of those that follow.
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
        content: Mapping[str, Any] | None = None,
        /,
        *,
        required: Sequence[Any] | None = None,
        forbidden: Sequence[Any] | None = None,
        tiers: Sequence[Sequence[str]] | None = None,
        no_arcs_within: Sequence[int] | None = None,
        max_parents: int | None = None,
        max_levels: int | None = None,
        thresholds: Mapping[str, Any] | None = None,
        source: str = "knowledge",
    ):
        arcs = {"required": required, "forbidden": forbidden, "tiers": tiers, "no_arcs_within": no_arcs_within}
        keys = arcs | {"max_parents": max_parents, "max_levels": max_levels, "thresholds": thresholds}
        given = {name: value for name, value in keys.items() if value is not None}
        self.source, self.content = source, check(KnowledgeKeys, {**(content or {}), **given}, source)
        self._check()
        self.arcs(sorted({name for _, name in self._names()}))

    def plain(self) -> dict[str, Any]:
        """Return the knowledge as the keys of a file."""
        return self.content.model_dump(exclude_unset=True)

    def __repr__(self) -> str:
        settings = {key: value for key, value in self.plain().items() if value not in ([], {}, None)}
        return f"Knowledge({', '.join(f'{key}={value!r}' for key, value in settings.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Knowledge) and self.content == other.content

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
        placed = [name for tier in content.tiers for name in tier]
        if twice := [name for i, name in enumerate(placed) if name in placed[:i]]:
            raise InputError(f"{self.source}: tiers: {twice[0]} stands in two places")
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
        tier = np.full(len(index), np.nan)  # the number of each variable's, NaN for those that are free
        for number, names in enumerate(self.content.tiers, 1):
            tier[[index[name] for name in names]] = number
        closed = np.isin(tier, self.content.no_arcs_within)
        return (tier[:, None] > tier) | ((tier[:, None] == tier) & closed)

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
    required = {frozenset(arc) for arc in content.get("required", [])}
    forbidden = [pair for pair in pairs if frozenset(pair) not in required]
    source = "knowledge" if knowledge is None else knowledge.source
    return Knowledge(content, forbidden=[*content.get("forbidden", []), *forbidden], source=source)


def knowledge_of(value: Knowledge | str | os.PathLike) -> Knowledge:
    """Return knowledge, or that of a file: YAML with the keys of `Knowledge`, or a text file of Tetrad."""
    if isinstance(value, Knowledge):
        return value
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"knowledge: a cutpoint.Knowledge or the path of a file is expected, not {value!r}")
    text, source = read_text(value), str(value)
    content = tetrad(text, source) if text.lstrip().startswith("/knowledge") else read_yaml(source)
    return Knowledge(content, source=source)


def tetrad(text: str, source: str) -> dict[str, Any]:
    """Return the keys of a knowledge file of Tetrad; docs/knowledge.md describes it."""
    keys: dict[str, Any] = {"required": [], "forbidden": [], "tiers": [], "no_arcs_within": []}
    tiers: dict[int, list[str]] = {}
    closed: set[int] = set()
    for where, section, words in _lines(text, source):
        if section == "tiers":
            match = _TIER.fullmatch(words[0])
            if not match or "-" in match[2]:
                raise InputError(f"{where}: a tier is a number, a star where it has no arcs inside, and its columns")
            tiers.setdefault(int(match[1]), []).extend(words[1:])
            closed.update([int(match[1])] if match[2] else [])
        else:
            arc = [word for word in words if word not in ("-->", "==>")]
            if len(arc) != 2:
                raise InputError(f"{where}: an arc is two columns, parent and child")
            keys[section].append(arc)
    numbers = sorted(tiers)
    keys["tiers"] = [tiers[number] for number in numbers]
    keys["no_arcs_within"] = [i for i, number in enumerate(numbers, 1) if number in closed]
    return keys


def _lines(text: str, source: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield where each line of a section stands, the key of its section and its words."""
    section = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words == ["/knowledge"]:
            continue
        if words[0] in SECTIONS and len(words) == 1:
            section = SECTIONS[words[0]]
        elif section is None or words[0] in ("forbiddengroup", "requiredgroup"):
            raise InputError(f"{source}: line {number}: {words[0]!r} is no section; known are {listed([*SECTIONS])}")
        else:
            yield f"{source}: line {number}", section, words
