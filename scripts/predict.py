"""Predict the discrete targets of held-out records with what every method learned on a batch."""

import logging

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.prediction import PredictionCase
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.networks.network import read_all


def predict(data, tests, codes, networks, parts, results, output, *, study, seed):
    """Write how well all methods predict on the data sets of a batch.

    Args:
        data, tests, codes: files of the records that were learned from, of those held out, and of all codes.
        networks: the true networks by name.
        parts: of the batch that predict: grid, cell, first and last replicate, methods, shares of the Markov blanket.
    """
    rows = []
    learned = {file.metadata["cell"]: file for file in parquet.open_parts(data)}
    held_out = {file.metadata["cell"]: file for file in parquet.open_parts(tests) if file.metadata["part"] == "test"}
    sources = {(file.metadata["network"], file.metadata["n"]): file for file in parquet.open_parts(codes)}
    for part in parts:
        file, test = learned[part["cell"]], held_out[part["cell"]]
        source = sources[file.metadata["network"], file.metadata["n"]]
        first, last = part["replicates"]
        for replicate in range(first, last + 1):
            identity = {"cell": part["cell"], "replicate": replicate}
            sets = (one.read(replicate) for one in (file, test, source))
            case = PredictionCase(identity, *sets, networks, shares=part["shares"], seed=seed, source=test.path)
            for method in part["methods"]:
                rows += ({"study": study, "grid": part["grid"]} | row for row in case.rows(method, results))
            logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    parquet.write_records(output, rows, schemas.PREDICTIONS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        predict(
            files.data,
            files.test[0],
            files.codes,
            read_all(files.networks),
            params.parts,
            Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data]),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            seed=params.seed,
        )
