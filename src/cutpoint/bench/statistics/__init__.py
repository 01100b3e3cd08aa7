"""Comparisons of methods over repeated runs: ranks, verdicts, shares, equivalence (docs/statistics.md)."""
