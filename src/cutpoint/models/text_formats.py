"""The formats in plain text: NET, of Hugin and Netica's relatives, and UAI, without any names; tables as texts."""

import re
from math import prod

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import numbered
from cutpoint.networks.bif import SUM_TOLERANCE, BifContent, Reader, normalized

_TOKEN = re.compile(r'\s+|%[^\n]*|("(?:[^"\\]|\\.)*"|[{}()=;|]|[^\s"{}()=;|%]+)|(")')
_SIGNS = frozenset("{}()=;|")


def joined(numbers: np.ndarray) -> str:
    """Return numbers with all their digits, separated by blanks, in the order of C."""
    return " ".join(map(repr, np.asarray(numbers, float).ravel().tolist()))


def reshaped(content: BifContent, name: str, text: str, source: str) -> np.ndarray:
    """Return the table of a variable, one axis per parent and then its own, from numbers in the order of C."""
    axes = [*content.parents[name], name]
    if unknown := [one for one in axes if one not in content.states]:
        raise InputError(f"{source}: the table of {name!r} names {unknown[0]!r}, which is no variable")
    shape = [len(content.states[one]) for one in axes]
    try:
        numbers = np.array(text.split(), float)
    except ValueError as problem:
        raise InputError(f"{source}: the table of {name!r}: {problem}") from None
    if len(numbers) != prod(shape):
        raise InputError(f"{source}: the table of {name!r} has {len(numbers)} entries, not {prod(shape)}")
    table = numbers.reshape(shape)
    if not ((table >= 0).all() and (np.abs(table.sum(axis=-1) - 1) <= SUM_TOLERANCE).all()):
        raise InputError(f"{source}: the table of {name!r} has a row that is no distribution")
    return normalized(table)


def render_net(content: BifContent) -> str:
    """Return the text of a file; the child varies fastest in a table, then the last parent."""
    blocks = ["net {\n}\n"]
    for name, states in content.states.items():
        quoted = " ".join(f'"{state}"' for state in states)
        lines = [f"  states = ( {quoted} );"]
        lines += [f'  {key} = "{text}";' for key, text in content.properties.get(name, {}).items()]
        blocks.append("\n".join([f"node {name} {{", *lines, "}\n"]))
    for name in content.states:
        parents = content.parents[name]
        condition = f" | {' '.join(parents)}" if parents else ""
        blocks.append(f"potential ( {name}{condition} ) {{\n  data = {_nested(content.tables[name])};\n}}\n")
    return "\n".join(blocks)


def _nested(table: np.ndarray) -> str:
    return f"({joined(table)})" if table.ndim == 1 else f"({' '.join(map(_nested, table))})"


def parse_net(text: str, source: str) -> BifContent:
    """Return the content of a file; attributes that are texts are properties."""
    reader, content = Reader(text, source, _TOKEN), BifContent()
    potentials = []
    while reader.at < len(reader.tokens):
        if (kind := reader.next()) == "discrete":  # of a node, which is so without this word too
            continue
        if kind not in ("net", "class", "node", "potential"):
            raise reader.error(f"expected net, node or potential, not {kind!r}")
        names = [word for word in reader.until("{") if word not in _SIGNS]
        attributes = {name: _words(reader) for name in reader.until("}")}
        if kind == "node":
            name = names[0]
            content.states[name] = attributes.pop("states", [])
            content.properties[name] = {key: words[0] for key, words in attributes.items() if len(words) == 1}
        elif kind == "potential":
            potentials.append((names, attributes.get("data", [])))
    for (name, *parents), numbers in potentials:
        content.parents[name] = parents
        content.tables[name] = reshaped(content, name, " ".join(numbers), source)
    return content


def _words(reader: Reader) -> list[str]:
    """Return the words of an attribute, without brackets and quotes."""
    return [word.strip('"') for word in reader.until(";") if word not in _SIGNS]


def render_uai(content: BifContent) -> str:
    """Return the text of a file, one table a variable; the child is last in its scope and varies fastest."""
    place = {name: str(i) for i, name in enumerate(content.states)}
    sizes = " ".join(str(len(states)) for states in content.states.values())
    lines = ["BAYES", str(len(place)), sizes, str(len(place))]
    for name in content.states:
        scope = [place[one] for one in (*content.parents[name], name)]
        lines.append(" ".join([str(len(scope)), *scope]))
    for name in content.states:
        # all digits, and no exponents, which some readers do not know
        numbers = [np.format_float_positional(value, trim="-") for value in content.tables[name].ravel()]
        lines += ["", str(len(numbers)), " ".join(numbers)]
    return "\n".join(lines) + "\n"


def parse_uai(text: str, source: str) -> BifContent:
    """Return the content of a file: variables x0, x1, ... with states 0, 1, ..."""
    words = iter(text.split())
    longest = len(text)

    def count() -> int:
        number = int(next(words))
        if not 0 <= number <= longest:  # a file of this length has no more things
            raise ValueError(f"{number} is no number of variables, states or entries of this file")
        return number

    try:
        if (kind := next(words)) != "BAYES":
            raise InputError(f"{source}: {kind} where BAYES is expected")
        names = numbered(count())
        states = {name: [str(k) for k in range(count())] for name in names}
        content = BifContent(states=states)
        scopes = [[names[count()] for _ in range(count())] for _ in range(count())]
        for *parents, child in scopes:
            if child in content.tables:
                raise ValueError(f"two tables of {child}")
            numbers = [next(words) for _ in range(count())]
            content.parents[child] = parents
            content.tables[child] = reshaped(content, child, " ".join(numbers), source)
    except InputError:  # which is a ValueError too
        raise
    except StopIteration:
        raise InputError(f"{source}: the file ends too early") from None
    except (ValueError, IndexError) as problem:
        raise InputError(f"{source}: {problem}") from None
    return content
