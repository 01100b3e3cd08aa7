"""Compare what every method learned on a batch with the truth, one row a run."""

import logging
from pathlib import Path

import numpy as np

from cutpoint import evaluation, schemas, tables
from cutpoint.errors import InputError
from cutpoint.graphs import cpdag
from cutpoint.jobs import job
from cutpoint.kgv import kgv
from cutpoint.networks import read_network
from cutpoint.runner import data_sets


class Results:
    """What all methods of a batch left behind, by method, cell and replicate."""

    def __init__(self, runs, edges, thresholds):
        self.runs = self._read(runs, schemas.RUNS)
        self.edges = self._read(edges, schemas.EDGES)
        self.thresholds = self._read(thresholds, schemas.THRESHOLDS)
        for found in (self.edges, self.thresholds):
            if unknown := found.keys() - self.runs.keys():
                raise InputError(f"{min(unknown)}: edges or thresholds of a method, cell and replicate without a run")

    @staticmethod
    def _read(paths, schema):
        return tables.by_identity(row for path in paths for row in tables.read_records(path, schema)[0])


def true_dag(network, variables):
    """Return the arcs of a network between variables in the order of a data file."""
    order = [network.variables.index(name) for name in variables]
    return network.dag[np.ix_(order, order)]


class DataSet:
    """One data set and what its runs are compared with."""

    def __init__(self, identity, file, networks):
        self.identity, self.file = identity, file
        self.about = {key: file.metadata.get(key) for key in ("network", "n", "noise", "sigma")}
        if self.about["network"]:
            values = file.values(identity["replicate"])
            self.true = cpdag(true_dag(networks[self.about["network"]], file.variables))
            thresholds = [np.array(file.metadata["thresholds"][v]) for v in file.variables]
            self.thresholds = evaluation.TrueThresholds(values, thresholds, ~file.frozen)
        else:
            self.about |= {"dataset": identity["cell"]}
            if file.available:
                values = file.values(identity["replicate"])
                self.about["n"] = len(values)
                self.score = kgv(values, file.frozen)

    def evaluate(self, method, results):
        """Return the metrics of one method's run."""
        key = (method, *self.identity.values())
        (run,) = results.runs.get(key) or [{"status": "error", "message": "its job left no run of this data set"}]
        row = {"method": method} | self.identity | self.about | evaluation.run_columns(run)
        if run["status"] != "ok":
            return row
        try:
            return row | self._measure(key, run, results)
        except InputError as problem:
            return row | {"status": "error", "message": str(problem)}

    def _measure(self, key, run, results):
        kind = run["kind"]
        graph = tables.graph_of(results.edges.get(key, []), self.file.variables, key[0])
        if kind == "dag":
            evaluation.check_acyclic(graph, key[0])
        found = {}
        if run["levels"] is not None and self.about["network"]:
            policy = tables.policy_of(results.thresholds.get(key, []), self.file.variables)
            found = self.thresholds.compare(policy)
        if self.about["network"]:
            return found | evaluation.structure_metrics(graph, self.true)
        return found | evaluation.real_metrics(self.score, graph, kind, key[0])


def evaluate(data, networks, methods, results, output, *, study, grid):
    """Write the metrics of all methods on the data sets of a batch."""
    networks = {Path(path).stem: read_network(path) for path in networks}
    rows = []
    for identity, file in data_sets(data):
        case = DataSet(identity, file, networks)
        for method in methods:
            rows.append({"study": study, "grid": grid} | case.evaluate(method, results))
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    names = set(schemas.METRICS.names)
    kept = ({k: v for k, v in row.items() if k in names} for row in rows)
    tables.write_records(output, kept, schemas.METRICS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        evaluate(
            snakemake.input.data,
            snakemake.input.networks,
            snakemake.params.methods,
            Results(snakemake.input.runs, snakemake.input.edges, snakemake.input.thresholds),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
        )
