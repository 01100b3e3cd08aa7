"""The formats of other programs, by the endings of their names: BIF, XMLBIF (BIFXML of pyAgrum), XDSL, NET and UAI.

A character that a format does not take becomes ``_xHHHH_``, its code in hexadecimal digits, as in XML names (the
encoding of SQL/XML and of .NET's XmlConvert). Before a name that may not start as it does comes ``s_``, and before one
that starts so itself. So every name comes back, and two names never become one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.graphs.dags import numbered, topological_order
from cutpoint.networks import bif
from cutpoint.networks.bif import SUM_TOLERANCE, BifContent, Reader, normalized

_CODE = re.compile(r"_x([0-9A-F]{4}|[0-9A-F]{8})_")
_PREFIX = "s_"


@dataclass(frozen=True)
class Alphabet:
    """The names that a format takes."""

    characters: str  # what may stand in them, as inside the brackets of a regular expression
    start: str = ""  # how they must begin, as a regular expression

    def escaped(self, name: str) -> str:
        """Return a name of this alphabet; `unescaped` gives the name back."""
        literal = _CODE.sub(lambda match: f"_x005F_{match[0][1:]}", name)
        text = re.sub(f"[^{self.characters}]", _coded, literal, flags=re.ASCII)
        text = re.sub(r"^\s|\s$", _coded, text)  # which readers of XML leave out
        return text if re.match(self.start, text) and not text.startswith(_PREFIX) else _PREFIX + text

    def unescaped(self, text: str) -> str:
        """Return the name that `escaped` turned into a text, or the text where it never returns it."""
        try:
            name = _CODE.sub(lambda match: chr(int(match[1], 16)), text.removeprefix(_PREFIX))
        except (ValueError, OverflowError):  # a code of no character
            return text
        return name if self.escaped(name) == text else text


def _coded(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"_x{code:04X}_" if code < 0x10000 else f"_x{code:08X}_"


WORDS = Alphabet(r"A-Za-z0-9_.\-", "[A-Za-z_]")  # names in BIF
LEVELS = Alphabet(r"A-Za-z0-9_.\-", r"[A-Za-z_]|-?\d+$")  # states in BIF and NET: words and whole numbers
IDENTIFIERS = Alphabet("A-Za-z0-9_", "[A-Za-z]")  # XDSL, names in NET
# Of XML: any letter, mark or sign but those of markup, of lists in pyAgrum, control characters and blanks but one.
PRINTED = Alphabet(r"A-Za-z0-9_.\-/ ()=%:?!@#~\u00a1-\ud7ff\uf900-\ufffd")

_TOKEN = re.compile(r'\s+|%[^\n]*|("(?:[^"\\]|\\.)*"|[{}()=;|]|[^\s"{}()=;|%]+)|(")')
_SIGNS = frozenset("{}()=;|")


def joined(numbers: np.ndarray) -> str:
    """Return numbers with all their digits, separated by blanks, in the order of C."""
    return " ".join(map(repr, np.asarray(numbers, float).ravel().tolist()))


def add_table(content: BifContent, name: str, parents: list[str], text: str, source: str) -> None:
    """Give a variable its parents and table, one axis per parent and then its own, from numbers in the order of C."""
    axes = [*parents, name]
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
    content.parents[name], content.tables[name] = parents, normalized(table)


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
        add_table(content, name, parents, " ".join(numbers), source)
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
        content = BifContent(states={name: [str(k) for k in range(count())] for name in names})
        scopes = [[names[count()] for _ in range(count())] for _ in range(count())]
        for *parents, child in scopes:
            if child in content.tables:
                raise ValueError(f"two tables of {child}")
            numbers = [next(words) for _ in range(count())]
            add_table(content, child, parents, " ".join(numbers), source)
    except InputError:  # which is a ValueError too
        raise
    except StopIteration:
        raise InputError(f"{source}: the file ends too early") from None
    except (ValueError, IndexError) as problem:
        raise InputError(f"{source}: {problem}") from None
    return content


_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text_of(root: ET.Element) -> str:
    """Return an XML document with its declaration, indented."""
    ET.indent(root, "\t")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _root(text: str, tag: str, source: str) -> ET.Element:
    """Return the root of an XML document."""
    try:
        root = ET.fromstring(text.encode())
    except ET.ParseError as problem:
        raise InputError(f"{source}: {problem}") from None
    if root.tag != tag:
        raise InputError(f"{source}: the root is {root.tag}, not {tag}")
    return root


def render_xmlbif(content: BifContent) -> str:
    """Return the text of a file; the child varies fastest in a table, then the last parent."""
    root = ET.Element("BIF", VERSION="0.3")
    network = ET.SubElement(root, "NETWORK")
    ET.SubElement(network, "NAME").text = content.name or "unknown"
    for name, states in content.states.items():
        variable = ET.SubElement(network, "VARIABLE", TYPE="nature")
        ET.SubElement(variable, "NAME").text = name
        for state in states:
            ET.SubElement(variable, "OUTCOME").text = state
        for key, text in content.properties.get(name, {}).items():
            ET.SubElement(variable, "PROPERTY").text = f"{key} = {text}"
    for name in content.states:
        definition = ET.SubElement(network, "DEFINITION")
        ET.SubElement(definition, "FOR").text = name
        for parent in content.parents[name]:
            ET.SubElement(definition, "GIVEN").text = parent
        ET.SubElement(definition, "TABLE").text = joined(content.tables[name])
    return _text_of(root)


def parse_xmlbif(text: str, source: str) -> BifContent:
    """Return the content of a file."""
    network = _root(text, "BIF", source).find("NETWORK")
    if network is None:
        raise InputError(f"{source}: no NETWORK; is it XMLBIF?")
    content = BifContent(name=network.findtext("NAME", "").strip())
    for variable in network.iter("VARIABLE"):
        name = variable.findtext("NAME", "").strip()
        content.states[name] = [(outcome.text or "").strip() for outcome in variable.iter("OUTCOME")]
        notes = [(one.text or "").split("=", 1) for one in variable.iter("PROPERTY")]
        content.properties[name] = {note[0].strip(): note[1].strip() for note in notes if len(note) == 2}
    for definition in network.iter("DEFINITION"):
        name = definition.findtext("FOR", "").strip()
        parents = [(parent.text or "").strip() for parent in definition.iter("GIVEN")]
        add_table(content, name, parents, definition.findtext("TABLE", ""), source)
    return content


def render_xdsl(content: BifContent) -> str:
    """Return the text of a file: parents before children, the child fastest in tables, and names that GeNIe shows."""
    root = ET.Element("smile", version="1.0", id="network")
    nodes = ET.SubElement(root, "nodes")
    names = list(content.states)
    dag = np.array([[one in content.parents[name] for name in names] for one in names], bool)
    for i in topological_order(dag).tolist():
        node = ET.SubElement(nodes, "cpt", id=names[i])
        for state in content.states[names[i]]:
            ET.SubElement(node, "state", id=state)
        if content.parents[names[i]]:
            ET.SubElement(node, "parents").text = " ".join(content.parents[names[i]])
        for key, text in content.properties.get(names[i], {}).items():
            ET.SubElement(node, "property", id=key).text = text
        ET.SubElement(node, "probabilities").text = joined(content.tables[names[i]])
    extensions = ET.SubElement(ET.SubElement(root, "extensions"), "genie", version="1.0", app="cutpoint")
    extensions.set("name", content.name or "unknown")
    for name in names:
        node = ET.SubElement(extensions, "node", id=name)
        ET.SubElement(node, "name").text = _NOT_XML.sub(" ", IDENTIFIERS.unescaped(name))
    return _text_of(root)


def parse_xdsl(text: str, source: str) -> BifContent:
    """Return the content of a file, its variables in the order of GeNIe's list where there is one."""
    root = _root(text, "smile", source)
    nodes = root.find("nodes")
    if nodes is None:
        raise InputError(f"{source}: no nodes; is it XDSL?")
    if other := [node.tag for node in nodes if node.tag != "cpt"]:
        raise InputError(f"{source}: a node of the kind {other[0]!r}; only tables of probabilities (cpt) are read")
    by_name = {node.get("id", ""): node for node in nodes}
    listed = [node.get("id", "") for node in root.iterfind("extensions/genie//node")]
    order = listed if sorted(listed) == sorted(by_name) else list(by_name)
    genie = root.find("extensions/genie")
    content = BifContent(name="" if genie is None else genie.get("name", ""))
    for name in order:
        content.states[name] = [state.get("id", "") for state in by_name[name].iterfind("state")]
        content.properties[name] = {one.get("id", ""): one.text or "" for one in by_name[name].iterfind("property")}
    for name in order:
        parents = by_name[name].findtext("parents", "").split()
        add_table(content, name, parents, by_name[name].findtext("probabilities", ""), source)
    return content


