"""Words for lists of things."""

from __future__ import annotations

from collections.abc import Sequence


def listed(items: Sequence[object]) -> str:
    """Return "a, b and c"; floats with up to six digits."""
    texts = [f"{item:g}" if isinstance(item, float) else str(item) for item in items]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
