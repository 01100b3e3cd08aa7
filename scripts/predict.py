"""Predict the discrete targets of held-out records with what every method learned on a batch."""

import logging

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import parquet, schemas
from cutpoint.evaluation import prediction, quality
from cutpoint.networks.network import read_all
from cutpoint.runs.jobs import job
from cutpoint.runs.results import Results, places, true_dag


class Truth:
    """The true networks of a batch; inference is prepared for those that are asked."""

    def __init__(self, paths):
        self.networks, self._prepared = read_all(paths), {}

    def inference(self, name):
        """Return what answers for a network."""
        if name not in self._prepared:
            self._prepared[name] = prediction.Inference(self.networks[name])
        return self._prepared[name]


class Case:
    """One data set: its test records, what is asked about them and what the true network answers.

    Args:
        identity: cell and replicate.
        files: the open files of the learning records, of those held out, and of the true codes of both in this order.
        truth, shares, seed: of the batch.
    """

    def __init__(self, identity, files, truth, shares, seed):
        self.identity = identity
        self.data, self.tests, codes = (file.read(identity["replicate"]) for file in files)
        self.about = {key: self.data.about.get(key) for key in ("network", "n", "noise")}
        known = self._true_codes(codes, files[1].path)
        name, variables = self.data.about["truth"], self.data.variables
        network = truth.networks[name]
        self.questions = prediction.questions(
            true_dag(network, variables),
            np.flatnonzero(self.data.frozen).tolist(),
            shares,
            len(known),
            variables,
            *(seed, self.data.about["study"], self.about["network"], self.about["n"], identity["replicate"]),
        )
        place, self.ceilings = places(network, variables), []
        for asked in self.questions:
            evidence = list(asked.evidence)
            posteriors = truth.inference(name).posteriors(place[asked.target], place[evidence], known[:, evidence])
            self.ceilings.append(prediction.accuracy(posteriors, known[:, asked.target], asked.uniforms))

    def _true_codes(self, codes, source):
        """Return the true codes of the test records; the targets show whether the files belong together."""
        tests, frozen = self.tests, self.data.frozen
        known = codes.values[len(self.data.values) :].astype(np.int64)
        same = self.data.variables == tests.variables == codes.variables and known.shape == tests.values.shape
        if not (same and np.array_equal(known[:, frozen], tests.values[:, frozen])):
            raise InputError(f"{source}: its records are not those that follow the learning records in the true codes")
        return known

    def rows(self, method, results):
        """Return a row for every question, with the shares of right values of one method."""
        run, answers = self._answers((method, *self.identity.values()), results)
        for asked, ceiling, answer in zip(self.questions, self.ceilings, answers, strict=True):
            yield (
                {"method": method, "target": self.data.variables[asked.target], "share": asked.share}
                | {"observed": len(asked.evidence), "records": len(self.tests.values)}
                | {"ceiling_expected": ceiling["expected"], "ceiling_argmax": ceiling["argmax"]}
                | {"status": run["status"], "message": run["message"]}
                | self.identity
                | self.about
                | answer
            )

    def _answers(self, key, results):
        """Return how it went, and an answer to every question: nothing where the run cannot predict."""
        run, nothing = results.run(key), [{} for _ in self.questions]
        if run["status"] != "ok":
            return run, nothing
        try:
            model = self._model(key, run, results)
            return run, [model.answer(asked, self.tests.values) for asked in self.questions]
        except InputError as problem:
            return {"status": "error", "message": str(problem)}, nothing

    def _model(self, key, run, results):
        if run["levels"] is None:
            raise InputError("no discretization: it cannot predict")
        if run["kind"] is None:
            raise InputError("no graph: it cannot predict")
        data = self.data
        graph = results.graph(key, data.variables)
        dag, _ = quality.dag_of(graph, run["kind"], key[0])
        return prediction.Model(data.values, data.frozen, results.policy(key, data.variables), dag, data.variables)


def predict(inputs, results, output, *, study, grid, methods, shares, seed):
    """Write how well all methods predict on the data sets of a batch.

    Args:
        inputs: data, tests, codes and networks, each a list of files; the first three in the same order.
    """
    truth, rows = Truth(inputs["networks"]), []
    for paths in zip(inputs["data"], inputs["tests"], inputs["codes"], strict=True):
        files = [parquet.open_data(path) for path in paths]
        for replicate in files[0].replicates:
            identity = {"cell": files[0].metadata["cell"], "replicate": replicate}
            case = Case(identity, files, truth, shares, seed)
            for method in methods:
                rows += ({"study": study, "grid": grid} | row for row in case.rows(method, results))
            logging.getLogger("cutpoint").info("%s replicate %s", *identity.values())
    parquet.write_records(output, rows, schemas.PREDICTIONS, study=study)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        given = snakemake.input
        predict(
            {key: given[key] for key in ("data", "tests", "codes", "networks")},
            Results(given.runs, given.edges, given.thresholds, snakemake.params.own_jobs),
            snakemake.output[0],
            study=snakemake.wildcards.study,
            grid=snakemake.params.grid,
            methods=snakemake.params.methods,
            shares=snakemake.params.shares,
            seed=snakemake.params.seed,
        )
