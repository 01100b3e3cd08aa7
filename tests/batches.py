"""Results of a batch as learning leaves them, for tests of what is made of them: runs, edges and thresholds."""

import numpy as np

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs import runner
from cutpoint.graphs.patterns import cpdag

FILES = ("runs", "edges", "thresholds")


def write_results(folder, cell, variables, dag, cuts, replicates):
    """Write what six methods made of each replicate; "slow" timed out, "blind" has no graph, "direct" no thresholds."""
    cycle = dag | np.roll(np.eye(len(dag), dtype=bool), 1, axis=1)
    graphs = {"truth": dag, "pattern": cpdag(dag), "direct": dag, "blind": None, "cyclic": cycle}
    runs, edges, thresholds = [], [], []
    for r in replicates:
        for method, graph in graphs.items():
            key = {"method": method, "cell": cell, "replicate": r}
            kind = None if graph is None else "pdag" if method == "pattern" else "dag"
            levels = None if method == "direct" else 3.0
            runs.append(key | {"status": "ok", "message": "", "kind": kind, "levels": levels})
            edges += [] if graph is None else runner.edge_rows(key, variables, graph)
            thresholds += [] if levels is None else runner.threshold_rows(key, variables, cuts)
        slow = {"method": "slow", "cell": cell, "replicate": r}
        runs.append(slow | {"status": "timeout", "message": "over 60 s"})
    for name, rows in zip(FILES, (runs, edges, thresholds), strict=True):
        parquet.write_records(folder / f"{name}.parquet", rows, getattr(schemas, name.upper()))


def read_results(folder):
    return Results(*([folder / f"{name}.parquet"] for name in FILES), ())


def of(rows, method, **more):
    return [row for row in rows if row["method"] == method and all(row[k] == v for k, v in more.items())]
