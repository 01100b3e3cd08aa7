"""How true the probabilities of `cp.posterior` are, beside the votes of the default and shares of 15 bootstraps.

    uv run python benchmarks/calibration.py                     # own prior and six kinds of data; 15 minutes
    uv run python benchmarks/calibration.py 2 file.py:function  # other data: function(replicates) yields them

A function yields kinds of data with values [N, n] and the true graph, bool [n, n]. Printed are, for each kind and way,
the calibration error (ECE, ten bins) and Brier score of edges, how many directions are above 0.9 and how many of these
are true, normalized SHD, the share of runs whose chains agree, and CPU seconds.
"""

import importlib.util
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator

for threads in ("OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import numpy as np

import cutpoint as cp
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.graphs.dags import topological_order
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import posterior as kernel
from cutpoint.posteriors.families import FamilyTables

VARIABLES, SIZES, ESS = 10, (300, 1000), 4.0
NOISES = {
    "noisy discrete": {"kind": "gaussian", "sigma": 0.3},
    "latent normal": {"kind": "latent_normal"},
    "linear": {"kind": "linear_sem"},
    "linear, skewed errors": {"kind": "linear_sem", "errors": "exponential"},
    "nonlinear": {"kind": "additive_sem"},
    "mixed": {"kind": "linear_sem", "discrete": 0.4},
}
Case = tuple[str, np.ndarray, np.ndarray]


def own_prior(records: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return values of levels, and their graph: all from the prior, values uniform within levels."""
    n = VARIABLES
    candidates = np.array([[j for j in range(n) if j != i] for i in range(n)])
    families = FamilyTables(candidates, 3)
    weights = np.where(families.sizes <= families.most, families.log_prior(None), -np.inf)
    layers = kernel.draw_layers(kernel.subset_sums(weights), rng.random((1, n)))[0]
    dag = kernel.draw_parents(weights, candidates, layers, rng.random(n))
    levels = rng.integers(2, 6, n)
    codes, values = np.zeros((records, n), int), np.zeros((records, n))
    for i in topological_order(dag):
        joint, cells = np.zeros(records, int), 1
        for p in np.flatnonzero(dag[:, i]):
            joint, cells = joint * levels[p] + codes[:, p], cells * levels[p]
        table = rng.dirichlet(np.full(levels[i], ESS / cells / levels[i]), cells).cumsum(axis=1)
        codes[:, i] = (rng.random(records)[:, None] > table[joint, :-1]).sum(axis=1)
        edges = np.concatenate([[0], np.sort(rng.choice(np.arange(1, 256), levels[i] - 1, replace=False)) / 256, [1]])
        values[:, i] = edges[codes[:, i]] + rng.random(records) * np.diff(edges)[codes[:, i]]
    return values, dag


def simulated(replicates: int) -> Iterator[Case]:
    """Yield values of every kind and size."""
    for replicate in range(replicates):
        for records in SIZES:
            yield "own prior", *own_prior(records, np.random.default_rng([replicate, records]))
            network = cp.random_network(replicate, nodes=(VARIABLES, VARIABLES), arcs=(12, 18), max_parents=4)
            codes = cp.sample(network, n=records, seed=replicate)
            levels = dict(zip(network.variables, map(len, network.states), strict=True))
            for name, options in NOISES.items():
                origin = Origin(1, "calibration", "random", records, replicate, "noise")
                yield name, make_continuous(codes, levels, options, origin, network).values, network.dag


def ways(values: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray, bool, float]]:
    """Yield a way, P(edge), P(i -> j), the graph, whether it converged, and CPU seconds."""
    few = [f"x{i}" for i, column in enumerate(values.T) if len(np.unique(column)) < 10]
    for name in ("posterior", "consensus", "steck3"):
        began = time.process_time()
        learned = cp.learn(values, name, discrete=few, **({"ess": ESS} if name == "posterior" else {}))
        shares, converged = learned.uncertainty and learned.uncertainty.edges, True
        if name == "posterior":
            converged = learned.uncertainty.diagnostics.converged
        elif name == "steck3":
            shares = cp.edge_confidence(values, name, samples=15, discrete=few)
        yield name, shares.adjacent, shares.directed, learned.cpdag, converged, time.process_time() - began


def error(shares: np.ndarray, true: np.ndarray) -> float:
    """Return the mean distance of shares from the share that is true, in ten bins."""
    bins = np.minimum((10 * shares).astype(int), 9)
    held = [bins == k for k in np.unique(bins)]
    return sum(each.mean() * abs(shares[each].mean() - true[each].mean()) for each in held)


def main(replicates: int, cases: Iterator[Case]) -> None:
    """Print the table."""
    found = defaultdict(list)
    for kind, values, dag in cases:
        truth, pairs, arcs = cpdag(dag), np.triu_indices(len(dag), 1), ~np.eye(len(dag), dtype=bool)
        for name, adjacent, directed, graph, converged, seconds in ways(values):
            about = cp.shd(graph, dag, "standard") / max(dag.sum(), 1), converged, seconds
            row = adjacent[pairs], (truth | truth.T)[pairs], directed[arcs], (truth & ~truth.T)[arcs], about
            for of in (kind, "all but own prior") if kind != "own prior" else (kind,):
                found[of, name].append(row)
    for (kind, name), rows in sorted(found.items()):
        p, edge, q, arc = (np.concatenate(each) for each in list(zip(*rows, strict=True))[:4])
        sure, about = arc[q > 0.9], np.mean([row[4] for row in rows], axis=0)
        text = f"ECE {error(p, edge):.3f} Brier {((p - edge) ** 2).mean():.3f} directions ECE {error(q, arc):.3f}"
        sure_text = f"above .9: {len(sure):3}, true {sure.mean() if len(sure) else np.nan:.2f}"
        print(f"{kind:22} {name:10} {text} {sure_text} SHD {about[0]:.2f} agree {about[1]:.2f} CPU {about[2]:.1f} s")


if __name__ == "__main__":
    chosen, count = simulated, int(sys.argv[1]) if len(sys.argv) > 1 else 4
    if len(sys.argv) > 2:
        path, _, function = sys.argv[2].partition(":")
        spec = importlib.util.spec_from_file_location("cases", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        chosen = getattr(module, function)
    main(count, chosen(count))
