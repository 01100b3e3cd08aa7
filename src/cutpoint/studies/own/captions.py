"""What to look at in the figures of the study."""

from __future__ import annotations

CAPTIONS: dict[str, str] = {
    "figure_graphs": (
        "The graph of each method, each column at the same place in all of them: look for lines that all methods "
        "share and most resamples have. A line without an arrow may point either way."
    ),
    "figure_confidence": (
        "How many resamples of the records have an edge, by method: rows that are dark from end to end depend neither "
        "on a few records nor on the method; a single dark cell is the word of one method."
    ),
    "figure_held_out": (
        "How likely each method makes records that it has not learned from, above a model without edges: further right "
        "is better, and left of 0 the edges do harm. Methods whose intervals overlap much are hardly different."
    ),
    "figure_variables": (
        "The continuous columns and where each method cuts them: a row without ticks has one level, which drops the "
        "column from the graph."
    ),
}
