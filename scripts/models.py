"""Write the fitted networks of a user's data in the formats of other programs."""

from pathlib import Path

from cutpoint.bench.engine.inputs import read_inputs
from cutpoint.bench.runs.jobs import job, keep
from cutpoint.bench.studies.own.models import write_models

if __name__ == "__main__":
    with job(snakemake.log[0]):
        folder = Path(snakemake.output[0])
        write_models(read_inputs(**snakemake.input, **snakemake.params.settings), folder)
        keep(folder)
