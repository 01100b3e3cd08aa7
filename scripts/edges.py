"""Count how often each edge was learned from the resamples of a data set."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.evaluation.rows import graph_of_rows
from cutpoint.bench.runs.jobs import job
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.knowledge import Knowledge

if TYPE_CHECKING:
    import numpy as np


def count(
    runs: Iterable[str],
    edges: Iterable[str],
    output: str,
    *,
    data: Collection[str],
    datasets: Mapping[str, str],
    built_in_jobs: Collection[str],
) -> None:
    """Write the shares of the good runs that have an edge, by cell, method and pair of variables.

    Args:
        datasets: name of the data set by cell.
        data, built_in_jobs: as `Results` takes them.
    """
    sound, learned = Results(runs, edges, [], built_in_jobs, data).sound()
    counted = [row for row in sound if row["cell"] in datasets]
    contents = (part.metadata.get("knowledge") for path in data for part in parquet.open_parts(path))
    knowledge = next((Knowledge(content) for content in contents if content), None)
    rows = edge_shares(counted, learned, knowledge.oriented if knowledge else None)
    shares = [{"dataset": datasets[row["cell"]], **row} for row in rows]
    parquet.write_records(output, shares, schemas.EDGE_SHARES)


def edge_shares(
    runs: Iterable[schemas.Row],
    edges: Iterable[schemas.Row],
    oriented: "Callable[[np.ndarray, Sequence[str]], np.ndarray] | None" = None,
) -> list[schemas.Row]:
    """Return how often each pair of variables is joined, by cell and method; the rows of `schemas.EDGE_SHARES`.

    Counted are the edges of the equivalence class, over the runs that succeeded, rows of `schemas.RUNS` and `EDGES`.
    Pairs that are never joined have no row. oriented: gives a class, bool [n, n], of n names the directions that follow
    from what is known beforehand.
    """
    of_run, shares = defaultdict[tuple, list[schemas.Row]](list), list[schemas.Row]()
    for row in edges:
        of_run[row["cell"], row["method"], row["replicate"]].append(row)
    good = sorted((run["cell"], run["method"], run["replicate"], run["kind"]) for run in runs if run["status"] == "ok")
    for (cell, method), some in groupby(good, itemgetter(0, 1)):
        learned = [(kind, of_run[cell, method, replicate]) for *_, replicate, kind in some]
        names = sorted({row[end] for _, rows in learned for row in rows for end in ("source", "target")})
        graphs = [(kind, graph_of_rows(rows, names, f"{method} on {cell}")) for kind, rows in learned]
        classes = [cpdag(graph) if kind == "dag" else graph for kind, graph in graphs]
        counted = edge_frequencies(classes if oriented is None else [oriented(each, names) for each in classes], names)
        about = {"cell": cell, "method": method, "runs": counted.graphs}
        shares += [about | edge._asdict() for edge in sorted(counted.edges())]
    return shares


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        options = {"data": files.data, "datasets": params.datasets, "built_in_jobs": params.built_in_jobs}
        count(files.runs, files.edges, snakemake.output[0], **options)
