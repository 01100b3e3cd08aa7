"""All figures of the study by the name of their artefact."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from cutpoint.learners.information import entropy
from cutpoint.plots import curves
from cutpoint.studies.inputs import Inputs


def bits(p: float) -> float:
    """Return the entropy in bits of a binary variable with probability p of one value (Mauá 2018, 2.2)."""
    return entropy(np.array([p, 1 - p])) / math.log(2)


def figure_entropy(inputs: Inputs) -> Figure:
    """Draw the entropy of a binary variable."""
    x = np.linspace(0, 1, 401)
    return curves.curve(
        x,
        np.array([bits(p) for p in x]),
        marked=[(0.5, bits(0.5), "uniform: 1 bit")],
        xlabel="P(X = a)",
        ylabel="H(X) in bits",
        title="Entropy of a binary variable",
        scale=str(replace(inputs.scale, replicates=0)),
    )


FIGURES: dict[str, Callable[[Inputs], Figure]] = {"figure_entropy": figure_entropy}
