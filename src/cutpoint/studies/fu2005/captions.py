"""What to look at in the figures of the study."""

from __future__ import annotations

from cutpoint.studies.captions import AGREEMENT

CAPTIONS: dict[str, str] = {
    "figure_I-1": (
        "Two dependent variables, and the same after a poor discretization: the dependence is gone. Why the "
        "choice of thresholds decides what a learner can find."
    ),
    "figure_V-1": (
        "A variable of Child with its parent, continuous and as each method discretizes it: thresholds that "
        "separate the clouds keep the dependence."
    ),
    "figure_V-2": "The same for a variable of Alarm whose clouds overlap: no method finds all levels.",
    "figure_V-3": (
        "The marginals of both variables: overlap hides the levels from methods that look at one column alone."
    ),
    "figure_V-4": (
        "Time against structural error at N = 500, both over those of Bach: methods near the lower left corner "
        "recover more for less. The bars are 95 % intervals over replicates."
    ),
    "figure_V-5": (
        "Time against structural error at N = 1000, both over those of Bach: methods near the lower left corner "
        "recover more for less. The bars are 95 % intervals over replicates."
    ),
    "figure_V-6": (
        "Time against structural error at N = 5000, both over those of Bach: methods near the lower left corner "
        "recover more for less. The bars are 95 % intervals over replicates."
    ),
    "figure_V-7": (
        "SHD against the noise at N = 500, a panel per network: a line that rises says that blurred levels cost "
        "structure. The bars are 95 % intervals over replicates."
    ),
    "figure_V-8": (
        "SHD against the noise at N = 1000, a panel per network: a line that rises says that blurred levels cost "
        "structure. The bars are 95 % intervals over replicates."
    ),
    "figure_V-9": (
        "SHD against the noise at N = 5000, a panel per network: a line that rises says that blurred levels cost "
        "structure. The bars are 95 % intervals over replicates."
    ),
    "figure_V-10": "The target of the Cars data against the variable most associated with it.",
    "figure_V-11": (
        "Real data: time against the score of the learned structure, both over those of Bach, the best at the "
        "lower left. No true network is known there."
    ),
    "figure_ranks_simulated": (
        "Critical-difference diagram of the simulated data: mean rank of SHD over the cells (network, N), the "
        "best on the left; methods under one bar cannot be told apart at 5 %."
    ),
    "figure_ranks_real": (
        "The same for the score on the real data sets: with few data sets hardly any two methods can be told apart."
    ),
    **{
        f"figure_agreement_{name}": AGREEMENT.format(name)
        for name in ("V-4", "V-5", "V-6", "V-7", "V-8", "V-9", "V-11", "V-12")
    },
    "figure_cost": (
        "CPU seconds of a run against the number of records and of variables, on logarithmic axes: the slope is "
        "how a method grows."
    ),
}
