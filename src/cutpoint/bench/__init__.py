"""The benchmark: studies as a workflow, from simulated data to tables, figures, claims and the report."""
