"""Tables of values: users' files and frames, public data sets, missing cells, samples of records; imports graphs, base."""
