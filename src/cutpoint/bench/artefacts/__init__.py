"""Artefacts: tables, verdicts on claims, how both are written, and drawings inside a page."""
