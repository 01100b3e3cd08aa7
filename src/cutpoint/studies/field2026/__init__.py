"""Which discretization, score and search recover the structure, and which methods that do not discretize? Our own question.

Every discretization with every score and search, methods that choose thresholds and graph together, and methods without
any, on networks of 6 to 100 variables, five numbers of records and six ways in which data come about.
"""