class Format(NamedTuple):
    """A format of files, and the names of variables and states that it takes."""

    render: Callable[[BifContent], str]  # the text of a file with a content
    parse: Callable[[str, str], BifContent]  # the content of a text, whose name in messages comes second
    variables: Alphabet
    states: Alphabet


_XMLBIF = Format(render_xmlbif, parse_xmlbif, PRINTED, PRINTED)
FORMATS = {
    "bif": Format(bif.render, bif.parse, WORDS, LEVELS),
    "xmlbif": _XMLBIF,
    "bifxml": _XMLBIF,
    "xml": _XMLBIF,
    "xdsl": Format(render_xdsl, parse_xdsl, IDENTIFIERS, IDENTIFIERS),
    "net": Format(render_net, parse_net, IDENTIFIERS, LEVELS),
    "uai": Format(render_uai, parse_uai, WORDS, LEVELS),
}
JSON = "json"
HTML = "html"  # a page, which is written alone
# Who refuse variables of one level: a second one stands beside it there, of probability 0.
ONE_LEVEL = {"bif": "pyAgrum and bnlearn", "net": "pyAgrum and bnlearn", "uai": "pyAgrum"}
NEVER = "never"


def ending_of(path: str | Path, *others: str) -> str:
    """Return the ending of a file's name, in small letters, without that of a packed file."""
    ending = Path(str(path).removesuffix(".gz")).suffix.lower().removeprefix(".")
    endings = [*dict.fromkeys((*FORMATS, JSON, HTML, *others))]
    if ending not in endings:
        raise InputError(f"{path}: the ending names the format{suggest(ending, endings)}")
    return ending


