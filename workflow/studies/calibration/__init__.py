"""What an edge confidence is worth: how many of the edges that a share of the resamples has are true.

Our own question, after N. Friedman, M. Goldszmidt and A. Wyner, "Data analysis with Bayesian networks: a bootstrap
approach", UAI 1999, and H. Steck and T. S. Jaakkola, "Predictive discretization during model selection", AISTATS 2007,
who prefer the jackknife.
"""
