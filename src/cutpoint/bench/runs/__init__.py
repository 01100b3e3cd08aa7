"""Runs of methods and external programs on data sets under limits of time and memory."""
