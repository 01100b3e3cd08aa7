"""Sentences made from the numbers of a study."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import MEAN, Columns
from cutpoint.bench.report.artefacts import number
from cutpoint.bench.statistics.verdicts import FEWEST
from cutpoint.bench.statistics.winners import winners

SHOWN = 5  # names of tied methods in a sentence


def preview(topic: str, replicates: int) -> str:
    """Return what is said of too few replicates to conclude anything, "" of enough."""
    count = f"{replicates} replicate{'s' * (replicates != 1)} of each setting"
    return "" if replicates >= FEWEST else f"{topic}: a preview from {count}, from which nothing is concluded."


def best(columns: Columns, rows: Sequence[int], name: object = MEAN, *, highest: bool = False) -> list[int]:
    """Return which of some methods may have the best value in a column: one, or those that are tied."""
    k, sign = columns.names.index(name), -1 if highest else 1
    values = columns.strict[list(rows), k]
    found = winners(values.map(np.log) if columns.log else values, lower_is_better=not highest)
    return sorted((i for i, good in zip(rows, found, strict=True) if good), key=lambda i: sign * columns.sample[i, k])


def leaders(inputs: Inputs, columns: Columns, name: object = MEAN, *, highest: bool = False) -> str:
    """Return which of all methods have the best value in a column, such as "Bach, Steck2 and Monti3 are tied"."""
    found = [inputs.methods[i].label for i in best(columns, range(len(inputs.methods)), name, highest=highest)]
    if len(found) < 2:
        return f"{found[0]} is the best" if found else "no method has a result"
    return f"{shortened(found)} are tied for the best"


def shortened(labels: Sequence[str], most: int = SHOWN) -> str:
    """Return "a, b and c", of more than `most` the first and how many more."""
    return listed(labels if len(labels) <= most else [*labels[: most - 1], f"{len(labels) - most + 1} more"])


def by_column(inputs: Inputs, columns: Columns, *, highest: bool = False) -> str:
    """Return the leaders of each column but the mean, sizes with the same ones together.

    Such as "N = 500 and 1000: Bach is the best; N = 5000: Steck2 and Steck3 are tied for the best".
    """
    said: dict[str, list[str]] = {}
    for name in columns.names:
        if name != MEAN:
            said.setdefault(leaders(inputs, columns, name, highest=highest), []).append(f"{name:g}")
    return "; ".join(f"N = {listed(sizes)}: {text}" for text, sizes in said.items())


def value(columns: Columns, row: int, name: object = MEAN, digits: int = 2) -> str:
    """Return a number of a column as text."""
    return number(float(columns.sample[row, columns.names.index(name)]), digits)
