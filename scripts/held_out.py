"""Say how likely the records of each fold are under the graphs that were learned from the others, one row a run."""

import logging

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.held_out import INNER, HeldOutFold, filled
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.data.resampling import folds
from cutpoint.networks.network import read_all


def held_out(wholes, networks, cells, replicates, methods, results, output, *, study, grid, seed):
    """Write the held-out log-likelihoods of all methods on the folds of a batch.

    Args:
        wholes: the file of the whole data set of each cell.
        networks: the files of true networks; their graphs have rows of their own.
        cells: for each of them its cell, the name of the resample and the number of folds.
        replicates: the folds of the batch.
    """
    networks, rows = read_all(networks), []
    for path, about in zip(wholes, cells, strict=True):
        file = parquet.open_data(path)
        dataset, identity = file.metadata["cell"], {"cell": about["cell"]}
        names = {"study": study, "grid": grid, "dataset": dataset}
        if not file.available:
            reason = {"status": file.metadata["status"], "message": file.metadata["message"]}
            rows += ({"method": method, "replicate": 0} | names | identity | reason for method in methods)
            continue
        whole = file.read(file.replicates[0])
        origin, truth = (seed, study, dataset, about["resample"]), networks.get(whole.about.get("truth"))
        parts = folds(len(whole.values), about["folds"], *origin)
        for r in replicates:
            held = parts == r
            try:
                data, held = filled(whole, held, generator_for(*origin, r, "held out"))
            except InputError as problem:
                reason = {"status": "error", "message": str(problem)}
                rows += ({"method": method, "replicate": r} | names | identity | reason for method in methods)
                continue
            inner = folds(int((~held).sum()), INNER, *origin, r)
            fold = HeldOutFold(data, held, inner, whole.about["cardinalities"], identity | {"replicate": r})
            rows += (names | fold.row(method, results) for method in methods)
            if truth is not None:
                rows.append(names | fold.true_row(truth.dag_of(fold.variables)))
            logging.getLogger("cutpoint").info("%s replicate %s", about["cell"], r)
    parquet.write_records(output, rows, schemas.HELD_OUT, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        held_out(
            files.wholes,
            files.networks,
            params.cells,
            range(params.replicates[0], params.replicates[1] + 1),
            params.methods,
            Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, files.data),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=params.grid,
            seed=params.seed,
        )
