"""How probable graphs, kinds of models and thresholds are: draws from one posterior over all three."""
