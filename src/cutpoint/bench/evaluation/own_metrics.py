"""Metrics of a user's own: functions of the learned and the true graph, which `metrics` of the config names."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.base.text import one_line
from cutpoint.base.user_code import place_of
from cutpoint.bench.data.schemas import METRICS
from cutpoint.method.functions import protected, resolve

OwnMetrics = Mapping[str, Mapping[str, Any]]  # rows by name, see `cutpoint.bench.workflow.settings.MetricRow`


def own_values(own: OwnMetrics, learned: np.ndarray, true: np.ndarray) -> tuple[dict[str, float | None], str]:
    """Return the value of each metric of two patterns, bool [n, n], None without one, and what failed, if anything."""
    values: dict[str, float | None] = dict.fromkeys(own)
    problems = list[str]()
    for name, row in own.items():
        try:
            value = resolve(row["metric"])(*protected(row["metric"], learned, true), **row["options"])
            values[name] = None if value is None or math.isnan(value) else float(value)
        except Exception as problem:  # anything may happen in a user's own function
            problems.append(one_line(f"{name}: {type(problem).__name__}: {problem}{place_of(problem)}"))
    return values, "; ".join(problems)


def columns_with(own: Iterable[str]) -> pa.Schema:
    """Return the columns of metrics, with those of a user's own behind them."""
    return pa.schema([*METRICS, *((name, pa.float64()) for name in own)])


def directed(study: Any, rows: OwnMetrics) -> Any:
    """Return a declaration in which those values of the metrics are better of which their rows say so."""

    def of(one: Any) -> Any:
        return one.model_copy(update={"better": rows[one.metric]["better"]}) if one.metric in rows else one

    kinds = {kind: {name: of(one) for name, one in getattr(study, kind).items()} for kind in ("measures", "contests")}
    return study.model_copy(update=kinds)


def undefined(rows: OwnMetrics, metrics: Iterable[str]) -> list[str]:
    """Return a sentence on each of some metrics that has a row: its unit, and where it has no value."""
    own = {name: rows[name] for name in dict.fromkeys(metrics) if name in rows}
    units = {name: f", in {row['unit']}," if row["unit"] else "" for name, row in own.items()}
    return [f"{name}{units[name]} has no value {row['undefined']}." for name, row in own.items()]
