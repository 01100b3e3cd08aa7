"""Real data sets as they were learned from; without pandas, since experiments read them, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.bench.data.parquet import DataSet, open_data
from cutpoint.bench.data.status import OK, UNAVAILABLE


@dataclass(frozen=True)
class Data:
    """A real data set as it was learned from."""

    name: str
    variables: Sequence[str]
    values: np.ndarray  # float64 [N, n], codes in discrete columns; empty where status is not "ok"
    discrete: np.ndarray  # bool [n]
    target: str | None = None  # the column that the donors predict, or None
    uncounted: Sequence[str] = ()  # continuous columns left out of the cardinality figures
    notes: Sequence[str] = ()  # what a reader of results should know
    status: str = OK
    message: str = ""  # why there are no data
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)  # names of the states of discrete columns
    truth: str | None = None  # name of the true network, where one is known
    knowledge: Mapping[str, Any] | None = None  # plain data of what is known of the columns, None where nothing is
    worries: Sequence[Sequence[Any]] = ()  # what the records give, see `cutpoint.data.worries.Worry`


def read_data(path: str | Path) -> Data:
    """Return a real data set; one that could not be had comes with its status and message."""
    file = open_data(path)
    about = file.metadata
    there = file.available and bool(file.replicates)
    data = file.read(file.replicates[0]) if there else DataSet([], [], np.empty((0, 0)), np.zeros(0, bool), about)
    told = {each.name: about[each.name] for each in fields(Data)[4:] if about.get(each.name) is not None}
    told["status"] = OK if there else about.get("status", UNAVAILABLE)
    return Data(about["cell"], data.variables, data.values, data.discrete, **told)
