"""The style of all figures, and the drawing of a fitted network; with `cutpoint.bench.plots` all that draws."""
