"""Metrics of a user's own: functions of the learned and the true graph, which `metrics` of the config names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cutpoint.base.text import one_line
from cutpoint.base.user_code import place_of
from cutpoint.method.functions import protected, resolve

OwnMetrics = Mapping[str, Mapping[str, Any]]  # rows by name, see `cutpoint.bench.data.own_metrics.MetricRow`


def own_values(own: OwnMetrics, learned: np.ndarray, true: np.ndarray) -> tuple[dict[str, float | None], str]:
    """Return the value of each metric, None where it is undefined or fails, and what went wrong, "" for nothing.

    Args:
        own: the metrics.
        learned, true: bool [n, n], the completed patterns; an undirected edge stands in both directions.
    """
    values: dict[str, float | None] = dict.fromkeys(own)
    problems = list[str]()
    for name, row in own.items():
        try:
            value = resolve(row["metric"])(*protected(row["metric"], learned, true), **row["options"])
            values[name] = None if value is None or math.isnan(value) else float(value)
        except Exception as problem:  # anything may happen in a user's own function
            problems.append(one_line(f"{name}: {type(problem).__name__}: {problem}{place_of(problem)}"))
    return values, "; ".join(problems)
