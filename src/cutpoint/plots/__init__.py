"""Figures from arrays; the only room that imports matplotlib."""
