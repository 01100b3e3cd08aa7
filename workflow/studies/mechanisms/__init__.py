"""Does the ranking of the methods hold for data that are not noisy codes? Our own question.

The same random graphs with three mechanisms: discrete tables with noise around their codes, as in Fu 2005, and linear
and additive structural equations.
"""
