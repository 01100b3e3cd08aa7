"""Scores of graphs and searches for the best one; imports kernels, graphs, base."""
