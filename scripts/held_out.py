"""Say how likely the records of each fold are under the graphs that were learned from the others, one row a run."""

import logging

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.status import ERROR
from cutpoint.bench.evaluation.held_out import INNER, HeldOutFold, filled
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.data.resampling import folds
from cutpoint.networks.network import read_all


def held_out(wholes, networks, parts, results, output, *, study, seed):
    """Write the held-out log-likelihoods of all methods on the folds of a batch.

    Args:
        wholes: the files of whole data sets.
        networks: true networks by name; their graphs have rows of their own.
        parts: of the batch that are folds: grid, cell, first and last replicate, methods, data set, name of the
            resample and number of folds.
    """
    files, rows = {file.metadata["cell"]: file for file in map(parquet.open_data, wholes)}, []
    for part in parts:
        file, methods = files[part["dataset"]], part["methods"]
        names = {"study": study, "grid": part["grid"], "dataset": part["dataset"], "cell": part["cell"]}
        if not file.available:
            reason = {"status": file.metadata["status"], "message": file.metadata["message"]}
            if part["replicates"][0] == 0:  # once for all blocks of replicates
                rows += ({"method": method, "replicate": 0} | names | reason for method in methods)
            continue
        whole = file.read(file.replicates[0])
        origin, truth = (seed, study, part["dataset"], part["resample"]), networks.get(whole.about.get("truth"))
        fold_of = folds(len(whole.values), part["folds"], *origin)
        first, last = part["replicates"]
        for r in range(first, last + 1):
            held, identity = fold_of == r, {"cell": part["cell"], "replicate": r}
            try:
                data, held = filled(whole, held, generator_for(*origin, r, "held out"))
            except InputError as problem:
                reason = {"status": ERROR, "message": str(problem)}
                rows += ({"method": method} | names | identity | reason for method in methods)
                continue
            inner = folds(int((~held).sum()), INNER, *origin, r)
            fold = HeldOutFold(data, held, inner, whole.about["cardinalities"], identity)
            rows += (names | fold.row(method, results) for method in methods)
            if truth is not None:
                rows.append(names | fold.true_row(truth.dag_of(fold.variables)))
            logging.getLogger("cutpoint").info("%s replicate %s", part["cell"], r)
    parquet.write_records(output, rows, schemas.HELD_OUT, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        held_out(
            files.wholes,
            read_all(files.networks),
            params.parts,
            Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data]),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            seed=params.seed,
        )
