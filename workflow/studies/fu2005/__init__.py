"""A comparison of algorithms that learn the structure of Bayesian networks from continuous data.

L. D. Fu, "A comparison of state-of-the-art algorithms for learning Bayesian network structure from continuous
data", Vanderbilt University, 2005, chapter V.
"""
