"""How cost grows up to a thousand variables, or a million records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import pyarrow as pa
from annotated_types import MinLen
from pyarrow.csv import write_csv

from cutpoint.base.seeds import generator_for
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.warm import warm_all
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import encode
from cutpoint.method.rows import method_of
from cutpoint.options import AtLeast1

STUDY = "growth"
PEER = "pyAgrum"  # hill climbing on three levels of equal frequency, as eqfreq3
NEAR = 10  # a variable has its parents among so many before it

Record = dict[str, float | int | str | None]
Names = Annotated[Sequence[str], MinLen(1)]
Counts = Annotated[Sequence[AtLeast1], MinLen(1)]


def large(
    seed: int,
    limits: Limits,
    *,
    methods: Names,
    variables: Counts = (50, 100, 200, 500, 1000),
    records: Counts = (10_000, 100_000, 1_000_000),
) -> list[Record]:
    """Measure methods, and pyAgrum, with more variables of the fewest records and more records of the fewest variables.

    Each run is a child process. A method that did not end at one size is not run at larger ones.

    Args:
        seed: of the data.
        limits: of each of these processes.
        methods: rows of methods.yaml.
        variables, records: sizes, rising.

    Returns:
        A row per method and size: how the run ended (`status`, `message`), CPU `seconds`, start-up and pyAgrum's
        reading of a file of codes included, and `peak_mb`, the most memory that it held, its data included; None
        unless the status is ok.
    """
    known: dict[str, Callable] = {name: method_of(name, {}).learn for name in methods}
    warm_all([method_of(name, {}) for name in methods], limits)
    known[PEER] = _peer
    rows: list[Record] = []
    for direction in ([(v, records[0]) for v in variables], [(variables[0], n) for n in records]):
        left = dict(known)
        for n, size in direction:
            values = draw(seed, n, size)
            for name, learn in list(left.items()):
                run = supervise.call(_run, learn, values, wall=limits.wall, mb=limits.mb)
                ended, held = run.status == "ok", run.peak_mb + values.nbytes / 2**20
                rows.append({
                    "method": name, "variables": n, "records": size, "status": run.status, "message": run.message,
                    "seconds": run.cpu_seconds if ended else None, "peak_mb": held if ended else None,
                })  # fmt: skip
                if not ended:
                    del left[name]
    return rows


def draw(seed: int, variables: int, records: int) -> np.ndarray:
    """Return records of a linear Gaussian network, float64 [N, n], with up to two parents near by a variable."""
    rng = generator_for(seed, STUDY, "large", variables, records)
    values = np.empty((records, variables), order="F")
    for i in range(variables):
        near = np.arange(max(0, i - NEAR), i)
        parents = rng.choice(near, min(2, near.size), replace=False)
        values[:, i] = rng.standard_normal(records) + 0.7 * values[:, parents].sum(axis=1)
        values[:, i] /= values[:, i].std()
    return values


def _run(learn: Callable, values: np.ndarray) -> None:
    learn(values, np.zeros(values.shape[1], bool))


def _peer(values: np.ndarray, discrete: np.ndarray) -> None:
    import pyagrum

    codes = encode(values, equal_frequency(values, discrete, bins=3))
    columns = {f"v{i}": codes[:, i] for i in range(codes.shape[1])}
    with TemporaryDirectory() as folder:
        file = str(Path(folder, "codes.csv"))
        write_csv(pa.table(columns), file)
        learner = pyagrum.BNLearner(file)
    learner.setNumberOfThreads(1)
    learner.useScoreBDeu()
    learner.useGreedyHillClimbing()
    learner.learnDAG()


EXPERIMENTS: Mapping[str, Callable[..., list[Record]]] = {"large": large}
