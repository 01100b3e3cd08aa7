"""Say how likely the records of each fold are under what every method learned from the others, one row a run."""

import logging

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.data.resampling import folds
from cutpoint.evaluation import quality
from cutpoint.evaluation.likelihood import HeldOut
from cutpoint.runs.jobs import job
from cutpoint.runs.results import Results


class Fold:
    """One fold: what stands in it, and how likely that is without edges.

    Args:
        data: the whole data set.
        held: bool [N], the records of the fold.
        cardinalities: levels of the discrete variables by name.
        identity: cell and replicate.
    """

    def __init__(self, data, held, cardinalities, identity):
        self.variables, self.identity = data.variables, identity
        levels = np.array([cardinalities.get(name, 0) for name in data.variables], np.int64)
        self.model = HeldOut(data.values[~held], data.values[held], data.frozen, levels)
        self.about = {"records": int(held.sum()), "independence": float(self.model.independence().sum())}

    def row(self, method, results):
        """Return the log-likelihood of one method's run, null where it has no graph or the model fails."""
        key = (method, *self.identity.values())
        run = results.run(key)
        row = {"method": method, "status": run["status"], "message": run["message"]} | self.identity | self.about
        if run["status"] != "ok":
            return row
        try:
            return row | {"log_likelihood": self._log_likelihood(key, run, results)}
        except (InputError, ArithmeticError, np.linalg.LinAlgError) as problem:
            return row | {"status": "error", "message": str(problem)}

    def _log_likelihood(self, key, run, results):
        if run["kind"] is None:
            raise InputError(f"{key[0]}: no graph")
        dag, _ = quality.dag_of(results.graph(key, self.variables), run["kind"], key[0])
        thresholds = None if run["levels"] is None else results.policy(key, self.variables)
        found = float(self.model.log_density(dag, thresholds).sum())
        if not np.isfinite(found):
            raise InputError(f"{key[0]}: the held-out log-likelihood is {found}")
        return found


def held_out(data, cells, replicates, methods, results, output, *, study, grid, seed):
    """Write the held-out log-likelihoods of all methods on the folds of a batch.

    Args:
        data: the file of the whole data set of each cell.
        cells: for each of them its cell, the name of the resample and the number of folds.
        replicates: the folds of the batch.
    """
    rows = []
    for path, about in zip(data, cells, strict=True):
        file = parquet.open_data(path)
        dataset, identity = file.metadata["cell"], {"cell": about["cell"]}
        shown = {"study": study, "grid": grid, "dataset": dataset}
        if not file.available:
            reason = {"status": file.metadata["status"], "message": file.metadata["message"]}
            rows += ({"method": method, "replicate": 0} | shown | identity | reason for method in methods)
            continue
        whole = file.read(file.replicates[0])
        parts = folds(len(whole.values), about["folds"], seed, study, dataset, about["resample"])
        for r in replicates:
            fold = Fold(whole, parts == r, whole.about["cardinalities"], identity | {"replicate": r})
            rows += (shown | fold.row(method, results) for method in methods)
            logging.getLogger("cutpoint").info("%s replicate %s", about["cell"], r)
    parquet.write_records(output, rows, schemas.HELD_OUT, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        given, said = snakemake.input, snakemake.params
        held_out(
            given.data,
            said.cells,
            range(said.replicates[0], said.replicates[1] + 1),
            said.methods,
            Results(given.runs, given.edges, given.thresholds, said.own_jobs),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=said.grid,
            seed=said.seed,
        )
