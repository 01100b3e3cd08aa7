"""Say how likely the records of each fold are under the graphs that were learned from the others, one row a run."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import Runs
from cutpoint.bench.data.parquet import DataFile, open_data
from cutpoint.bench.data.status import ERROR
from cutpoint.bench.evaluation.held_out import INNER, HeldOutFold, filled
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs.jobs import job
from cutpoint.data.resampling import folds
from cutpoint.networks.network import Network, read_all


def likelihoods_of(
    wholes: Iterable[str], networks: Mapping[str, Network], runs: Iterable[Runs], results: Results
) -> Iterator[dict[str, Any]]:
    """Yield the held-out log-likelihoods of runs on folds, and those of true graphs.

    Wholes are the files of the whole data sets. A network is by its name, and true where a data set says so.
    """
    files = {file.metadata["cell"]: file for file in map(open_data, wholes)}
    for some in runs:
        file = files[some.dataset]
        about = {"study": some.study, "grid": some.grid, "dataset": some.dataset, "cell": some.cell}
        if file.available:
            yield from (about | row for row in _of_folds(file, networks, some, results))
        elif 0 in some.replicates:  # once for all blocks of replicates
            about |= {"replicate": 0} | {key: file.metadata[key] for key in ("status", "message")}
            yield from ({"method": method} | about for method in some.methods)


def _of_folds(
    file: DataFile, networks: Mapping[str, Network], runs: Runs, results: Results
) -> Iterator[dict[str, Any]]:
    whole = file.read(file.replicates[0])
    origin, truth = (runs.seed, runs.study, runs.dataset, runs.resample), networks.get(whole.about.get("truth", ""))
    fold_of = folds(len(whole.values), runs.folds, *origin)
    for r in runs.replicates:
        identity = {"cell": runs.cell, "replicate": r}
        try:
            data, held = filled(whole, fold_of == r, generator_for(*origin, r, "held out"))
        except InputError as problem:
            reason = {"status": ERROR, "message": str(problem)}
            yield from ({"method": method} | identity | reason for method in runs.methods)
            continue
        inner = folds(int((~held).sum()), INNER, *origin, r)
        fold = HeldOutFold(data, held, inner, identity)
        yield from (fold.row(method, results) for method in runs.methods)
        if truth is not None:
            yield fold.true_row(truth.dag_of(fold.variables))
        logging.getLogger("cutpoint").info("%s replicate %s", runs.cell, r)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        results = Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data])
        rows = likelihoods_of(files.wholes, read_all(files.networks), params.runs, results)
        parquet.write_records(snakemake.output[0], rows, schemas.HELD_OUT, study=snakemake.wildcards.study)
