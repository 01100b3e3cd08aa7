"""The style of all figures, and drawings of graphs and fitted networks; figures of studies are in `bench.plots`."""
