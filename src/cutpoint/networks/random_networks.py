"""Random Bayesian networks with bounded in-degree, after Ide, Cozman and Ramos (ECAI 2004), or of a given strength."""

from collections.abc import Sequence
from math import inf
from numbers import Real
from typing import Annotated

import numpy as np
from annotated_types import Len

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator
from cutpoint.graphs.dags import topological_order
from cutpoint.networks.network import Network
from cutpoint.options import AboveZero

Range = Annotated[Sequence[float], Len(2, 2)]
Whole = Annotated[Sequence[int], Len(2, 2)]

# Proposed moves are this times n^2, the burn-in of Ide and Cozman's program as bnlearn takes it over. Degrees,
# sources and longest paths have the means of a far longer chain after 1 n^2 already (n = 30, 36 and 56 arcs).
_MOVES = 6
_TOGETHER = 100_000  # moves, at a time, as numbers of Python's
_RECORDS = 5000  # by which frequencies of configurations of parents are known
MOST = 0.95  # of its variance that a variable owes to its parents
_FAINT, _SHARP = -8.0, 1.0  # logarithms of the powers that are tried: from nearly uniform rows on, not to certain ones
_STEPS = 40  # halvings of that range
_FLOOR = 1e-4  # of probabilities before a power is taken, so that zeros can be weakened too


def random_network(
    seed: int | Sequence[int] | np.random.SeedSequence | np.random.Generator,
    name: str = "random",
    *,
    nodes: Whole = (10, 30),
    density: Range = (1.2, 1.87),
    arcs: Whole = (12, 56),
    max_parents: int = 6,
    domains: Whole = (2, 5),
    scale_free: bool = False,
    strength: AboveZero | None = None,
) -> Network:
    """Draw a network; the defaults are those of Mabrouk et al. (2015), section 4.

    The number of nodes n is uniform, that of arcs is round(d n) with d uniform, kept within ``arcs``. The
    graph comes from a Markov chain whose limit is the uniform distribution over the connected DAGs with
    so many arcs and bounded in-degree. The numbers of states are uniform and each row of a table is uniform
    over the probability vectors, Dirichlet(1, .., 1).

    Ranges are (lowest, highest), both included; an InputError says what is none, or that no connected DAG has the arcs.
    The variables are X01, X02, ... in no causal order, their states s0, s1, ...

    Args:
        seed, name: anything that `numpy.random.default_rng` takes; of the network.
        nodes, domains: ranges of the numbers of variables and of states, at least 2.
        density, arcs: ranges of the number of arcs per node, and of all.
        max_parents: the most parents that a variable may have.
        scale_free: draw the graph by preferential attachment (Barabasi and Albert 1999) instead: variables come one
            after another, each with parents among the earlier ones, drawn with probabilities proportional to their
            numbers of neighbours.
        strength: nats per arc: the logarithms of the tables are instead sums of a normal effect of each parent, as
            large as it takes for the mutual information of the variable and its parents to be this times their number.

    Examples:
        >>> cp.random_network(seed=1, nodes=(10, 10))
        <Network random: 10 variables, 15 arcs, 489 parameters>
    """
    check_bounds(nodes, density, arcs, max_parents, domains)
    rng = generator(seed)
    n = int(rng.integers(nodes[0], nodes[1], endpoint=True))
    m = arcs_of(n, rng.uniform(density[0], density[1]), arcs)
    dag = (_scale_free_dag if scale_free else _random_dag)(rng, n, m, max_parents)
    parents = [tuple(np.flatnonzero(above).tolist()) for above in dag.T]
    sizes = rng.integers(domains[0], domains[1], size=n, endpoint=True).tolist()
    tables = [rng.dirichlet(np.ones(sizes[i]), [sizes[p] for p in parents[i]]) for i in range(n)]
    if strength is not None:
        tables = _of_strength([_with_effects(t, rng) for t in tables], dag, strength, rng)
    width = max(2, len(str(n)))
    return Network(
        name=name,
        variables=tuple(f"X{i + 1:0{width}d}" for i in range(n)),
        states=tuple(tuple(f"s{k}" for k in range(size)) for size in sizes),
        parents=tuple(parents),
        tables=tuple(tables),
    )


