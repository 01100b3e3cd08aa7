"""The skeleton of PC in plain Python, for tests of both of its independence tests."""

from itertools import combinations

import numpy as np


def complete(n):
    """Return the pairs that may be neighbours, all, and those that are without a test, none: bool [n, n] each."""
    return ~np.eye(n, dtype=bool), np.zeros((n, n), bool)


def slow_skeleton(n, independent, union, stable):
    """Return neighbours, separating sets and the number of tests; independent(x, y, set) is None without a test."""
    adjacent = [set(range(n)) - {v} for v in range(n)]
    sets, tests, size = {}, 0, 0
    while any(len(a) > size for a in _pools(adjacent, union)):
        neighbours = [set(a) for a in adjacent] if stable else adjacent
        for x, y in combinations(range(n), 2):
            if y not in adjacent[x]:
                continue
            sides = (neighbours[x], neighbours[y])
            sides = [sides[0] | sides[1]] if union else sides
            subsets = [s for side in sides for s in combinations(sorted(side - {x, y}), size)]
            for chosen in dict.fromkeys(subsets):
                verdict = independent(x, y, chosen)
                tests += verdict is not None
                if verdict:
                    adjacent[x].remove(y)
                    adjacent[y].remove(x)
                    sets[x, y] = chosen
                    break
        size += 1
    return adjacent, sets, tests


def _pools(adjacent, union):
    """Return the conditioning candidates of each edge, with one more for the edge itself."""
    for x, neighbours in enumerate(adjacent):
        for y in neighbours:
            yield (adjacent[x] | adjacent[y]) - {x} if union else adjacent[x]


def assert_same_skeleton(result, twin):
    adjacent, where, sets, tests = result
    slow, slow_sets, slow_tests = twin
    assert [set(np.flatnonzero(row)) for row in adjacent] == slow
    for (x, y), expected in slow_sets.items():
        begin, end = where[x, y]
        assert tuple(sets[begin:end]) == expected
        assert where[y, x].tolist() == [begin, end]
    assert tests == slow_tests
