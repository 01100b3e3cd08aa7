"""Runs of methods on data sets under limits of time and memory, also of others' programs; imports method and below."""
