"""All figures of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import reliability, style
from cutpoint.plots.lines import Line
from cutpoint.plots.reliability import Diagram
from cutpoint.statistics.draws import interval
from cutpoint.studies.calibration import evidence
from cutpoint.studies.calibration.evidence import ADJACENCY, DIRECTION, EVERY, EXPERIMENT, LABELS, Counted
from cutpoint.studies.calibration.measures import BINS, ratio
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, scale_of

FEW = 20  # features of a bin below which its share is left out
EDGES = np.array([-0.05, 0.0, *np.arange(1, BINS + 1) / BINS])  # the bin of the confidence 0 stands before the others
COUNTED = {ADJACENCY: "pairs", DIRECTION: "directions"}
TITLES = {
    ADJACENCY: "How often a pair of variables with a confidence is joined in the true graph",
    DIRECTION: "How often a direction with a confidence is right, of true adjacencies that half of the resamples have",
}


def figure_of(inputs: Inputs, feature: str) -> Figure:
    """Draw the reliability diagram of a feature, a panel for every kind of resample."""
    scale, title = str(scale_of(inputs, EXPERIMENT)), TITLES[feature]
    if reason := absent(inputs, EXPERIMENT):
        return style.absent(title, reason, scale)
    shown = []
    for kind in evidence.resamples(inputs):
        found = {label: evidence.counted(inputs, feature, m, kind) for m, label in evidence.methods(inputs).items()}
        every = evidence.counted(inputs, feature, EVERY, kind)
        counts = every.sums[0, :, 0] if every else np.zeros(BINS + 1)
        shown.append(Diagram(LABELS[kind], [_line(*each) for each in found.items()], counts, EDGES))
    title += (
        "\nAbove the grey line a confidence says too little, below it too much.\nAll sample sizes; 95 % intervals; "
    )
    return reliability.diagrams(
        shown,
        ylabel="share that is true",
        counted=COUNTED[feature],
        title=f"{title}bins of fewer than {FEW} are left out",
        scale=scale,
    )


def _line(label: str, found: Counted | None) -> Line:
    if found is None:
        return Line(label, np.empty(0), np.empty(0))
    pairs, confidence, _ = found.sums[0].T
    shares = np.where(pairs >= FEW, found.shares, np.nan)  # where a bin is left out the line has a gap
    spread = interval(shares[1:]) if found.units > 1 else ()
    return Line(label, ratio(confidence, pairs), shares[0], *spread)


FIGURES: dict[str, Callable[[Inputs], Figure]] = {
    "figure_reliability": partial(figure_of, feature=ADJACENCY),
    "figure_directions": partial(figure_of, feature=DIRECTION),
}
