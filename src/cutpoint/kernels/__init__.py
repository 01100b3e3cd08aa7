"""Loops that numba compiles, grouped by what calls them."""
