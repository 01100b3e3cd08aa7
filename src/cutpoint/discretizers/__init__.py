"""Discretizers that look at the data alone, before any structure is learned."""
