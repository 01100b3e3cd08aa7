"""Compare what every method learned on a batch with the truth, one row a run."""

import logging
from pathlib import Path

import numpy as np

from cutpoint import evaluation, tables
from cutpoint.errors import InputError
from cutpoint.kgv import kgv
from cutpoint.networks import read_network
from cutpoint.runner import data_sets


class Results:
    """The files of one method, by data set."""

    def __init__(self, runs, edges, thresholds):
        self.runs = by_data_set(tables.read_records(runs, tables.RUNS)[0])
        rows, self.metadata = tables.read_records(edges, tables.EDGES)
        self.edges, self.source = by_data_set(rows), edges
        self.thresholds = by_data_set(tables.read_records(thresholds, tables.THRESHOLDS)[0])
        self.discretizes = bool(self.thresholds)


def by_data_set(rows):
    """Return rows grouped by cell and replicate."""
    groups = {}
    for row in rows:
        groups.setdefault((row["cell"], row["replicate"]), []).append(row)
    return groups


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
            self.true = true_dag(networks[self.about["network"]], file.variables)
            self.thresholds = [np.array(file.metadata["thresholds"][v]) for v in file.variables]
        else:
            self.about |= {"dataset": identity["cell"]}
        self.values = file.values(identity["replicate"]) if file.available else None
        self.score = None
        if file.available and not self.about["network"]:
            self.about["n"] = len(self.values)
            self.score = kgv(self.values, file.frozen)

    def evaluate(self, results):
        """Return the metrics of one method's run."""
        key = tuple(self.identity.values())
        (run,) = results.runs[key]
        row = self.about | evaluation.run_columns(run)
        if run["status"] != "ok":
            return row
        try:
            return row | self._measure(results, key)
        except InputError as problem:
            return row | {"status": "error", "message": str(problem)}

    def _measure(self, results, key):
        kind = results.metadata["kind"]
        graph = tables.graph_of(results.edges.get(key, []), self.file.variables, results.source)
        if kind == "dag":
            evaluation.check_acyclic(graph, results.source)
        found = {"kind": kind}
        if results.discretizes:
            policy = tables.policy_of(results.thresholds.get(key, []), self.file.variables)
            found["levels"] = evaluation.mean_levels(policy)
            if self.score is None:
                continuous = ~self.file.frozen
                found |= evaluation.threshold_metrics(self.values, policy, self.thresholds, continuous)
        if self.score is not None:
            return found | evaluation.real_metrics(self.score, graph, kind, results.source)
        return found | evaluation.structure_metrics(graph, self.true)


def evaluate(data, networks, results, output, *, study, grid):
    """Write the metrics of all methods on the data sets of a batch."""
    networks = {Path(path).stem: read_network(path) for path in networks}
    rows = []
    for identity, file in data_sets(data):
        case = DataSet(identity, file, networks)
        for method, found in results.items():
            rows.append({"study": study, "grid": grid, "method": method} | case.evaluate(found))
        logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    names = set(tables.METRICS.names)
    tables.write_records(
        output, ({k: v for k, v in row.items() if k in names} for row in rows), tables.METRICS, study=study
    )


if __name__ == "__main__":
    from cutpoint.jobs import job

    with job(snakemake.log[0]):
        files = zip(snakemake.input.runs, snakemake.input.edges, snakemake.input.thresholds, strict=True)
        evaluate(
            snakemake.input.data,
            snakemake.input.networks,
            {m: Results(*paths) for m, paths in zip(snakemake.params.methods, files, strict=True)},
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
        )
