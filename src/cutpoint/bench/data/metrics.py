"""The metrics of runs: `metrics.csv` has a line for each, with its unit, range, meaning and which value is better.

Everything else that says something of a metric reads it here: the columns of files, docs/files.md, the intervals of
tables, the explorer of the report.
"""

from pathlib import Path
from typing import Any, NamedTuple

from cutpoint.data.csv_files import read_csv

INF = float("inf")


class Metric(NamedTuple):
    """A metric of a run: a column of metrics.parquet, or a number that studies derive from some of them."""

    group: str  # cost, quality or derived
    name: str
    type: str  # of its column, such as float64
    unit: str
    low: float  # the least and the largest value that it can have
    high: float
    better: str  # lower, higher or neither
    meaning: str


_ROWS: list[dict[str, Any]] = read_csv(Path(__file__).with_suffix(".csv"))
METRICS = {row["name"]: Metric(**row | {"low": float(row["low"]), "high": float(row["high"])}) for row in _ROWS}
COSTS, QUALITIES = (tuple(m for m in METRICS.values() if m.group == group) for group in ("cost", "quality"))


def possible(name: str) -> tuple[float, float]:
    """Return the least and the largest number that a metric can be; anything for what is no metric."""
    return (METRICS[name].low, METRICS[name].high) if name in METRICS else (-INF, INF)
