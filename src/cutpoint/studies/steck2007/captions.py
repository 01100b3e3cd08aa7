"""What to look at in the figures of the study."""

from __future__ import annotations

from cutpoint.studies.declaration import AGREEMENT

CAPTIONS: dict[str, str] = {
    "figure_1": "The toy data with all clusters: two related variables, of which each cluster is one joint level.",
    "figure_2": (
        "Score against the number of levels, a panel for every number of clusters: the peak should stand at the "
        "true number. Exact thresholds keep the score high on its right, quantiles miss the clusters."
    ),
    "figure_3": (
        "Thresholds of two levels: between the clusters where the variables are dependent, at equal counts where "
        "they are not or where noise hides it."
    ),
    "figure_4": "Overlapping clusters: the number of levels falls as the equivalent sample size grows.",
    "figure_5": (
        "Levels found against the number of records: with few records the variables seem independent and get one level."
    ),
    "figure_6": (
        "Edges of the learned graphs against the number of levels, ours beside those of the paper: fewer levels "
        "let more edges through."
    ),
    "figure_7": (
        "The composite graph over the jackknife: solid edges are in more than half of the graphs, dashed ones in "
        "more than a third; an arrow has a direction that is twice as likely as the other."
    ),
    "figure_ess": "Cross-validated score against the equivalent sample size; the paper's is 25.",
    **{f"figure_agreement_{name}": AGREEMENT.format(f"of Figure {name}") for name in ("2", "6")},
}
