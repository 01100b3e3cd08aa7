"""Slow, obvious twins of what the package computes fast, written from the formulas alone."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations

import numpy as np


def families(dag):
    """Yield (child, parents) of a graph."""
    for child in range(len(dag)):
        yield child, [p for p in range(len(dag)) if dag[p][child]]


def counts(codes, child, parents):
    """Return N_ijk as a dict from configuration to a dict from level to count."""
    table = {}
    for record in np.asarray(codes).tolist():
        table.setdefault(tuple(record[p] for p in parents), Counter())[record[child]] += 1
    return table


def log_likelihood(codes, child, parents):
    """Return sum of N_ijk ln(N_ijk / N_ij)."""
    return sum(
        n * math.log(n / sum(row.values())) for row in counts(codes, child, parents).values() for n in row.values()
    )


def parameters(cardinalities, child, parents, full=False):
    """Return q (r - 1), or q r."""
    return math.prod(int(cardinalities[p]) for p in parents) * (int(cardinalities[child]) - (not full))


def bdeu(codes, cardinalities, child, parents, ess):
    """Return the BDeu score of one family."""
    q = math.prod(int(cardinalities[p]) for p in parents)
    r = int(cardinalities[child])
    total = 0.0
    for row in counts(codes, child, parents).values():
        total += math.lgamma(ess / q) - math.lgamma(ess / q + sum(row.values()))
        for n in row.values():
            total += math.lgamma(ess / (q * r) + n) - math.lgamma(ess / (q * r))
    return total


def k2(codes, cardinalities, child, parents):
    """Return the K2 score of one family: (r - 1)! / (N_ij + r - 1)! times the factorials of N_ijk."""
    r = int(cardinalities[child])
    total = 0.0
    for row in counts(codes, child, parents).values():
        total += math.log(math.factorial(r - 1)) - math.log(math.factorial(sum(row.values()) + r - 1))
        total += sum(math.log(math.factorial(n)) for n in row.values())
    return total


def compositions(n, parts):
    """Yield all ways to write n as an ordered sum of so many numbers of at least 0."""
    if parts == 1:
        yield (n,)
    else:
        for first in range(n + 1):
            yield from ((first, *rest) for rest in compositions(n - first, parts - 1))


@cache
def log_complexity(n, levels):
    """Return ln of the sum, over all samples of n records, of their maximised multinomial likelihoods."""
    total = 0.0
    for split in compositions(n, levels):
        ways = math.factorial(n) / math.prod(math.factorial(h) for h in split)
        total += ways * math.prod((h / n) ** h for h in split)
    return math.log(total)


def acyclic(arcs, n):
    """Tell whether some order of the nodes agrees with all arcs."""
    return any(all(order.index(x) < order.index(y) for x, y in arcs) for order in permutations(range(n)))


def neighbours(dag):
    """Yield all graphs that differ from a DAG by one addition, deletion or reversal, as (kind, x, y, arcs)."""
    n = len(dag)
    arcs = {(x, y) for x in range(n) for y in range(n) if dag[x][y]}
    for x in range(n):
        for y in range(n):
            if x == y:
                continue
            if (x, y) in arcs:
                moves = [("delete", arcs - {(x, y)}), ("reverse", arcs - {(x, y)} | {(y, x)})]
            elif (y, x) not in arcs:
                moves = [("add", arcs | {(x, y)})]
            else:
                moves = []
            for kind, changed in moves:
                if acyclic(changed, n):
                    yield kind, x, y, changed


def by_class(n, class_of):
    """Return lists of the DAGs of n nodes by their class, which a function tells."""
    classes = {}
    for dag in enumerate_dags(n):
        classes.setdefault(class_of(dag), []).append(dag)
    return classes


def random_dag(rng, n, density=0.5):
    order = rng.permutation(n)
    return np.triu(rng.random((n, n)) < density, 1)[np.ix_(order, order)]


def joint_of(network):
    """The joint distribution by multiplying the tables, one axis per variable."""
    joint = np.zeros([len(states) for states in network.states])
    for cell in np.ndindex(joint.shape):
        factors = zip(network.tables, network.parents, cell, strict=True)
        joint[cell] = math.prod(table[(*(cell[p] for p in parents), code)] for table, parents, code in factors)
    return joint


def entropy(labels):
    return -sum(m / len(labels) * math.log2(m / len(labels)) for m in Counter(labels).values())


def slow_mdlp(x, y):
    """Return the thresholds of sorted values, as in Fayyad and Irani (1993), in bits."""
    n = len(x)
    places = [i for i in range(1, n) if x[i - 1] < x[i]]
    if not places:
        return []

    def inside(i):
        return i / n * entropy(y[:i]) + (n - i) / n * entropy(y[i:])

    best = next(i for i in places if inside(i) < min(map(inside, places)) + 1e-9)
    k, one, two = (len({*part}) for part in (y, y[:best], y[best:]))
    delta = math.log2(3**k - 2) - (k * entropy(y) - one * entropy(y[:best]) - two * entropy(y[best:]))
    if entropy(y) - inside(best) <= (math.log2(n - 1) + delta) / n + 1e-9:
        return []
    return [*slow_mdlp(x[:best], y[:best]), (x[best - 1] + x[best]) / 2, *slow_mdlp(x[best:], y[best:])]


def enumerate_dags(n: int) -> Iterator[np.ndarray]:
    """Yield every labelled DAG on n <= 5 nodes once, bool [n, n]: 543 for n = 4, 29281 for n = 5."""
    rows, columns = np.triu_indices(n, 1)
    upper = np.zeros((1 << len(rows), n, n), bool)
    upper[:, rows, columns] = np.arange(len(upper))[:, None] >> np.arange(len(rows)) & 1
    ordered = np.concatenate([upper[:, order][:, :, order] for order in map(list, permutations(range(n)))])
    yield from np.unique(ordered.reshape(len(ordered), n * n), axis=0).reshape(-1, n, n) if n else ordered
