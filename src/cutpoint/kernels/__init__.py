"""Loops that numba compiles, arrays in, arrays out; a kernel calls only kernels of its own file and imports no room."""
