"""Predict the discrete targets of held-out records with what every method learned on a batch."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import Runs
from cutpoint.bench.data.parquet import open_parts
from cutpoint.bench.evaluation.prediction import PredictionCase
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import Network, read_all


def predictions_of(
    data: str, tests: str, codes: str, networks: Mapping[str, Network], runs: Iterable[Runs], results: Results
) -> Iterator[dict[str, Any]]:
    """Yield how well runs predict, from files of the records to learn from, of those held out, and of all codes."""
    learned = {file.metadata["cell"]: file for file in open_parts(data)}
    held_out = {file.metadata["cell"]: file for file in open_parts(tests) if file.metadata["part"] == "test"}
    sources = {(file.metadata["network"], file.metadata["n"]): file for file in open_parts(codes)}
    for some in runs:
        file, test = learned[some.cell], held_out[some.cell]
        source = sources[file.metadata["network"], file.metadata["n"]]
        for replicate in some.replicates:
            identity = {"cell": some.cell, "replicate": replicate}
            data_sets = file.read(replicate), test.read(replicate), source.read(replicate)
            case = PredictionCase(identity, *data_sets, networks, shares=some.shares, seed=some.seed, source=test.path)
            for method in some.methods:
                yield from ({"study": some.study, "grid": some.grid} | row for row in case.rows(method, results))
            logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        results = Results(files.runs, files.edges, files.thresholds, params.built_in_jobs, [files.data])
        networks = read_all(files.networks)
        rows = predictions_of(files.data, files.test[0], files.codes, networks, params.runs, results)
        parquet.write_records(snakemake.output[0], rows, schemas.PREDICTIONS, study=snakemake.wildcards.study)
