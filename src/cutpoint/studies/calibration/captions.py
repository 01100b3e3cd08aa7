"""What to look at in the figures of the study."""

from __future__ import annotations

CAPTIONS: dict[str, str] = {
    "figure_reliability": "Above the diagonal pairs are true more often than the confidence says, so that it can be "
    "taken as a floor; below it the confidence promises too much. The bars count the pairs of all methods: most are "
    "never joined.",
    "figure_directions": "The same for the direction of true adjacencies: below the diagonal a direction is drawn more "
    "often than the data can tell it. Few directions have a high confidence, so that many bins are left out.",
}
