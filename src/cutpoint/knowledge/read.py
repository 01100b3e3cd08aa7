"""Knowledge in files: YAML, and the text files of Tetrad."""

import os
import re
from collections.abc import Iterator
from typing import Any

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text
from cutpoint.base.text import listed
from cutpoint.knowledge.knowledge import Knowledge

SECTIONS = {"addtemporal": "tiers", "forbiddirect": "forbidden", "requiredirect": "required"}
_TIER = re.compile(r"(\d+)([*-]*)")


def knowledge_of(value: Knowledge | str | os.PathLike) -> Knowledge:
    """Return knowledge, or that of a file: YAML with the keys of `Knowledge`, or a text file of Tetrad."""
    if isinstance(value, Knowledge):
        return value
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"knowledge: a cutpoint.Knowledge or the path of a file is expected, not {value!r}")
    text, source = read_text(value), str(value)
    content = tetrad(text, source) if text.lstrip().startswith("/knowledge") else read_yaml(source)
    return Knowledge.of(content, source)


def tetrad(text: str, source: str) -> dict[str, Any]:
    """Return the keys of a knowledge file of Tetrad.

    After a line /knowledge come sections: addtemporal with a line for each tier, its number and its columns, a star
    behind the number of a tier that has no arcs inside; forbiddirect and requiredirect with a line for each arc.
    """
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
