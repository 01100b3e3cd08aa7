"""Tables of values: of users, of public data sets, and the Parquet files between jobs; imports graphs, base."""
