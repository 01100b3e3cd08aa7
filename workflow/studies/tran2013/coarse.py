"""What coarse discretization does to conditional independence (Tran 2013, 2.5), measured.

Neither the parameters of 2.5.1 nor the series of Figure 2.2 are printed. The series here have three regimes that
change together, one variable the negative of the other, and independent Gaussian noise within a regime.
"""

from __future__ import annotations

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots.clouds import series as draw_series
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.learners.information import conditional_information, entropy, mutual_information
from cutpoint.plots.style import Figure

SHOWN, DRAWN, COUNT = 300, 4000, 100_000  # points over time, points against each other, points measured
NOISE = 0.13  # standard deviation
REGIMES = np.array([-1.0, 0.0, 1.0])
STAY = 0.96  # probability that a regime goes on
BREAKS = np.array([-0.5, 0.5])
FINE = 24  # intervals that show the noise
# 2 <- 1 -> 3 with three values each: P(X1), and P(X2 | X1) = P(X3 | X1), one row per value of X1
FIRST = np.array([0.3, 0.4, 0.3])
OTHERS = np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.2, 0.6, 0.2]])


def series(seed: int, count: int = COUNT) -> tuple[np.ndarray, np.ndarray]:
    """Return the regime, int64 [N], and both variables, float64 [N, 2]."""
    rng = generator_for(seed, "tran2013", "figure_2.2")
    change = rng.random(count) >= STAY
    regime = np.cumsum(np.where(change, rng.integers(1, len(REGIMES), count), 0)) % len(REGIMES)
    noise = NOISE * rng.standard_normal((count, 2))
    return regime, np.column_stack([REGIMES[regime], -REGIMES[regime]]) + noise


def measured(regime: np.ndarray, xy: np.ndarray, breaks: np.ndarray) -> dict[str, float]:
    """Return what discretized series tell of each other, in nats.

    Returns:
        information: I(Y1, Y2); left: H(Y1 | Y2); within: I(Y1, Y2 | regime).
    """
    codes = np.searchsorted(breaks, xy)
    size = len(breaks) + 1
    joint = np.zeros((size, size, len(REGIMES)))
    np.add.at(joint, (codes[:, 0], codes[:, 1], regime), 1 / len(regime))
    both = joint.sum(2)
    return {
        "information": mutual_information(both),
        "left": entropy(both) - entropy(both.sum(0)),
        "within": conditional_information(joint),
    }


def fine_breaks(xy: np.ndarray) -> np.ndarray:
    """Return the breaks of FINE equal intervals over both series."""
    return np.linspace(xy.min(), xy.max(), FINE + 1)[1:-1]


def three_nodes() -> np.ndarray:
    """Return the joint distribution of X2, X3 and X1 in the graph 2 <- 1 -> 3, float64 [3, 3, 3]."""
    return np.einsum("k,ki,kj->ijk", FIRST, OTHERS, OTHERS)


def joined(joint: np.ndarray) -> np.ndarray:
    """Return a joint distribution of three variables whose values 1 and 2 are joined, as (2.5) does."""
    for axis in range(3):
        joint = np.add.reduceat(joint, [0, 2], axis=axis)
    return joint


def table(inputs: Inputs) -> Content:
    """Return what is left of independence before and after coarse discretization."""
    regime, xy = series(inputs.scale.seed)
    fine, rough = (measured(regime, xy, breaks) for breaks in (fine_breaks(xy), BREAKS))
    nodes = three_nodes()
    pairs = {
        "2 <- 1 -> 3, values 1 and 2 joined: I(X2, X3 | X1)": [
            conditional_information(joint) for joint in (nodes, joined(nodes))
        ],
        "series: I(X1, X2)": [fine["information"], rough["information"]],
        "series: H(X1 | X2), what X2 leaves open": [fine["left"], rough["left"]],
        "series: I(X1, X2 | regime)": [fine["within"], rough["within"]],
    }
    rows = [
        Row(str(i), text, "", tuple(Cell(v, digits=4) for v in pair)) for i, (text, pair) in enumerate(pairs.items(), 1)
    ]
    return Content("measure", ("before", "after"), rows)


def figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw series whose noise is independent, and what fine and coarse intervals make of them."""
    regime, xy = series(inputs.scale.seed)
    drawn = []
    for head, breaks in ((f"{FINE} intervals", fine_breaks(xy)), ("low, middle and high", BREAKS)):
        numbers = measured(regime, xy, breaks)
        note = f"I(X1, X2) = {numbers['information']:.3f}\nH(X1 | X2) = {numbers['left']:.3f} nats"
        drawn.append((head, breaks, note))
    return draw_series(xy[:DRAWN], drawn, shown=SHOWN, names=("X1", "X2"), title=title, scale=scale)
