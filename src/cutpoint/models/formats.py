"""The formats of files, by the endings of their names."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.models import text_formats, xml_formats
from cutpoint.models.escaping import IDENTIFIERS, LEVELS, PRINTED, WORDS, Alphabet
from cutpoint.networks import bif
from cutpoint.networks.bif import BifContent


class Format(NamedTuple):
    """A format of files, and the names of variables and states that it takes."""

    render: Callable[[BifContent], str]  # the text of a file with a content
    parse: Callable[[str, str], BifContent]  # the content of a text, whose name in messages comes second
    variables: Alphabet
    states: Alphabet


_XMLBIF = Format(xml_formats.render_xmlbif, xml_formats.parse_xmlbif, PRINTED, PRINTED)
FORMATS = {
    "bif": Format(bif.render, bif.parse, WORDS, LEVELS),
    "xmlbif": _XMLBIF,
    "bifxml": _XMLBIF,
    "xml": _XMLBIF,
    "xdsl": Format(xml_formats.render_xdsl, xml_formats.parse_xdsl, IDENTIFIERS, IDENTIFIERS),
    "net": Format(text_formats.render_net, text_formats.parse_net, IDENTIFIERS, LEVELS),
    "uai": Format(text_formats.render_uai, text_formats.parse_uai, WORDS, LEVELS),
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
