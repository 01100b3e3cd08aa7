"""Wording of messages: lists of things, and suggestions for unknown names."""

import difflib
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

MOST = 10  # names in a message
LONGEST = 80  # letters of what a user wrote
LINE = 600  # letters of a message
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def is_valid(text: str) -> bool:
    """Return whether a text can be written, as one with half of a surrogate pair cannot."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def printable(text: object) -> str:
    """Return a text without characters that control a terminal or cannot be written, which are shown as codes."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", str(text))


def one_line(message: object) -> str:
    """Return a message on one line, which is not endless, nor is a name or number in it."""
    text, most = str(message), 10 * LINE  # before words are shortened
    text = printable(text[:most].replace("\n", "\\n"))
    text = re.sub(rf"[\w.]{{{LONGEST + 1},}}", lambda word: f"{word[0][:LONGEST]}...", text)
    return text if len(text) <= LINE else f"{text[:LINE]}..."


def shown(value: object) -> str:
    """Return a value as a message shows it."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def listed(items: Sequence[object]) -> str:
    """Return "a, b and c"; floats with up to six digits."""
    texts = [f"{item:g}" if isinstance(item, float) else str(item) for item in items]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def typed(*words: str) -> str:
    """Return a command as it is typed, behind `uv run` where that started this one."""
    return shlex.join([*(("uv", "run") if "UV_RUN_RECURSION_DEPTH" in os.environ else ()), *words])


def suggest(name: str, names: Iterable[str], *, labels: Mapping[str, str] | None = None, lister: str = "") -> str:
    """Return the end of a message about an unknown name: the nearest known one, and the first known ones.

    labels: names by other words for them; lister: what lists all names, said where they are too many.
    """
    names = list(names)
    words = {str(word).casefold(): one for word, one in [*(labels or {}).items(), *zip(names, names, strict=True)]}
    near = difflib.get_close_matches(str(name).casefold(), words, 1)
    hint = f"; did you mean {words[near[0]]!r}?" if near else ""
    rest = f"; {lister}" if lister and len(names) > MOST + 1 else ""
    return f"{hint} (known: {first_of(names) or 'none'}{rest})"


def first_of(names: Sequence[str]) -> str:
    """Return "a, b, c", of many names the first and how many more, which are at least two."""
    first = names if len(names) <= MOST + 1 else names[:MOST]
    more = f" and {len(names) - len(first)} more" if len(first) < len(names) else ""
    return f"{', '.join(first)}{more}"
