"""Metrics of a user's own: rows of the config, and the columns that they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from cutpoint.base.checking import Closed

if TYPE_CHECKING:  # jobs parse the Snakefile without Arrow
    import pyarrow as pa


class MetricRow(Closed):
    """A metric; its function gets the learned and the true pattern, and its options by name."""

    metric: str = Field(description="file.py:function or module:function")
    unit: str = Field(description="of its values, such as edges; empty for a share")
    better: Literal["lower", "higher", "neither"]
    undefined: str = Field(min_length=1, description="where it has no value, such as: for a graph without edges")
    options: dict[str, Any] = Field({}, description="keyword arguments of the function")


def columns_with(own: Iterable[str]) -> pa.Schema:
    """Return the columns of metrics, with those of a user's own behind them."""
    import pyarrow as pa

    from cutpoint.bench.data.schemas import METRICS

    return pa.schema([*METRICS, *((name, pa.float64()) for name in own)])
