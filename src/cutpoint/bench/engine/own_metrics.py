"""What tables take from the rows of a user's own metrics: which values are better, and where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cutpoint.bench.engine.declaration import DeclaredStudy

Rows = Mapping[str, Mapping[str, Any]]  # see `cutpoint.bench.data.own_metrics.MetricRow`


def directed(study: DeclaredStudy, rows: Rows) -> DeclaredStudy:
    """Return a declaration in which those values of the metrics are better of which their rows say so."""

    def of(one: Any) -> Any:
        return one.model_copy(update={"better": rows[one.metric]["better"]}) if one.metric in rows else one

    kinds = {kind: {name: of(one) for name, one in getattr(study, kind).items()} for kind in ("measures", "contests")}
    return study.model_copy(update=kinds)


def undefined(rows: Rows, metrics: Iterable[str]) -> list[str]:
    """Return a sentence on each of some metrics that has a row: its unit, and where it has no value."""
    own = {name: rows[name] for name in dict.fromkeys(metrics) if name in rows}
    units = {name: f", in {row['unit']}," if row["unit"] else "" for name, row in own.items()}
    return [f"{name}{units[name]} has no value {row['undefined']}." for name, row in own.items()]
