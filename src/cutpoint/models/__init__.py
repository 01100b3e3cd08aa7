"""Fitted networks: graph, thresholds and tables; queries, interventions, and files in several formats."""
