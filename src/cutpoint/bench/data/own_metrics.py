"""The rows of a user's own metrics in the config."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from cutpoint.base.checking import Closed


class MetricRow(Closed):
    """A metric; its function gets the learned and the true pattern, and its options by name."""

    metric: str = Field(description="file.py:function or module:function")
    unit: str = Field(description="of its values, such as edges; empty for a share")
    better: Literal["lower", "higher", "neither"]
    undefined: str = Field(min_length=1, description="where it has no value, such as: for a graph without edges")
    options: dict[str, Any] = Field({}, description="keyword arguments of the function")