def render(content: BifContent, ending: str) -> str:
    """Return the text of a file, names as the format takes them."""
    chosen = FORMATS[ending]
    content = _with_second_levels(content) if ending in ONE_LEVEL else content
    return chosen.render(_renamed(content, chosen.variables.escaped, chosen.states.escaped))


def parse(text: str, ending: str, source: str) -> BifContent:
    """Return the content of a text, with the names that `render` was given."""
    chosen = FORMATS[ending]
    written = chosen.parse(text, source)
    content = _renamed(written, chosen.variables.unescaped, chosen.states.unescaped)
    if len(content.states) < len(written.states):  # names of another program, which only look like ours
        content = written
    check(content, source)
    return _without_second_levels(content)


def _with_second_levels(content: BifContent) -> BifContent:
    """Return a content in which a variable of one level has a second one, of probability 0, for which tables repeat."""
    alone = [name for name, states in content.states.items() if len(states) == 1]
    states, tables = dict(content.states), dict(content.tables)
    for name in alone:
        states[name] = [*states[name], NEVER]
        tables[name] = np.concatenate([tables[name], np.zeros_like(tables[name])], axis=-1)
        for child, axis in _children(content, name):
            tables[child] = np.repeat(tables[child], 2, axis=axis)
    return replace(content, states=states, tables=tables)


def _without_second_levels(content: BifContent) -> BifContent:
    """Return what `_with_second_levels` was given."""
    states, tables = dict(content.states), dict(content.tables)
    for name, levels in content.states.items():
        if len(levels) == 2 and levels[1] == NEVER and not tables[name][..., 1].any():
            states[name], tables[name] = levels[:1], tables[name][..., :1]
            for child, axis in _children(content, name):
                tables[child] = tables[child].take([0], axis=axis)
    return replace(content, states=states, tables=tables)


def _children(content: BifContent, name: str) -> list[tuple[str, int]]:
    return [(child, parents.index(name)) for child, parents in content.parents.items() if name in parents]


def check(content: BifContent, source: str) -> None:
    """Raise InputError for a content without variables, with states of one name, or without a table."""
    if not content.states:
        raise InputError(f"{source}: no variable")
    for name, states in content.states.items():
        if len({*states}) < len(states) or not states:
            raise InputError(f"{source}: the states of {name!r} must have different names, not {listed(states)}")
        if name not in content.tables:
            raise InputError(f"{source}: {name!r} has no table of probabilities")


def _renamed(content: BifContent, new: Callable[[str], str], state: Callable[[str], str]) -> BifContent:
    return replace(
        content,
        name=new(content.name),
        states={new(name): [*map(state, states)] for name, states in content.states.items()},
        parents={new(name): [*map(new, parents)] for name, parents in content.parents.items()},
        tables={new(name): table for name, table in content.tables.items()},
        properties={new(name): notes for name, notes in content.properties.items()},
    )
