"""The figures of studies; with `cutpoint.plots` all that draws."""
