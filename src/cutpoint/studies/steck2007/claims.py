"""The claims of Steck and Jaakkola 2007: what is said, where to look, and the inequalities that decide it."""

from __future__ import annotations

from cutpoint.report.claims import Claim
from cutpoint.studies.steck2007.inequalities import s1, s2, s3, s4, s5, s6, s7, s8, s9

CLAIMS: dict[str, Claim] = {
    "S1": Claim(
        "The true number of clusters has the highest score with optimised thresholds, for 2 to 10 clusters (exact "
        "optimum: within 3 units; greedy: ahead by at least 5).",
        "table_clusters",
        s1,
    ),
    "S2": Claim("One level too few costs at least three times what one too many costs.", "table_clusters", s2),
    "S3": Claim(
        "With thresholds at quantiles the true number of levels has the highest score, and its divisors and multiples "
        "are local maxima in the majority of panels.",
        "table_clusters",
        s3,
    ),
    "S4": Claim(
        "Independent variables get intervals of equal counts and as few as allowed, dependent ones the threshold that "
        "parts the clusters.",
        "table_3",
        s4,
    ),
    "S5": Claim(
        "Dependent clusters with low noise get equal counts, with high noise the threshold that parts the clusters.",
        "table_3",
        s5,
    ),
    "S6": Claim(
        "Overlapping clusters get more levels: 3 to 5 of Y0 in the majority of samples.",
        "table_4",
        s6,
    ),
    "S7": Claim(
        "More records give more levels; with 10 records the majority of samples is learned as independent, from 50 on "
        "none.",
        "table_5",
        s7,
    ),
    "S8": Claim(
        "Fewer levels give more edges; with equally many levels, optimised thresholds give more edges than quantiles "
        "(each inequality names the data that it was judged on).",
        "table_6",
        s8,
    ),
    "S9": Claim(
        "The score is unchanged by strictly monotone transformations and by the order of the records.",
        "table_invariance",
        s9,
        deterministic=True,
    ),
}
