"""Discrete Bayesian networks: files, samples, random ones, arc reversal, noise on codes; imports graphs, base."""
