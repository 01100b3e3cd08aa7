"""Makes the tables, figures and claims of a study from its metrics."""
