"""Small experiments of the Tran study."""

from cutpoint.bench.studies.tran2013.experiments import EXPERIMENTS
from synthetic import of_study

SMALL = {
    "graph_scores": {"records": 20_000, "samples": 3},
    "removals": {"records": 50_000, "samples": 3},
    "explosions": {"records": 500, "values": [4, 6], "weights": [1, 100_000], "samples": 2},
    "recovery": {"records": [100, 10_000], "values": [4, 6], "samples": 10},
    "readings": {"records": 20_000, "samples": 2},
}


def results():
    """The rows of all experiments."""
    return {name: experiment(1, **SMALL[name]) for name, experiment in EXPERIMENTS.items()}


def inputs(experiments):
    """Inputs with the printed tables."""
    return of_study("tran2013", scale="quick", experiments=experiments)
