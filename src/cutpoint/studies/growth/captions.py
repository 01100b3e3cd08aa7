"""What to look at in the figures of the study."""

from __future__ import annotations

_READ = (
    "a straight line is a power law and its slope the exponent; lines steeper than the dotted one grow faster than "
    "the size. A line ends where runs failed, as those of the exact search with too many variables do."
)
CAPTIONS: dict[str, str] = {
    "figure_records": f"CPU seconds of a run against the number of records, median over replicates: {_READ}",
    "figure_variables": f"CPU seconds of a run against the number of variables, median over replicates: {_READ}",
}
