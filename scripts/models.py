"""Write the fitted networks of a user's data in the formats of other programs."""

import logging
import warnings
from pathlib import Path

from cutpoint.base.errors import InputError
from cutpoint.bench.engine.inputs import Inputs, read_inputs
from cutpoint.bench.runs.jobs import job, keep
from cutpoint.bench.studies.own.confidence import frequencies
from cutpoint.bench.studies.own.models import fitted
from cutpoint.bench.studies.own.outcomes import data, outcomes

log = logging.getLogger("cutpoint")

ENDINGS = ("json", "bif", "xmlbif", "bifxml", "xdsl", "net", "uai", "html")


def write_models(inputs: Inputs, folder: Path) -> None:
    """Write the model of every method in every format.

    A method without a graph or without thresholds has none, nor has one whose tables are too large, or no page, the
    last format; the log says why.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for each, shares in zip(outcomes(inputs), frequencies(inputs), strict=True):
        if each.thresholds is None:
            continue
        with warnings.catch_warnings(record=True) as found:
            try:
                model = fitted(each, data(inputs), inputs.scale.seed, shares)
                for ending in ENDINGS:
                    model.write(folder / f"{each.method.name}.{ending}")
            except InputError as problem:
                log.info("%s: no model: %s", each.method.name, problem)
        for warning in found:
            log.info("%s", warning.message)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        folder = Path(snakemake.output[0])
        write_models(read_inputs(**snakemake.input, **snakemake.params.settings), folder)
        keep(folder)
