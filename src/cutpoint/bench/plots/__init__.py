"""The figures of studies, drawn in the style of `cutpoint.plots`."""
