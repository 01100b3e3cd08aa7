"""Write the fitted networks of a user's data in the formats of other programs."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.studies.own.models import write_models
from cutpoint.studies.reading import read_inputs

if __name__ == "__main__":
    with job(snakemake.log[0]):
        about = {key: value for key, value in snakemake.params.about.items() if key != "titles"}
        write_models(read_inputs(**snakemake.input, **about), Path(snakemake.output[0]))
