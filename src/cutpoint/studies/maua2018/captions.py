"""What to look at in the figures of the study."""

from __future__ import annotations

CAPTIONS: dict[str, str] = {
    "figure_entropy": "The entropy of a binary variable is largest, one bit, where both values are equally likely.",
}
