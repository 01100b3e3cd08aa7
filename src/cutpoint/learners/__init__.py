"""Scores of graphs and searches for the best one."""
