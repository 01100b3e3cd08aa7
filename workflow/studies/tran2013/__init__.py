"""A search strategy for the aggregation and discretization of attributes by minimum description length.

D. D. Tran, "An efficient search strategy for aggregation and discretization of attributes of Bayesian networks using
minimum description length", Master's thesis, University of Colorado at Boulder, 2013.
"""
