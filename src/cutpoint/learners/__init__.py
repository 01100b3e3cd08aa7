"""Searches over structures: one search, any score."""
