"""Small experiments of the Tran study."""

from cutpoint.bench.studies.tran2013.experiments import EXPERIMENTS
from synthetic import published

from cutpoint.bench.artefacts.table import Scale
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inputs import Inputs

SMALL = {
    "graph_scores": {"records": 20_000, "samples": 3},
    "removals": {"records": 50_000, "samples": 3},
    "explosions": {"records": 500, "values": [4, 6], "weights": [1, 100_000], "samples": 2},
    "recovery": {"records": [100, 10_000], "values": [4, 6], "samples": 10},
}


def results():
    """The rows of all experiments."""
    return {name: experiment(1, **SMALL[name]) for name, experiment in EXPERIMENTS.items()}


def inputs(experiments):
    """Inputs with the printed tables."""
    return Inputs(
        declared("tran2013"), {}, {}, {}, published("tran2013"), [], Scale("quick", 1, 0), experiments=experiments
    )
