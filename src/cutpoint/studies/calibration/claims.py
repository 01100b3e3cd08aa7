"""The claims of the study: what one would like to be true of edge confidences, and the inequalities that decide it."""

from __future__ import annotations

from cutpoint.report.claims import Claim
from cutpoint.studies.calibration.inequalities import c1, c2, c3, c4, c5, c6, c7, c8

CLAIMS: dict[str, Claim] = {
    "C1": Claim(
        "Pairs with a confidence above 0.9 are true adjacencies in at least 90 %, whatever method and resamples.",
        "table_calibration",
        c1,
    ),
    "C2": Claim(
        "Few records cost true edges, not trust (Friedman, Goldszmidt and Wyner 1999): in the smallest samples, too, "
        "at least 90 % of the pairs above 0.9 are true.",
        "table_calibration",
        c2,
    ),
    "C3": Claim(
        "Of true adjacencies, directions with a confidence above 0.9 are right in at least 90 %.",
        "table_calibration",
        c3,
    ),
    "C4": Claim(
        "A jackknife that leaves out 10 % of the records overstates confidence more than the bootstrap.",
        "table_calibration",
        c4,
    ),
    "C5": Claim("Leaving out half of the records is better calibrated than leaving out 10 %.", "table_calibration", c5),
    "C6": Claim(
        "The jackknife that leaves out 10 % is better calibrated than the bootstrap, as the preference for it suggests "
        "(Steck and Jaakkola 2007, section 6).",
        "table_calibration",
        c6,
    ),
    "C7": Claim(
        "Confidence tells true from false pairs better than the graph of all records does, by the AUC.",
        "table_calibration",
        c7,
    ),
    "C8": Claim(
        "The records that the bootstrap repeats look like dependences and make graphs denser than that of all records "
        "(Steck and Jaakkola 2007, section 6).",
        "table_calibration",
        c8,
    ),
}
