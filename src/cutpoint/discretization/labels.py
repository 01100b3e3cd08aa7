"""What the levels between thresholds are called, so that every program reads the names."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def interval_labels(thresholds: Sequence[float] | np.ndarray) -> list[str]:
    """Return a name for each level: ``lt_1.5``, ``from_1.5_to_3``, ``ge_3``; ``all`` where there is one level.

    Sorted thresholds have six significant digits, or as many as keep them apart; the exact ones stand beside the names
    wherever these are written. Names are letters, digits, points, minus signs and underscores.
    """
    return _labels(thresholds, "lt_{}", "from_{}_to_{}", "ge_{}")


def spoken_labels(thresholds: Sequence[float] | np.ndarray) -> list[str]:
    """Return the same for readers: ``< 1.5``, ``1.5 to 3``, ``≥ 3``."""
    return _labels(thresholds, "< {}", "{} to {}", "≥ {}")


def _labels(thresholds: Sequence[float] | np.ndarray, first: str, inner: str, last: str) -> list[str]:
    if not len(thresholds):
        return ["all"]
    texts = short(np.asarray(thresholds, float))
    return [first.format(texts[0]), *(inner.format(*pair) for pair in pairwise(texts)), last.format(texts[-1])]


def short(thresholds: np.ndarray) -> list[str]:
    """Return sorted thresholds with six significant digits, or as many as keep them apart."""
    values = (thresholds + 0.0).tolist()  # -0 is 0
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}".replace("e+", "e") for value in values]
        if (np.diff([float(text) for text in texts]) > 0).all():
            break
    return texts
