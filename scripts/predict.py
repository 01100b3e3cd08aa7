"""Predict the discrete targets of held-out records with what every method learned on a batch."""

import logging

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.prediction import PredictionCase, TrueNetworks
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.networks.network import read_all


def predict(inputs, results, output, *, study, grid, methods, shares, seed):
    """Write how well all methods predict on the data sets of a batch.

    Args:
        inputs: data, tests, codes and networks, each a list of files; the first three in the same order.
    """
    truth, rows = TrueNetworks(read_all(inputs["networks"])), []
    for paths in zip(inputs["data"], inputs["tests"], inputs["codes"], strict=True):
        files = [parquet.open_data(path) for path in paths]
        for replicate in files[0].replicates:
            identity = {"cell": files[0].metadata["cell"], "replicate": replicate}
            parts = (file.read(replicate) for file in files)
            case = PredictionCase(identity, *parts, truth, shares=shares, seed=seed, source=files[1].path)
            for method in methods:
                rows += ({"study": study, "grid": grid} | row for row in case.rows(method, results))
            logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    parquet.write_records(output, rows, schemas.PREDICTIONS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files = snakemake.input
        predict(
            {key: files[key] for key in ("data", "tests", "codes", "networks")},
            Results(files.runs, files.edges, files.thresholds, snakemake.params.built_in_jobs, files.data),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
            methods=snakemake.params.methods,
            shares=snakemake.params.shares,
            seed=snakemake.params.seed,
        )
