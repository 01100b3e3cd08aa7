"""What the methods learned from the whole data, and what the artefacts say they rest on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.data.params import OWN
from cutpoint.bench.data.status import OK, UNAVAILABLE
from cutpoint.bench.engine.inputs import Data, Inputs, MethodLabel, once, short
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.knowledge import Knowledge

WHOLE, CONFIDENCE, FOLDS = "whole", "confidence", "folds"  # the grids
BOOTSTRAP = "bootstrap"


@dataclass(frozen=True, eq=False)
class Outcome:
    """How a method ended on the whole data."""

    method: MethodLabel
    graph: np.ndarray | None  # bool [n, n], its equivalence class, None where it failed
    thresholds: list[np.ndarray] | None  # a sorted array per variable, None of a method that has none
    status: str  # "ok" or how it failed
    reason: str = ""  # why there is no graph, or ""
    learned: np.ndarray | None = None  # bool [n, n], the graph as the method gave it, a DAG or a pattern
    kinds: list[str] | None = None  # see `cutpoint.Learned`


def data(inputs: Inputs) -> Data:
    """Return the user's data, without values where they could not be had."""
    return inputs.datasets[OWN]


def continuous(table: Data) -> list[int]:
    """Return the places of the columns that were discretized."""
    return np.flatnonzero(~table.discrete).tolist()


def lost(inputs: Inputs, grid: str) -> str:
    """Return why nothing is known of a grid, or ""."""
    table = data(inputs)
    return inputs.missing(grid) if table.status == OK else short(table.message or table.status)


def resample_of(inputs: Inputs, grid: str) -> str:
    """Return the kind of resamples that a grid was run on, "" for the whole data."""
    return next(iter(inputs.runs(grid)["cell"]), "").removeprefix(OWN).removeprefix("-")


def part_of(inputs: Inputs) -> int:
    """Return the records of each bootstrap sample where these are fewer than those of the data, else 0."""
    drawn = inputs.runs(CONFIDENCE)["n"].to_numpy()
    if resample_of(inputs, CONFIDENCE) != BOOTSTRAP or not len(drawn):
        return 0
    return int(drawn[0]) if drawn[0] < len(data(inputs).values) else 0


def basis(inputs: Inputs, grids: Sequence[str]) -> RunScale:
    """Return the scale of what rests on a grid: its resamples or folds, none of the whole data."""
    (grid,) = grids
    count = inputs.runs(grid)["replicate"].nunique() if grid != WHOLE else 0
    kind = resample_of(inputs, grid)
    size = f"{part} of " if (part := part_of(inputs)) else ""
    what = {CONFIDENCE: f"{count} {kind} resamples of {size}", FOLDS: f"{count} folds of "}.get(grid, "")
    about, seed = inputs.scale, inputs.scale.seed
    records = f"{what}{len(data(inputs).values)} records; seed {seed}."
    return RunScale(about.name, seed, count, records[:1].upper() + records[1:])


@once
def outcomes(inputs: Inputs) -> list[Outcome]:
    """Return how every method ended on the whole data, in the order of the methods."""
    return [_outcome(inputs, method) for method in inputs.methods]


def _outcome(inputs: Inputs, method: MethodLabel) -> Outcome:
    if why := lost(inputs, WHOLE) or ("no results of the whole data" if inputs.results is None else ""):
        return Outcome(method, None, None, UNAVAILABLE, why)
    assert inputs.results is not None
    key, names = (method.name, OWN, 0), data(inputs).variables
    run = inputs.results.run(key)
    if run["status"] != OK:
        return Outcome(method, None, None, run["status"], short(run.get("message") or run["status"]))
    graph = inputs.results.graph(key, names)
    # a method without thresholds has no number of levels
    thresholds = None if run.get("levels") is None else inputs.results.thresholds(key, names)
    pattern = cpdag(graph) if run["kind"] == "dag" else graph
    if knowledge := data(inputs).knowledge:
        pattern = Knowledge(knowledge).oriented(pattern, names)
    return Outcome(method, pattern, thresholds, OK, learned=graph, kinds=inputs.results.kinds(key, names))


def truth(inputs: Inputs) -> np.ndarray | None:
    """Return the equivalence class of the true network between the columns of the data, None without one."""
    network = inputs.networks.get(data(inputs).truth or "")
    return None if network is None else cpdag(network.dag_of(data(inputs).variables))
