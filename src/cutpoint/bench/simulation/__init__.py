"""Simulation of continuous data: noise around codes, intervals, structural equations, measurement, missing cells."""
