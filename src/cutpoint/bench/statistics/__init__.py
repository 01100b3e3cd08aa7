"""Comparisons of methods over repeated runs: ranks, verdicts, shares (docs/statistics.md)."""
