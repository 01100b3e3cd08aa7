"""Cluster-based discretization that takes the dependences between variables into account.

A. Mabrouk, C. Gonzales, K. Jabet-Chevalier and E. Chojnaki, "Multivariate cluster-based discretization for Bayesian
network structure learning", SUM 2015, section 4.
"""
