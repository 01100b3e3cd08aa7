"""NET, the format of Hugin and Netica's relatives, of discrete networks: text to tables and back."""

import re

import numpy as np

from cutpoint.models.table_texts import joined, reshaped
from cutpoint.networks.bif import BifContent, Reader

_TOKEN = re.compile(r'\s+|%[^\n]*|("(?:[^"\\]|\\.)*"|[{}()=;|]|[^\s"{}()=;|%]+)|(")')
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
