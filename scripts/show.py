"""Write the tables, figures, claims and answers of a study."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import show

if __name__ == "__main__":
    with job(snakemake.log[0]):
        about = dict(snakemake.params.about)
        titles = about.pop("titles")
        show(read_inputs(**snakemake.input, **about), Path(snakemake.output.claims).parent, titles=titles)
