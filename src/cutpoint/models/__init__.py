"""Fitted networks: graph, thresholds and tables, what can be asked of them, and the files they go to."""
