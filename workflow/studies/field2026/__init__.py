"""Which discretization, score and search recover the structure, and what if nothing is discretized? Our own question.

Every discretization with every score and search, methods that choose thresholds and graph together, and methods without
any, on networks of 5 to 107 variables, five numbers of records and eight ways in which data come about.
"""
