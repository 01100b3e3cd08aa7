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
    """Return the content of a file; cycles are not looked for, and source is what to call it in errors.

    Rows may miss a sum of 1 by 0.001 and are then rescaled.
    """
    reader, content = _Reader(text, source), BifContent()
    conditionals = []
    while reader.at < len(reader.tokens):
        block = reader.next()
        if block == "network":
            content.name = reader.name("a name") if reader.peek() != "{" else ""
            reader.skip_to("}")
        elif block == "variable":
            _variable(reader, content)
        elif block == "probability":
            conditionals.append(reader.at)
            reader.skip_to("}")
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


class _Reader:
    """The tokens of a text and a position among them; errors name the line of the last token taken."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source, self.at = text, source, 0
        self.tokens: list[str] = []
        self.starts: list[int] = []
        for match in _TOKEN.finditer(text):
            if match.lastindex:
                self.tokens.append(match[match.lastindex])
                self.starts.append(match.start())
            if match.lastindex == 2:
                self.at = len(self.tokens)
                raise self.error("a quoted name or a comment is not closed")

    def error(self, what: str) -> InputError:
        start = self.starts[self.at - 1] if self.at else 0
        return InputError(f"{self.source}, line {self.text.count(chr(10), 0, start) + 1}: {what}")

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        if self.at == len(self.tokens):
            raise self.error("the file ends inside a block")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, *words: str) -> None:
        for word in words:
            if (token := self.next()) != word:
                raise self.error(f"expected {word!r}, not {token!r}")

    def name(self, what: str) -> str:
        token = self.next()
        if token in _SIGNS:
            raise self.error(f"expected {what}, not {token!r}")
        return token.strip('"')

    def names(self, end: str, what: str) -> list[str]:
        names = []
        while self.peek() != end:
            names.append(self.name(f"{what} or {end!r}"))
        self.at += 1
        return names

    def skip_to(self, sign: str) -> None:
        while self.next() != sign:
            pass

    def numbers(self) -> list[float]:
        numbers = []
        while (token := self.next()) != ";":
            try:
                numbers.append(float(token))
            except ValueError:
                raise self.error(f"expected a number or ';', not {token!r}") from None
        return numbers


def _variable(reader: _Reader, content: BifContent) -> None:
    variable = reader.name("the name of a variable")
    if variable in content.states:
        raise reader.error(f"variable {variable!r} is declared twice")
    reader.expect("{")
    while (token := reader.next()) != "}":
        if token == "property":
            content.properties.setdefault(variable, {}).update(_property(reader))
        elif token == "type":
            content.states[variable] = _states(reader, variable)
        else:
            raise reader.error(f"expected type or property, not {token!r}")
    if variable not in content.states:
        raise reader.error(f"variable {variable!r} has no type")


def _property(reader: _Reader) -> dict[str, str]:
    """Return the name and text of a property ``name = text``, nothing of any other."""
    start = reader.at
    reader.skip_to(";")
    words = reader.tokens[start : reader.at - 1]
    return {words[0]: words[2].strip('"')} if len(words) == 3 and words[1] == "=" else {}


def _states(reader: _Reader, variable: str) -> list[str]:
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


def _conditional(reader: _Reader, content: BifContent) -> None:
    variable, parents = _header(reader, content)
    axes = [content.states[name] for name in (*parents, variable)]
    if (cells := prod(map(len, axes))) > MAX_CELLS:
        raise reader.error(f"the table of {variable!r} has {cells} cells; at most {MAX_CELLS} are read")
    rows: dict[tuple[str, ...], list[float]] = {}
    default = None
    reader.expect("{")
    while (token := reader.next()) != "}":
        if token == "property":
            reader.skip_to(";")
        elif token == "table":
            rows = _table_rows(reader, axes, variable)
        elif token == "default":
            default = _checked(reader.numbers(), reader, variable, len(axes[-1]))
        elif token == "(":
            states = _configuration(reader, parents, axes)
            if states in rows:
                raise reader.error(f"variable {variable!r} has two rows for ({', '.join(states)})")
            rows[states] = _checked(reader.numbers(), reader, variable, len(axes[-1]))
        else:
            raise reader.error(f"expected table, default or a row, not {token!r}")
    content.parents[variable] = parents
    content.tables[variable] = _assemble(reader, variable, axes, rows, default)


def _header(reader: _Reader, content: BifContent) -> tuple[str, list[str]]:
    reader.expect("(")
    names = [reader.name("the name of a variable"), *reader.names(")", "a parent")]
    for place, name in enumerate(names):
        if name not in content.states:
            raise reader.error(f"unknown {'parent' if place else 'variable'} {name!r}")
        if name in names[1:place]:
            raise reader.error(f"parent {name!r} is listed twice")
    if names[0] in content.tables:
        raise reader.error(f"variable {names[0]!r} has two probability blocks")
    return names[0], names[1:]


def _configuration(reader: _Reader, parents: list[str], axes: list[list[str]]) -> tuple[str, ...]:
    states = reader.names(")", "a state")
    if len(states) != len(parents):
        raise reader.error(f"a row names {len(states)} states for {len(parents)} parents")
    for state, parent, levels in zip(states, parents, axes, strict=False):
        if state not in levels:
            raise reader.error(f"unknown state {state!r} of {parent!r}: it has {', '.join(levels)}")
    return tuple(states)


def _checked(row: list[float], reader: _Reader, variable: str, size: int) -> list[float]:
    if len(row) != size:
        raise reader.error(f"a row of {variable!r} has {len(row)} entries for {size} states")
    if min(row) < 0:
        raise reader.error(f"a row of {variable!r} has the negative entry {min(row):g}")
    if not abs(sum(row) - 1) <= SUM_TOLERANCE:
        never = ", as R's bnlearn writes what never occurs; fit by bn.fit(method = 'bayes')"
        hint = never if np.isnan(row).any() else ""
        raise reader.error(f"a row of {variable!r} sums to {sum(row):g}, not 1{hint}")
    return row


def _table_rows(reader: _Reader, axes: list[list[str]], variable: str) -> dict[tuple[str, ...], list[float]]:
    """Read a whole table, whose last parent varies fastest and the variable itself slowest."""
    numbers, size = reader.numbers(), len(axes[-1])
    configurations = list(product(*axes[:-1]))
    if len(numbers) != size * len(configurations):
        raise reader.error(f"the table of {variable!r} has {len(numbers)} entries, not {size * len(configurations)}")
    rows = [_checked(numbers[k :: len(configurations)], reader, variable, size) for k in range(len(configurations))]
    return dict(zip(configurations, rows, strict=True))


def _assemble(
    reader: _Reader,
    variable: str,
    axes: list[list[str]],
    rows: dict[tuple[str, ...], list[float]],
    default: list[float] | None,
) -> np.ndarray:
    ordered = []
    for states in product(*axes[:-1]):
        row = rows.get(states, default)
        if row is None:
            raise reader.error(f"variable {variable!r} has no row for ({', '.join(states)})")
        ordered.append(row)
    table = np.array(ordered).reshape([len(states) for states in axes])
    total = table.sum(axis=-1, keepdims=True)
    # what is right but for rounding stays as printed, so that writing and reading again changes nothing
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
