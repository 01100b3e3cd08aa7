"""Thresholds and structure chosen together by predictive accuracy.

H. Steck and T. S. Jaakkola, "Predictive discretization during model selection", AISTATS 2007, section 6.
"""
