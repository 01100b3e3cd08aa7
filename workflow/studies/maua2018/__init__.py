"""Score-based Bayesian network structure learning.

D. D. Mauá, lecture notes, University of São Paulo, 2018. They print no table: their scores and searches are in the
registry, their exercises are tests, and the entropy of a binary variable is their one figure.
"""
