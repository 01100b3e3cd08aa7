"""What the levels between thresholds are called, so that every program reads the names."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cutpoint.data.times import dates_of

_INTERVAL = re.compile("lt_(.+)|from_(.+)_to_(.+)|ge_(.+)")


def interval_labels(thresholds: Sequence[float] | np.ndarray, *, times: bool = False) -> list[str]:
    """Return a name for each level: ``lt_1.5``, ``from_1.5_to_3``, ``ge_3``; ``all`` where there is one level.

    Sorted thresholds have six significant digits, or as many as keep them apart; the exact ones stand beside the names
    wherever these are written. Names are letters, digits, points, minus signs and underscores. Of `times`, years with
    decimals, the dates stand there: ``lt_2021-07-02``.
    """
    if not len(thresholds):
        return ["all"]
    texts = [text.replace(" ", "_").replace(":", ".") for text in short(np.asarray(thresholds, float), times=times)]
    return [f"lt_{texts[0]}", *(f"from_{low}_to_{high}" for low, high in pairwise(texts)), f"ge_{texts[-1]}"]


def spoken(label: str) -> str:
    """Return the name of a level for readers: ``< 1.5``, ``1.5 to 3``, ``≥ 3``; other names as they are."""
    match = _INTERVAL.fullmatch(label)
    if match is None:
        return label
    text = f"< {match[1]}" if match[1] else f"{match[2]} to {match[3]}" if match[2] else f"≥ {match[4]}"
    return text.replace("_", " ")


def ends_of(interval: np.ndarray, *, times: bool = False) -> list[str]:
    """Return the ends of intervals of a threshold, with four significant digits or as `short`; of times the dates."""
    return short(interval, times=times, least=4)


def short(thresholds: np.ndarray, *, times: bool = False, least: int = 6) -> list[str]:
    """Return sorted thresholds with `least` significant digits, or as many as keep them apart; of times the dates."""
    if times:
        return dates_of(thresholds)
    values = (thresholds + 0.0).tolist()  # -0 is 0
    for digits in range(least, 18):
        texts = [f"{value:.{digits}g}".replace("e+", "e") for value in values]
        if len({*texts}) == len({*values}):
            break
    return texts
