"""The claims of Tran 2013: what is said, where to look, and the inequalities that decide it."""

from __future__ import annotations

from cutpoint.report.claims import Claim
from cutpoint.studies.tran2013.inequalities import t1, t2, t3, t4

CLAIMS: dict[str, Claim] = {
    "T1": Claim("AIC, BIC and MDL all recover the class of graph 8.", "table_3.1", t1),
    "T2": Claim("Scores are equal within each Markov class.", "table_3.1", t2, deterministic=True),
    "T3": Claim(
        "Only the two wrong removals stand out, and the true discretization has the lowest DL local.", "table_5.1", t3
    ),
    "T4": Claim(
        "On exploded data the single-threshold top-down search finds the true discretization (the shortest of all "
        "2^(m - 1), by brute force) with m - 1 comparisons, on counts exactly proportional to the explosion; on "
        "sampled data the recovery rate against m is reported (table_recovery).",
        "table_explosions",
        t4,
        deterministic=True,
    ),
}
