"""Discrete Bayesian networks: files, samples, random ones; imports graphs, base."""
