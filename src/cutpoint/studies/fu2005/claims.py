"""The claims of Fu 2005: what is said, where to look, and the inequalities that decide it."""

from __future__ import annotations

from cutpoint.report.claims import Claim
from cutpoint.studies.fu2005.inequalities import f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14

CLAIMS: dict[str, Claim] = {
    "F1": Claim(
        "N = 500: bach and steck2 have the lowest normalised SHD, eqwidth3 the lowest of the prediscretizations.",
        "table_V-4",
        f1,
    ),
    "F2": Claim("N = 1000: monti3 is at or below bach; eqwidth3 is the best prediscretization.", "table_V-4", f2),
    "F3": Claim("N = 5000: eqwidth3, friedman3, monti3, steck2 and steck3 are all below bach.", "table_V-4", f3),
    "F4": Claim("Means over N: best of their categories are eqwidth3; monti3 or a steck; bach.", "table_V-4", f4),
    "F5": Claim("Three initial levels beat two for eqfreq, eqwidth, friedman and monti (mean SHD).", "table_V-4", f5),
    "F6": Claim("eqwidth3 is comparable with the integrated methods.", "table_V-4", f6),
    "F7": Claim(
        "Every integrated method costs more than any binning and than bach; steck costs the most of "
        "them, friedman the least.",
        "table_V-5",
        f7,
        implementation=True,
    ),
    "F8": Claim(
        "The binnings make fewer calls than bach and yet need more time.",
        "table_V-6",
        f8,
        implementation=True,
    ),
    "F9": Claim(
        "Friedman makes the fewest discretization calls, steck the most.",
        "table_V-7",
        f9,
        implementation=True,
    ),
    "F10": Claim(
        "On child, hailfinder and insurance all integrated methods have fewer extraneous edges than "
        "eqfreq and eqwidth; on alarm monti and steck beat eqfreq on both kinds.",
        "table_V-9",
        f10,
    ),
    "F11": Claim("N = 500 and 1000: SHD grows with sigma for eqwidth3, monti3 and bach.", "figure_V-7", f11),
    "F12": Claim(
        "No method beats bach in SHD and in time at once, at any N; bach has the lowest SHD in a cell "
        "more often than any other method.",
        "figure_V-4",
        f12,
        implementation=True,
    ),
    "F13": Claim(
        "Real data: pc_fisherz and bach have the best scores, eqfreq3 is the best prediscretization, "
        "friedman and steck are the best integrated.",
        "table_V-11",
        f13,
    ),
    "F14": Claim("Real data: the integrated methods cost the most.", "table_V-11", f14, implementation=True),
}
