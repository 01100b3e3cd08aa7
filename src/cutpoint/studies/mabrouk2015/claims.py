"""The claims of Mabrouk 2015: what is said, where to look, and the inequalities that decide it."""

from __future__ import annotations

from cutpoint.report.claims import Claim
from cutpoint.studies.mabrouk2015.inequalities import m1, m2, m3, m4, m5

CLAIMS: dict[str, Claim] = {
    "M1": Claim(
        "MGCD has the highest TPR at every N; its mean over N is at least 10 % above that of Ruichu and 40 % above "
        "that of Friedman.",
        "table_gaps",
        m1,
    ),
    "M2": Claim(
        "MGCD has the lowest FPR at every N; its mean over N is at least 20 % below that of each other.",
        "table_gaps",
        m2,
    ),
    "M3": Claim(
        "Friedman costs about 3 times as much as MGCD (2 to 4 at every N), Ruichu about as much (0.5 to 2).",
        "table_1",
        m3,
        implementation=True,
    ),
    "M4": Claim("MGCD predicts best in every Child cell and in at least 10 of the 12 Sachs cells.", "table_2", m4),
    "M5": Claim(
        "Mean accuracy over the methods is higher at the largest N than at the smallest, and with the whole Markov "
        "blanket than with 30 % of it.",
        "table_2",
        m5,
    ),
}
