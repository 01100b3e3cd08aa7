"""Compare what every method learned on a batch with the truth, one row a run."""

import logging

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.run_metrics import MetricsCase
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.bench.runs.runner import data_sets
from cutpoint.networks.network import read_all

ORIGIN = ("network", "noise")  # of simulated data


def evaluate(data, networks, held_out, methods, results, output, *, study, grid):
    """Write the metrics of all methods on the data sets of a batch."""
    networks, rows = read_all(networks), []
    held_out = {tuple(file.metadata[key] for key in ORIGIN): file for file in map(parquet.open_data, held_out)}
    for identity, file in data_sets(data):
        case = MetricsCase(identity, file, networks, held_out.get(tuple(file.metadata.get(key) for key in ORIGIN)))
        rows += ({"study": study, "grid": grid} | case.row(method, results) for method in methods)
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    names = set(schemas.METRICS.names)
    kept = ({k: v for k, v in row.items() if k in names} for row in rows)
    parquet.write_records(output, kept, schemas.METRICS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        evaluate(
            snakemake.input.data,
            snakemake.input.networks,
            snakemake.input.held_out,
            snakemake.params.methods,
            Results(
                *(snakemake.input[kind] for kind in ("runs", "edges", "thresholds")),
                snakemake.params.built_in_jobs,
                snakemake.input.data,
            ),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
        )
