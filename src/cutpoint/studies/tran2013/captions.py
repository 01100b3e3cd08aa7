"""What to look at in the figures of the study."""

from __future__ import annotations

CAPTIONS: dict[str, str] = {
    "figure_1.1": "A directed acyclic graph.",
    "figure_1.2": "Four graphs with the same edges: three say the same of X1 and X3, the collider does not.",
    "figure_2.1": "A graph in which 2 and 3 are independent given 1.",
    "table_2.2": "The 25 graphs on three nodes in their Markov classes: graphs of a class must get the same score.",
    "figure_2.2": (
        "Two series that are independent given a third, and what coarse intervals make of them: dependence that "
        "is not there."
    ),
    "figure_4.1": (
        "The removal of a threshold between two values of one original level is another explosion of it; the "
        "removal of a true one is not."
    ),
    "figure_recovery": (
        "How often each search finds the true discretization, against the number of exploded values and of records."
    ),
}
