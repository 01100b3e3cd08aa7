"""How the CPU time of every method grows with the number of records and of variables.

Our own question: papers print times of single sizes, and an implementation shows its design in the exponents.
"""
