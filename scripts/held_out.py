"""Say how likely the records of each fold are under the graphs that were learned from the others, one row a run."""

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.held_out import likelihoods_of
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import read_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        results = Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data])
        rows = likelihoods_of(files.wholes, read_all(files.networks), params.runs, results)
        parquet.write_records(snakemake.output[0], rows, schemas.HELD_OUT, study=snakemake.wildcards.study)
