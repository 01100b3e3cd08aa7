"""NET, the format of Hugin and Netica's relatives, of discrete networks: text to tables and back."""

import re

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.models.table_texts import joined, reshaped
from cutpoint.networks.bif import BifContent

_TOKEN = re.compile(r'\s+|%[^\n]*|("(?:[^"\\]|\\.)*"|[{}()=;|]|[^\s"{}()=;|%]+)')
_SIGNS = frozenset("{}()=;|")


def render(content: BifContent) -> str:
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


def parse(text: str, source: str) -> BifContent:
    """Return the content of a file; attributes that are texts are properties."""
    tokens = _tokens(text, source)
    content = BifContent()
    potentials = []
    while tokens:
        if (kind := tokens.pop()) == "discrete":  # of a node, which is so without this word too
            continue
        if kind in ("net", "class"):
            _attributes(tokens, source)
        elif kind == "node":
            name = tokens.pop() if tokens else ""
            attributes = _attributes(tokens, source)
            content.states[name] = attributes.pop("states", [])
            content.properties[name] = {key: words[0] for key, words in attributes.items() if len(words) == 1}
        elif kind == "potential":
            names = _until(tokens, "{", source)
            tokens.append("{")
            potentials.append(([one for one in names if one not in _SIGNS], _attributes(tokens, source)))
        else:
            raise InputError(f"{source}: expected net, node or potential, not {kind!r}")
    for (name, *parents), attributes in potentials:
        content.parents[name] = parents
        content.tables[name] = reshaped(content, name, " ".join(attributes.get("data", [])), source)
    return content


def _tokens(text: str, source: str) -> list[str]:
    """Return the words of a text, the last one first."""
    tokens, at = [], 0
    while at < len(text):
        if (match := _TOKEN.match(text, at)) is None:
            raise InputError(f"{source}, line {text.count(chr(10), 0, at) + 1}: a quoted text is not closed")
        tokens += [match[1]] if match[1] else []
        at = match.end()
    return tokens[::-1]


def _until(tokens: list[str], end: str, source: str) -> list[str]:
    words: list[str] = []
    while tokens:
        if (word := tokens.pop()) == end:
            return words
        words.append(word)
    raise InputError(f"{source}: the file ends inside a block")


def _attributes(tokens: list[str], source: str) -> dict[str, list[str]]:
    """Return the words of each attribute of a block, without brackets and quotes."""
    attributes: dict[str, list[str]] = {}
    _until(tokens, "{", source)
    while tokens and tokens[-1] != "}":
        name, *words = _until(tokens, ";", source)
        attributes[name] = [word.strip('"') for word in words if word not in _SIGNS]
    _until(tokens, "}", source)
    return attributes
