"""The Parquet files that pass between the rules of the workflow, and what their columns mean."""
