"""Runs of the growth study whose times follow power laws that are known beforehand."""

from itertools import product

import numpy as np
from synthetic import of_study

from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inputs import MethodLabel
from cutpoint.networks.network import Network

GROUPS = declared("growth").groups
EXACT, GREEDY, (OPTIMUM,) = GROUPS["exact"], GROUPS["greedy"], GROUPS["optimum"]
SIZES, COUNTS = (250, 500, 1000, 2000), (10, 20, 40)
# exponent in records, exponent in variables, seconds at 1000 records and 20 variables
LAWS = {
    **dict.fromkeys(GROUPS["binned"], (0.5, 1.5, 0.02)),
    "hartemink": (1.0, 2.0, 0.1),
    **dict.fromkeys(GROUPS["mixtures"], (1.0, 1.2, 0.3)),
    **dict.fromkeys(GREEDY, (1.1, 1.8, 0.1)),
    **dict.fromkeys(EXACT, (2.0, 1.8, 0.5)),
    "bach": (0.8, 2.2, 0.05),
    OPTIMUM: (0.3, 5.0, 0.5),
    "quick": (1.0, 1.0, 0.0002),
}


def network_of(nodes):
    names = tuple(f"X{i}" for i in range(nodes))
    return Network("random", names, (("a", "b"),) * nodes, ((),) * nodes, (np.array([0.5, 0.5]),) * nodes)


def rows(laws, replicates, jitter, seed=0):
    rng = np.random.default_rng(seed)
    cells = [("records", "child", n, 20) for n in SIZES] + [("variables", f"r{v}", 1000, v) for v in COUNTS]
    runs = product(laws.items(), cells, range(replicates))
    for (method, (records, variables, start)), (grid, network, n, v), r in runs:
        seconds = start * (n / 1000) ** records * (v / 20) ** variables * np.exp(jitter * rng.normal())
        row = {"study": "growth", "grid": grid, "cell": f"{network}-n{n}", "network": network, "n": n}
        row |= {"replicate": r, "method": method, "seconds": seconds, "status": "ok"}
        if method == OPTIMUM and v > 25:
            row |= {"status": "error", "message": "exact: 40 variables need 9 MB", "seconds": None}
        yield row


def inputs(laws=LAWS, replicates=3, jitter=0.0):
    runs = list(rows(laws, replicates, jitter))
    networks = {"child": network_of(20)} | {f"r{v}-{r}": network_of(v) for v in COUNTS for r in range(replicates)}
    methods = [MethodLabel(name, name, "integrated" if name in (*GREEDY, *EXACT) else "direct") for name in laws]
    return of_study("growth", runs, methods, replicates, networks=networks)
