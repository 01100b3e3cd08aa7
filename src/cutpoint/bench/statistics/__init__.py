"""Comparisons of methods: ranks, verdicts, shares, equivalence."""
