"""Predict the discrete targets of held-out records with what every method learned on a batch."""

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.prediction import predictions_of
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import read_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        results = Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data])
        networks = read_all(files.networks)
        rows = predictions_of(files.data, files.test[0], files.codes, networks, params.runs, results)
        parquet.write_records(snakemake.output[0], rows, schemas.PREDICTIONS, study=snakemake.wildcards.study)
