"""What to look at in the figures of the study."""

from __future__ import annotations

from cutpoint.studies.declaration import AGREEMENT

CAPTIONS: dict[str, str] = {
    "figure_1": "Three clusters that entropy-based thresholds cut in two and thresholds between clusters do not.",
    "figure_2": (
        "Arcs are reversed one after the other without a change of the joint distribution, as the paper's proof "
        "does; below each graph the largest change found."
    ),
    "figure_3": (
        "True and false positive rates against N as the paper defines them (shares of the learned edges), with 95"
        " % intervals over networks: higher is better on the left, lower on the right."
    ),
    "figure_thresholds": (
        "How well the true thresholds are found: error in standard deviations, agreement of the codes, number of "
        "levels against the true one."
    ),
    **{f"figure_agreement_{name}": AGREEMENT.format(name) for name in ("1", "2")},
    "figure_ranks": (
        "Mean ranks over the data sets of the structure grid, the best on the left; methods under one bar cannot "
        "be told apart at 5 %."
    ),
    "figure_cost": "CPU seconds of a run against the number of records and of variables, on logarithmic axes.",
}
