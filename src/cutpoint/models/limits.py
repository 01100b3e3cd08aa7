"""What a table may hold: which thresholds are added, and which levels and parents it does without.

A parent without thresholds would do nothing, and a table of many parents would not fit into any memory. So each column
with an edge has two levels at least; a table that is too large loses levels first, then parents.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from cutpoint.base.text import first_of, listed
from cutpoint.discretization.thresholds import Thresholds

MOST_CELLS = 20_000  # of a table
Parents = list[tuple[int, ...]]
Edges = list[tuple[int, int]]


def narrowed(lists: Thresholds, codes: np.ndarray, parents: Parents) -> tuple[Thresholds, list[int]]:
    """Return thresholds under which fewer tables have more than `MOST_CELLS` cells, and which variables lost levels.

    Neighbouring levels of a continuous column are joined, down to two, while a table of theirs is too large: those that
    lose the least of the entropy of the codes, integer [N, n], for what the table gets smaller.
    """
    cuts, fixed = [*lists], lists.discrete
    counts = [np.bincount(codes[:, i], minlength=len(lists[i]) + 1).astype(float) for i in range(len(lists))]
    families = [(*of, child) for child, of in enumerate(parents)]
    changed: set[int] = set()
    while True:
        large = [family for family in families if math.prod(len(counts[i]) for i in family) > MOST_CELLS]
        open_ = sorted({i for family in large for i in family if not fixed[i] and len(counts[i]) > 2})
        if not open_:
            return lists.moved(cuts), sorted(changed)
        losses = {i: _losses(counts[i]) for i in open_}
        best = min(open_, key=lambda i: losses[i].min() / math.log(len(counts[i]) / (len(counts[i]) - 1)))
        k = int(losses[best].argmin())
        cuts[best] = np.delete(cuts[best], k)
        counts[best] = np.add.reduceat(counts[best], np.delete(np.arange(len(counts[best])), k + 1))
        changed.add(best)


def _losses(counts: np.ndarray) -> np.ndarray:
    """Return N times the entropy that joining each level and the next one loses, in nats, float64 [r - 1]."""
    parts = counts * np.log(np.maximum(counts, 1.0))
    both = counts[:-1] + counts[1:]
    return both * np.log(np.maximum(both, 1.0)) - parts[:-1] - parts[1:]


def fewer_parents(
    lists: Thresholds, parents: Parents, gain: Callable[[int, tuple[int, ...]], float]
) -> tuple[Parents, Edges]:
    """Return parents whose tables have at most `MOST_CELLS` cells, and the edges that are in none.

    gain(child, parents) says what parents tell; the one without whom the others tell most leaves first.
    """
    kept, dropped = [*parents], []
    for child, of in enumerate(parents):
        while math.prod(len(lists[i]) + 1 for i in (*of, child)) > MOST_CELLS and of:
            rests = [tuple(i for i in of if i != each) for each in of]
            best = max(rests, key=lambda rest: gain(child, rest))
            dropped.append((next(iter({*of} - {*best})), child))
            of = best
        kept[child] = of
    return kept, dropped


def notes_of(names: Sequence[str], added: list[int], joined: list[int], dropped: Edges, silent: Edges) -> list[str]:
    """Return what was limited, in a line each; silent are the edges without effect."""

    def arrows(edges: Edges) -> str:
        return first_of([f"{names[i]} -> {names[j]}" for i, j in edges])

    lines = {
        "left out of the fitted network, whose tables would be too large": arrows(dropped),
        "left out of the fitted network, where their levels change nothing": arrows(silent),
        f"fewer levels, so that tables have at most {MOST_CELLS:,} cells": first_of([names[i] for i in joined]),
        "two levels, parted in the middle, as edges need some": listed([names[i] for i in added]),
    }
    return [f"{what}: {which}" for what, which in lines.items() if which]
