"""Decide the claims of a study, and say in a sentence or two what its numbers answer."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import sentences, verdicts

if __name__ == "__main__":
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        Path(snakemake.output.claims).write_text(verdicts(inputs), encoding="utf-8")
        Path(snakemake.output.answers).write_text(sentences(inputs), encoding="utf-8")
