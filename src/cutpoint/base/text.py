"""Wording of messages: lists of things, and suggestions for unknown names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

MOST = 100  # names in a message


def listed(items: Sequence[object]) -> str:
    """Return "a, b and c"; floats with up to six digits."""
    texts = [f"{item:g}" if isinstance(item, float) else str(item) for item in items]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the most similar known name, and the first known names."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    more = f" and {len(known) - MOST} more" if len(known) > MOST else ""
    return f"{hint} (known: {', '.join(known[:MOST]) or 'none'}{more})"
