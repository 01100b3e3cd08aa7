"""Discrete Bayesian networks: files, samples, random ones."""