def check_bounds(nodes: Range, density: Range, arcs: Range, max_parents: int, domains: Range) -> None:
    """Raise InputError for options of `random_network` that no network meets."""
    limits = {"nodes": (nodes, 2), "density": (density, 0), "arcs": (arcs, 1), "domains": (domains, 2)}
    for option, (bounds, least) in limits.items():
        pair = isinstance(bounds, Sequence) and len(bounds) == 2 and all(isinstance(b, Real) for b in bounds)
        if not pair or not least <= bounds[0] <= bounds[1] < inf:
            raise InputError(f"{option} must be two numbers of at least {least}, the lower first, not {bounds!r}")
        if option != "density" and any(bound != int(bound) for bound in bounds):
            raise InputError(f"{option} must be a range of whole numbers, not {list(bounds)}")
    if not isinstance(max_parents, Real) or max_parents < 1 or max_parents != int(max_parents):
        raise InputError(f"max_parents must be a whole number of at least 1, not {max_parents}")
    for n in range(int(nodes[0]), int(nodes[1]) + 1):
        few, many = (arcs_of(n, d, arcs) for d in density)
        if few < n - 1:
            option = "arcs" if arcs[1] < n - 1 else "density"
            raise InputError(f"{option}: {few} arcs cannot connect {n} nodes")
        if many > (most := n * (n - 1) // 2):
            option = "arcs" if arcs[0] > most else "density"
            raise InputError(f"{option}: {n} nodes have at most {most} arcs, not {many}")
        if many > (most := sum(min(i, max_parents) for i in range(n))):
            limit = f"at most {max_parents} parents have at most {most} arcs"
            raise InputError(f"max_parents: {n} nodes with {limit}, not {many}")


def arcs_of(n: int, density: float, arcs: Range) -> int:
    """Return the number of arcs of a network of n nodes: its density times n, within the range."""
    return int(min(max(round(density * n), arcs[0]), arcs[1]))


def _with_effects(table: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a table in which each parent has an effect of its own; one without parents has a flat Dirichlet row."""
    if table.ndim == 1:
        return rng.dirichlet(np.full(len(table), 5.0))
    logs = np.zeros(table.shape)
    for axis, size in enumerate(table.shape[:-1]):
        shape = [1] * table.ndim
        shape[axis], shape[-1] = size, table.shape[-1]
        effects = rng.standard_normal(shape)
        # so that no state is frequent whatever the parents are
        logs = logs + effects - effects.mean(axis, keepdims=True)
    raised = np.exp(logs)
    return raised / raised.sum(-1, keepdims=True)


def _of_strength(
    tables: list[np.ndarray], dag: np.ndarray, strength: float, rng: np.random.Generator
) -> list[np.ndarray]:
    """Return tables in which parents tell so many nats each, by records that are sampled along the way."""
    codes, tables = np.zeros((_RECORDS, len(tables)), int), list(tables)
    for i in topological_order(dag).tolist():
        parents = codes[:, dag[:, i]]
        if parents.size:
            weights = frequencies(parents, tables[i].shape[:-1])
            tables[i] = sharpened(tables[i], weights, strength * parents.shape[1])
        rows = np.atleast_2d(tables[i][tuple(parents.T)])  # a single one without parents
        codes[:, i] = (rows.cumsum(-1)[:, :-1] < rng.random(_RECORDS)[:, None]).sum(-1)
    return tables


def _scale_free_dag(rng: np.random.Generator, n: int, m: int, max_parents: int) -> np.ndarray:
    """Return a connected DAG, bool [n, n], with m arcs that grew by preferential attachment."""
    order = rng.permutation(n)
    counts = np.minimum(1, np.arange(n))  # of parents, by place in the order
    while counts.sum() < m:
        free = np.flatnonzero(counts < np.minimum(np.arange(n), max_parents))
        counts[rng.choice(free)] += 1
    degrees, dag = np.ones(n), np.zeros((n, n), bool)
    for place in range(1, n):
        shares = degrees[:place] / degrees[:place].sum()
        chosen = rng.choice(place, counts[place], replace=False, p=shares)
        degrees[chosen] += 1
        degrees[place] += len(chosen)
        dag[order[chosen], order[place]] = True
    return dag


def _random_dag(rng: np.random.Generator, n: int, m: int, max_parents: int) -> np.ndarray:
    """Return a random connected DAG with m arcs, bool [n, n].

    A move takes an arc and an ordered pair of nodes, both uniformly, and replaces the arc by the pair unless the graph
    is then no connected DAG within the bound or has the pair already. docs/methods.md shows why the limit is uniform.
    """
    arcs, parents, children = _start(rng, n, m, max_parents)
    moves = _MOVES * n * n
    taken = rng.integers(m, size=moves)
    tails = rng.integers(n, size=moves)
    heads = (tails + rng.integers(1, n, size=moves)) % n
    for first in range(0, moves, _TOGETHER):
        some = (each[first : first + _TOGETHER].tolist() for each in (taken, tails, heads))
        for k, tail, head in zip(*some, strict=True):
            if parents[head] >> tail & 1:
                continue
            old, new = arcs[k], (tail, head)
            _toggle(parents, children, *old)
            if parents[head].bit_count() < max_parents and not _leads([children], [parents], head, tail):
                _toggle(parents, children, *new)
                both = [parents, children]
                if _leads(both, both, *old):  # it was connected before
                    arcs[k] = new
                    continue
                _toggle(parents, children, *new)
            _toggle(parents, children, *old)
    return np.array([[bool(mask >> i & 1) for mask in parents] for i in range(n)])


def _toggle(parents: list[int], children: list[int], tail: int, head: int) -> None:
    """Put an arc into bit masks of parents and children, or take it out."""
    parents[head] ^= 1 << tail
    children[tail] ^= 1 << head


def _leads(ahead: list[list[int]], back: list[list[int]], start: int, goal: int) -> bool:
    """Return whether a way leads from one node to another, by bit masks of where each node leads to, or back."""
    seen, waiting = [1 << start, 1 << goal], [1 << start, 1 << goal]
    while waiting[0] and waiting[1]:
        # from both ends, each time from where fewer nodes wait
        side = int(waiting[1].bit_count() < waiting[0].bit_count())
        ways, left, new = (ahead, back)[side], waiting[side], 0
        while left:
            lowest = left & -left
            for masks in ways:
                new |= masks[lowest.bit_length() - 1]
            left ^= lowest
        if new & seen[1 - side]:
            return True
        waiting[side] = new & ~seen[side]
        seen[side] |= new
    return False


def _start(
    rng: np.random.Generator, n: int, m: int, max_parents: int
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Return a graph as its arcs and as bit masks of parents and children; each but one node has a parent."""
    order = rng.permutation(n).tolist()
    arcs = [(order[int(rng.integers(i))], order[i]) for i in range(1, n)]
    parents, children = [0] * n, [0] * n
    for tail, head in arcs:
        _toggle(parents, children, tail, head)
    pairs = [(order[i], order[j]) for j in range(n) for i in range(j)]
    for tail, head in rng.permutation(pairs).tolist():
        free = not parents[head] >> tail & 1 and parents[head].bit_count() < max_parents
        if len(arcs) < m and free:
            arcs.append((tail, head))
            _toggle(parents, children, tail, head)
    return arcs, parents, children


def information(network: Network, codes: np.ndarray) -> np.ndarray:
    """Return the mutual information of variables and their parents by records, int [N, n]: nats, float64 [n]."""
    answer = []
    for table, parents in zip(network.tables, network.parents, strict=True):
        weights = frequencies(codes[:, list(parents)], table.shape[:-1])
        answer.append(_information(table.reshape(-1, table.shape[-1]), weights))
    return np.array(answer)


def sharpened(table: np.ndarray, weights: np.ndarray, nats: float) -> np.ndarray:
    """Return a table whose rows, raised to one power, tell so many nats, as far as powers reach; weights: of rows."""
    logs = np.log(np.maximum(table.reshape(-1, table.shape[-1]), _FLOOR))
    low, high = _FAINT, _SHARP
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _information(_powered(logs, middle), weights) < nats else (low, middle)
    return _powered(logs, (low + high) / 2).reshape(table.shape)


def frequencies(codes: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Return the shares of the configurations of variables in codes, int [N, k], float64 [product of their sizes]."""
    places = np.ravel_multi_index(tuple(codes.T.astype(int)), sizes) if sizes else np.zeros(len(codes), int)
    return np.bincount(places, minlength=int(np.prod(sizes, dtype=int))) / len(codes)


def _powered(logs: np.ndarray, power: float) -> np.ndarray:
    raised = np.exp(np.exp(power) * (logs - logs.max(-1, keepdims=True)))
    return raised / raised.sum(-1, keepdims=True)


def _information(rows: np.ndarray, weights: np.ndarray) -> float:
    mean = weights @ rows
    each = np.where(rows > 0, rows * np.log(np.where(rows > 0, rows, 1.0)), 0.0)  # 0 log 0 is 0
    total = np.where(mean > 0, mean * np.log(np.where(mean > 0, mean, 1.0)), 0.0)
    return float(max(weights @ each.sum(-1) - total.sum(), 0.0))
