"""Tables of values: users' files, frames, public data sets, missing cells, samples."""
