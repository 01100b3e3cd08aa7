"""The lecture notes of Mauá (2018), cited in study.yaml, which print no table.

Their scores and searches are in the registry, their exercises are tests, and their one figure is here.
"""
