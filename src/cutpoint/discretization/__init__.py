"""Discretization of continuous variables, before the structure search or alternating with it."""
