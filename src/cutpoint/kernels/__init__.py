"""Loops that numba compiles, arrays in and out, no checks; a kernel calls those of its own file and imports no room."""
