"""Real data sets as they were learned from; without pandas, since experiments read them, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.bench.data.parquet import DataSet, open_data
from cutpoint.bench.data.status import OK, UNAVAILABLE


@dataclass(frozen=True)
class Data:
    """A real data set as it was learned from.

    Attributes:
        values: float64 [N, n], codes in discrete columns; empty where status is not "ok".
        discrete: bool [n].
        target: the column that the donors predict, or None.
        uncounted: continuous columns left out of the cardinality figures.
        notes: what a reader of results should know.
        message: why there are no data.
        levels: names of the states of discrete columns, by code.
        truth: name of the true network, where one is known.
        knowledge: plain data of what is known of the columns, None where nothing is.
        worries: reasons to worry that the records give in the order of the file, see `cutpoint.data.worries.Worry`.
    """

    name: str
    variables: Sequence[str]
    values: np.ndarray
    discrete: np.ndarray
    target: str | None = None
    uncounted: Sequence[str] = ()
    notes: Sequence[str] = ()
    status: str = OK
    message: str = ""
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    truth: str | None = None
    knowledge: Mapping[str, Any] | None = None
    worries: Sequence[Sequence[Any]] = ()


def read_data(path: str | Path) -> Data:
    """Return a real data set; one that could not be had comes with its status and message."""
    file = open_data(path)
    about = file.metadata
    there = file.available and bool(file.replicates)
    data = file.read(file.replicates[0]) if there else DataSet([], [], np.empty((0, 0)), np.zeros(0, bool), about)
    return Data(
        name=about["cell"],
        variables=data.variables,
        values=data.values,
        discrete=data.discrete,
        target=about.get("target"),
        uncounted=about.get("uncounted") or (),
        notes=about.get("notes") or (),
        status=OK if there else about.get("status", UNAVAILABLE),
        message=about.get("message") or "",
        levels=about.get("levels") or {},
        truth=about.get("truth"),
        knowledge=about.get("knowledge"),
        worries=about.get("worries") or (),
    )
