"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.figure import Figure

from cutpoint.plots import growth, style
from cutpoint.studies.figures import lines_of
from cutpoint.studies.growth import evidence
from cutpoint.studies.growth.evidence import RECORDS, VARIABLES, Axis
from cutpoint.studies.inputs import Inputs


def figure_records(inputs: Inputs) -> Figure:
    """Draw CPU seconds of every method against the number of records."""
    return _figure(inputs, RECORDS, "Cost against the number of records")


def figure_variables(inputs: Inputs) -> Figure:
    """Draw CPU seconds of every method against the number of variables."""
    return _figure(inputs, VARIABLES, "Cost against the number of variables, random networks")


def _figure(inputs: Inputs, axis: Axis, title: str) -> Figure:
    scale = str(inputs.scale_of(axis.grid))
    if reason := inputs.missing(axis.grid):
        return style.absent(title, reason, scale)
    source = evidence.seconds(inputs, axis)
    places = [(float(size), size) for size in source.names]
    categories = dict.fromkeys(m.category for m in inputs.methods)
    groups = {
        category: lines_of(
            inputs, source, places, [i for i, m in enumerate(inputs.methods) if m.category == category], spread=False
        )
        for category in categories
    }
    return growth.growth(
        groups,
        xlabel=axis.text,
        ylabel="CPU seconds per run",
        title=f"{title}; dotted: in proportion to it; grey: noise",
        floor=evidence.FLOOR,
        scale=scale,
    )


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_records": figure_records,
    "figure_variables": figure_variables,
}
