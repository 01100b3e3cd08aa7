"""The Parquet files that pass between the rules of the workflow, and the registry of real data sets."""
