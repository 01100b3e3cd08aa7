"""Compare what every method learned on a batch with the truth, one row a run."""

import logging

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.evaluation import quality
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.kgv import kgv
from cutpoint.networks.network import read_all
from cutpoint.runs.jobs import job
from cutpoint.runs.results import Results, true_dag
from cutpoint.runs.runner import data_sets


class Case:
    """One data set and what its runs are compared with."""

    def __init__(self, identity, file, networks):
        self.identity, self.variables = identity, []
        about = file.metadata
        if file.available:
            data = file.read(identity["replicate"])
            self.variables, about = data.variables, data.about
        self.about = {key: about.get(key) for key in ("network", "n", "noise", "sigma")}
        self.true = cpdag(true_dag(networks[about["truth"]], self.variables)) if about.get("truth") else None
        if self.about["network"]:
            thresholds = [np.array(about["thresholds"].get(v, ())) for v in data.variables]
            self.thresholds = quality.TrueThresholds(data.values, thresholds, ~data.frozen)
        else:
            self.about |= {"dataset": about.get("dataset", identity["cell"])}
            if file.available:
                self.about["n"] = len(data.values)
                self.score = kgv(data.values, data.frozen)

    def evaluate(self, method, results):
        """Return the metrics of one method's run."""
        key = (method, *self.identity.values())
        run = results.run(key)
        row = {"method": method} | self.identity | self.about | quality.run_columns(run)
        if run["status"] != "ok":
            return row
        try:
            return row | self._measure(key, run, results)
        except InputError as problem:
            return row | {"status": "error", "message": str(problem)}

    def _measure(self, key, run, results):
        kind = run["kind"]
        graph = results.graph(key, self.variables)
        if kind is None:
            raise InputError(f"{key[0]}: no graph")
        found = {}
        if run["levels"] is not None and self.about["network"]:
            found = self.thresholds.compare(results.policy(key, self.variables))
        if self.true is not None:
            found |= quality.structure_metrics(graph, self.true)
        if self.about["network"]:
            return found
        return found | quality.real_metrics(self.score, graph, kind, key[0])


def evaluate(data, networks, methods, results, output, *, study, grid):
    """Write the metrics of all methods on the data sets of a batch."""
    networks = read_all(networks)
    rows = []
    for identity, file in data_sets(data):
        case = Case(identity, file, networks)
        for method in methods:
            rows.append({"study": study, "grid": grid} | case.evaluate(method, results))
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    names = set(schemas.METRICS.names)
    kept = ({k: v for k, v in row.items() if k in names} for row in rows)
    parquet.write_records(output, kept, schemas.METRICS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        evaluate(
            snakemake.input.data,
            snakemake.input.networks,
            snakemake.params.methods,
            Results(*(snakemake.input[kind] for kind in ("runs", "edges", "thresholds")), snakemake.params.own_jobs),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
        )
