"""Loops that numba compiles, arrays in and out, no checks; a kernel calls only those of its own file."""
