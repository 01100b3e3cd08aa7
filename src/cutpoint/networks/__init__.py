"""Discrete Bayesian networks: files, samples, random ones, arc reversal; imports graphs, base."""
