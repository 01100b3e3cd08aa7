"""From metrics to the tables, figures and claims that a study declares; imports every room but workflow."""
