"""The Bayesian interchange format (BIF) of discrete networks: text to tables and back.

A parser of our own, because pyAgrum's refuses state names such as ``Asy/Patch``, ``<5``, ``12+`` and
``0-3_days``, which public networks have. Commas and bars separate like blanks, as in the format's grammar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from cutpoint.base.errors import InputError

_TOKEN = re.compile(
    r"""[\s,|]+ | //[^\n]* | /\*.*?\*/                                  # skipped
    | ( "[^"\n]*" | [{}()\[\];] | (?: [^\s,|{}()\[\];"/] | /(?![/*]) )+ )  # a quoted name, a sign, a word
    | (.)                                                               # a quote or comment without end
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = frozenset("{}()[];")
_NEEDS_QUOTES = re.compile(r"[\s,|{}()\[\];]|//|/\*|^$")
MAX_CELLS = 2**24  # of a table
ROUNDING = 1e-12
SUM_TOLERANCE = 1e-3 + ROUNDING


@dataclass
class BifContent:
    """What a file says, variables in the order of their declaration; what belongs to one stands under its name."""

    name: str = ""  # of the network, empty where the file gives none
    states: dict[str, list[str]] = field(default_factory=dict)
    parents: dict[str, list[str]] = field(default_factory=dict)
    tables: dict[str, np.ndarray] = field(default_factory=dict)  # an axis per parent, then its own; rows sum to 1
    properties: dict[str, dict[str, str]] = field(default_factory=dict)  # those that say ``name = text``


def parse(text: str, source: str) -> BifContent:
    """Return the content of a file, `source` in errors; rows that miss a sum of 1 by up to 0.001 are rescaled."""
    reader, content = Reader(text, source, _TOKEN), BifContent()
    conditionals = []
    while reader.at < len(reader.tokens):
        block = reader.next()
        if block == "network":
            content.name = "".join([*reader.until("{")][:1]).strip('"')
            reader.skip("}")
        elif block == "variable":
            _variable(reader, content)
        elif block == "probability":
            conditionals.append(reader.at)
            reader.skip("}")
        else:
            raise reader.error(f"expected network, variable or probability, not {block!r}")
    for reader.at in conditionals:
        _conditional(reader, content)
    if not content.states:
        raise InputError(f"{source}: declares no variable; is it a BIF file?")
    for variable in content.states:
        if variable not in content.tables:
            raise InputError(f"{source}: variable {variable!r} has no probability block")
    return content


class Reader:
    """The tokens of a text and a position among them; errors name the line of the last token taken.

    pattern: of tokens, its first group those to read and its second the start of a quoted one without an end.
    """

    def __init__(self, text: str, source: str, pattern: re.Pattern[str]) -> None:
        self.text, self.source, self.at = text, source, 0
        matches = [match for match in pattern.finditer(text) if match.lastindex]
        self.tokens, self.starts = [match[0] for match in matches], [match.start() for match in matches]
        if broken := [k for k, match in enumerate(matches, 1) if match.lastindex == 2]:
            self.at = broken[0]
            raise self.error("a quoted name or a comment is not closed")

    def error(self, what: str) -> InputError:
        """Return an error at the last token."""
        start = self.starts[self.at - 1] if self.at else 0
        return InputError(f"{self.source}, line {self.text.count(chr(10), 0, start) + 1}: {what}")

    def next(self) -> str:
        """Return the next token."""
        if self.at == len(self.tokens):
            raise self.error("the file ends inside a block")
        self.at += 1
        return self.tokens[self.at - 1]

    def until(self, end: str) -> Iterator[str]:
        """Yield the tokens before one that ends them, which is taken too."""
        while (token := self.next()) != end:
            yield token

    def skip(self, end: str) -> None:
        """Go on behind a token."""
        for _ in self.until(end):
            pass

    def expect(self, *words: str) -> None:
        """Take tokens that must come now."""
        for word in words:
            if (token := self.next()) != word:
                raise self.error(f"expected {word!r}, not {token!r}")

    def name(self, token: str, what: str) -> str:
        """Return a token that is a name, without its quotes."""
        if token in _SIGNS:
            raise self.error(f"expected {what}, not {token!r}")
        return token.strip('"')

    def names(self, end: str, what: str) -> list[str]:
        """Return the names before a sign."""
        return [self.name(token, f"{what} or {end!r}") for token in self.until(end)]

    def numbers(self) -> list[float]:
        """Return the numbers before a semicolon."""
        return [self._number(token) for token in self.until(";")]

    def _number(self, token: str) -> float:
        try:
            return float(token)
        except ValueError:
            raise self.error(f"expected a number or ';', not {token!r}") from None


def _variable(reader: Reader, content: BifContent) -> None:
    variable = reader.name(reader.next(), "the name of a variable")
    if variable in content.states:
        raise reader.error(f"variable {variable!r} is declared twice")
    reader.expect("{")
    for token in reader.until("}"):
        if token == "property":
            words = [*reader.until(";")]
            if len(words) == 3 and words[1] == "=":
                content.properties.setdefault(variable, {})[words[0]] = words[2].strip('"')
        elif token == "type":
            content.states[variable] = _states(reader, variable)
        else:
            raise reader.error(f"expected type or property, not {token!r}")
    if variable not in content.states:
        raise reader.error(f"variable {variable!r} has no type")


def _states(reader: Reader, variable: str) -> list[str]:
    reader.expect("discrete", "[")
    size = reader.next()
    reader.expect("]", "{")
    states = reader.names("}", "a state")
    if size != str(len(states)):
        raise reader.error(f"variable {variable!r} says [ {size} ] but lists {len(states)} states")
    if len(set(states)) < len(states) or not states:
        raise reader.error(f"variable {variable!r} needs states with different names")
    reader.expect(";")
    return states


def _conditional(reader: Reader, content: BifContent) -> None:
    variable, parents = _header(reader, content)
    axes = [content.states[name] for name in (*parents, variable)]
    if (cells := prod(map(len, axes))) > MAX_CELLS:
        raise reader.error(f"the table of {variable!r} has {cells} cells; at most {MAX_CELLS} are read")
    rows, default = _rows_of(reader, variable, parents, axes)
    filled = dict.fromkeys(product(*axes[:-1]), default) | rows
    if absent := [states for states, row in filled.items() if row is None]:
        raise reader.error(f"variable {variable!r} has no row for ({', '.join(absent[0])})")
    content.parents[variable] = parents
    content.tables[variable] = normalized(np.array([*filled.values()]).reshape([*map(len, axes)]))


def _rows_of(
    reader: Reader, variable: str, parents: list[str], axes: list[list[str]]
) -> tuple[dict[tuple[str, ...], list[float]], list[float] | None]:
    """Return the rows of a table by the states of the parents, and the row of all others."""
    rows: dict[tuple[str, ...], list[float]] = {}
    default, size = None, len(axes[-1])
    reader.expect("{")
    for token in reader.until("}"):
        if token == "property":
            reader.skip(";")
        elif token == "table":  # whose last parent varies fastest and the variable itself slowest
            configurations, numbers = [*product(*axes[:-1])], reader.numbers()
            if len(numbers) != size * len(configurations):
                what = f"{len(numbers)} entries, not {size * len(configurations)}"
                raise reader.error(f"the table of {variable!r} has {what}")
            lists = (numbers[k :: len(configurations)] for k in range(len(configurations)))
            rows = dict(zip(configurations, (_checked(row, reader, variable, size) for row in lists), strict=True))
        elif token == "default":
            default = _checked(reader.numbers(), reader, variable, size)
        elif token == "(":
            states = _configuration(reader, parents, axes)
            if states in rows:
                raise reader.error(f"variable {variable!r} has two rows for ({', '.join(states)})")
            rows[states] = _checked(reader.numbers(), reader, variable, size)
        else:
            raise reader.error(f"expected table, default or a row, not {token!r}")
    return rows, default


def _header(reader: Reader, content: BifContent) -> tuple[str, list[str]]:
    reader.expect("(")
    names = [reader.name(reader.next(), "the name of a variable"), *reader.names(")", "a parent")]
    for place, name in enumerate(names):
        if name not in content.states:
            raise reader.error(f"unknown {'parent' if place else 'variable'} {name!r}")
        if name in names[1:place]:
            raise reader.error(f"parent {name!r} is listed twice")
    if names[0] in content.tables:
        raise reader.error(f"variable {names[0]!r} has two probability blocks")
    return names[0], names[1:]


def _configuration(reader: Reader, parents: list[str], axes: list[list[str]]) -> tuple[str, ...]:
    states = reader.names(")", "a state")
    if len(states) != len(parents):
        raise reader.error(f"a row names {len(states)} states for {len(parents)} parents")
    for state, parent, levels in zip(states, parents, axes, strict=False):
        if state not in levels:
            raise reader.error(f"unknown state {state!r} of {parent!r}: it has {', '.join(levels)}")
    return tuple(states)


def _checked(row: list[float], reader: Reader, variable: str, size: int) -> list[float]:
    if len(row) != size:
        raise reader.error(f"a row of {variable!r} has {len(row)} entries for {size} states")
    if min(row) < 0:
        raise reader.error(f"a row of {variable!r} has the negative entry {min(row):g}")
    if not abs(sum(row) - 1) <= SUM_TOLERANCE:
        never = ", as R's bnlearn writes what never occurs; fit by bn.fit(method = 'bayes')"
        hint = never if np.isnan(row).any() else ""
        raise reader.error(f"a row of {variable!r} sums to {sum(row):g}, not 1{hint}")
    return row


def normalized(table: np.ndarray) -> np.ndarray:
    """Return a table whose rows sum to 1; what does so but for rounding stays as printed, so that files come back."""
    total = table.sum(axis=-1, keepdims=True)
    return np.where(np.abs(total - 1) > ROUNDING, table / total, table)


def render(content: BifContent) -> str:
    """Return the text of a file that `parse` reads back to the same content."""
    blocks = [f"network {_quoted(content.name or 'unknown')} {{\n}}\n"]
    for variable, states in content.states.items():
        names = ", ".join(map(_quoted, states))
        kind = f"type discrete [ {len(states)} ] {{ {names} }};"
        notes = "".join(f'  property {key} = "{text}";\n' for key, text in content.properties.get(variable, {}).items())
        blocks.append(f"variable {_quoted(variable)} {{\n  {kind}\n{notes}}}\n")
    for variable in content.states:
        parents = ", ".join(map(_quoted, content.parents[variable]))
        condition = f" | {parents}" if parents else ""
        rows = "\n".join(_rows(content, variable))
        blocks.append(f"probability ( {_quoted(variable)}{condition} ) {{\n{rows}\n}}\n")
    return "".join(blocks)


def _rows(content: BifContent, variable: str) -> Iterator[str]:
    axes = [content.states[parent] for parent in content.parents[variable]]
    table = content.tables[variable].reshape(-1, len(content.states[variable]))
    for states, row in zip(product(*axes), table.tolist(), strict=True):
        condition = f"({', '.join(map(_quoted, states))})" if axes else "table"
        yield f"  {condition} {', '.join(map(repr, row))};"


def _quoted(name: str) -> str:
    if '"' in name or "\n" in name:
        raise InputError(f"the name {name!r} cannot be written: no quotation marks or line breaks")
    return f'"{name}"' if _NEEDS_QUOTES.search(name) else name
