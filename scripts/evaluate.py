"""Compare what every method learned on a batch with the truth, one row a run."""

import logging

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.run_metrics import MetricsCase
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.results import Results
from cutpoint.bench.runs.runner import data_sets
from cutpoint.networks.network import read_all


def evaluate(data, networks, tests, parts, results, output, *, study):
    """Write the metrics of all methods on the data sets of a batch.

    Args:
        data: the data file.
        networks: the true networks by name.
        tests: files of records that were held out.
        parts: what runs on the batch: grid, cell, first and last replicate, methods.
    """
    further = {origin(part): part for path in tests for part in parquet.open_parts(path)}
    of_cell, rows = {}, []
    for part in parts:
        of_cell.setdefault(part["cell"], []).append(part)
    for identity, file in data_sets(data):
        case = MetricsCase(identity, file, networks, further.get(origin(file)))
        measured = {}
        for part in of_cell[identity["cell"]]:
            first, last = part["replicates"]
            for method in part["methods"] if first <= identity["replicate"] <= last else ():
                measured[method] = measured.get(method) or case.row(method, results)
                rows.append({"study": study, "grid": part["grid"]} | measured[method])
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    names = set(schemas.METRICS.names)
    kept = ({k: v for k, v in row.items() if k in names} for row in rows)
    parquet.write_records(output, kept, schemas.METRICS, study=study)


def origin(part):
    """Return the network and the noise of simulated data; None of the records from which targets are predicted."""
    about = part.metadata
    return None if about.get("part") == "test" else (about.get("network"), about.get("noise"))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        evaluate(
            files.data,
            read_all(files.networks),
            files.test,
            params.parts,
            Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data]),
            snakemake.output[0],
            study=snakemake.wildcards.study,
        )
