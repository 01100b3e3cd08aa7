"""What coarse discretization does to conditional independence (Tran 2013, 2.5), measured.

The series of Figure 2.2 are not printed. Those here have three regimes that change together, one variable the negative
of the other, and independent Gaussian noise within a regime.
"""

from __future__ import annotations

import numpy as np
from scipy.special import entr, rel_entr

from cutpoint.base.seeds import generator_for
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.plots.densities import series as draw_series
from cutpoint.plots.style import Figure

SHOWN, DRAWN, COUNT = 300, 4000, 100_000  # points over time, points against each other, points measured
NOISE = 0.13  # standard deviation
REGIMES = np.array([-1.0, 0.0, 1.0])
STAY = 0.96  # probability that a regime goes on
BREAKS = np.array([-0.5, 0.5])
FINE = 24  # intervals that show the noise


def series(seed: int, count: int = COUNT) -> np.ndarray:
    """Return both variables, float64 [N, 2]."""
    rng = generator_for(seed, "tran2013", "figure_2.2")
    change = rng.random(count) >= STAY
    regime = np.cumsum(np.where(change, rng.integers(1, len(REGIMES), count), 0)) % len(REGIMES)
    noise = NOISE * rng.standard_normal((count, 2))
    return np.column_stack([REGIMES[regime], -REGIMES[regime]]) + noise


def measured(xy: np.ndarray, breaks: np.ndarray) -> tuple[float, float]:
    """Return what discretized series tell of each other, I(Y1, Y2) and H(Y1 | Y2), in nats."""
    codes = np.searchsorted(breaks, xy)
    joint = np.zeros((len(breaks) + 1,) * 2)
    np.add.at(joint, (codes[:, 0], codes[:, 1]), 1 / len(codes))
    independent = np.outer(joint.sum(1), joint.sum(0))
    return float(rel_entr(joint, independent).sum()), float(entr(joint).sum() - entr(joint.sum(0)).sum())


def fine_breaks(xy: np.ndarray) -> np.ndarray:
    """Return the breaks of FINE equal intervals over both series."""
    return np.linspace(xy.min(), xy.max(), FINE + 1)[1:-1]


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw series whose noise is independent, and what fine and coarse intervals make of them."""
    xy = series(inputs.scale.seed)
    drawn = []
    for head, breaks in ((f"{FINE} intervals", fine_breaks(xy)), ("low, middle and high", BREAKS)):
        information, remaining = measured(xy, breaks)
        drawn.append((head, breaks, f"I(X1, X2) = {information:.3f}\nH(X1 | X2) = {remaining:.3f} nats"))
    return draw_series(xy[:DRAWN], drawn, count=SHOWN, names=("X1", "X2"), title=title, scale=scale)
