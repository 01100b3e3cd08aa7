"""Directed acyclic graphs, their equivalence classes, how they are compared, and rows of files; imports base.

Adjacency matrices are bool [n, n]: ``a[i, j]`` is the arc i -> j; in a partially directed graph both ``a[i, j]`` and
``a[j, i]`` true is an undirected edge.
"""
