"""Metrics of a learned graph and its thresholds, one data set at a time."""
