"""What do the orders of variances and of R2 give away of the equations of `field2026`?

    uv run python benchmarks/sortability.py [--records 1000] [--graphs 2]

Reisach, Seiler and Weichwald (2021, 2023): where causes have less variance than effects, or are explained less well by
all other columns, an order by it learns directions that are in no real data. Each order is a tier a column for lines by
hill climbing (`gaussian_bic`); beside them a random order, the true one, none, and the default. SHD over true edges.
"""

import argparse
from pathlib import Path

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import numpy as np
import pandas as pd

import cutpoint as cp
from cutpoint.base.checking import read_yaml
from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.networks.network import Network, network, sample
from cutpoint.networks.random_networks import random_network

STUDY = read_yaml(Path(__file__).parents[1] / "workflow" / "studies" / "field2026" / "study.yaml")
KINDS = ("linear", "skewed_errors", "nonlinear")
SEED = 2005


def true_network(name: str, graph: int) -> Network:
    """Return a published network, or one of a family, other ones than those of the study."""
    if family := STUDY["random_networks"].get(name):
        return random_network(seed_sequence(SEED, "sortability", name, graph), name=name, **family)
    return network(name)


def drawn(true: Network, kind: str, records: int, graph: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a data set of equations as the study makes them, and its true graph."""
    codes = sample(true, records, seed_sequence(SEED, "sortability", true.name, kind, graph))
    cardinalities = dict(zip(true.variables, map(int, true.cardinalities), strict=True))
    origin = Origin(SEED, "sortability", true.name, records, graph, "noise")
    values, _, _ = make_continuous(codes, cardinalities, STUDY["noises"][kind], origin, true)
    return pd.DataFrame(values, columns=list(true.variables)), true.dag


def orders(frame: pd.DataFrame, dag: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return the places of columns in each order."""
    explained = 1 - 1 / np.diag(np.linalg.inv(np.corrcoef(frame.to_numpy().T)))
    depth, reach = np.zeros(len(dag)), dag.copy()
    for _ in range(len(dag)):
        depth, reach = depth + reach.any(axis=0), reach @ dag
    return {
        "rising variance": np.argsort(frame.var().to_numpy()),
        "rising R2": np.argsort(explained),
        "falling R2": np.argsort(-explained),
        "at random": rng.permutation(len(dag)),
        "true": np.argsort(depth, kind="stable"),
    }


def losses(frame: pd.DataFrame, dag: np.ndarray, rng: np.random.Generator) -> dict[str, float]:
    """Return the SHD over the true edges of each order, of no order and of the default."""
    names, edges = [*frame], dag.sum()
    found = {"none": cp.learn(frame, "gaussian_bic"), "the default": cp.learn(frame)}
    for name, places in orders(frame, dag, rng).items():
        known = cp.Knowledge(tiers=[[names[i]] for i in places])
        found[name] = cp.learn(frame, "gaussian_bic", knowledge=known)
    return {name: cp.shd(one.cpdag, cp.cpdag(dag)) / edges for name, one in found.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--graphs", type=int, default=2)
    chosen, rows = parser.parse_args(), []
    for name in STUDY["grids"]["field"]["networks"]:
        for kind, graph in ((kind, graph) for kind in KINDS for graph in range(chosen.graphs)):
            frame, dag = drawn(true_network(name, graph), kind, chosen.records, graph)
            rng = generator_for(SEED, "sortability", name, kind, graph)
            rows += [(kind, name, order, loss) for order, loss in losses(frame, dag, rng).items()]
    table = pd.DataFrame(rows, columns=["data", "network", "order", "SHD"])
    print(table.pivot_table("SHD", "order", "data", margins=True, margins_name="all").sort_values("all").round(2))
