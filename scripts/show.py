"""Write the tables, figures, claims and answers of a study."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import show

if __name__ == "__main__":
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        show(inputs, Path(snakemake.output.claims).parent)
