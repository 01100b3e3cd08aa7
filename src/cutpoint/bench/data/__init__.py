"""The Parquet files between the rules: how they are written, read and explained; what is known of real data sets."""
