"""Directed acyclic graphs, their equivalence classes, distances between them, and tables of edges.

Adjacency matrices are bool [n, n]: ``a[i, j]`` is the arc i -> j; in a partially directed graph both ``a[i, j]`` and
``a[j, i]`` true is an undirected edge.
"""
