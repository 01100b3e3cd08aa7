"""Compare what every method learned on a batch with the truth, one row a run."""

from cutpoint.bench.data import parquet
from cutpoint.bench.evaluation.own_metrics import columns_with
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.evaluation.run_metrics import metrics_of
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import read_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        results = Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data])
        rows = metrics_of(files.data, read_all(files.networks), files.test, params.runs, results, params.metrics)
        parquet.write_records(snakemake.output[0], rows, columns_with(params.metrics), study=snakemake.wildcards.study)
