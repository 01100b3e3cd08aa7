"""Intervals, verdicts, ranks and paired comparisons over repeated runs (docs/statistics.md); imports base."""
