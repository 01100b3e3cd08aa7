"""Decide the claims of a study, and say in a sentence or two what its numbers answer."""

from pathlib import Path

from cutpoint.report.artefacts import records
from cutpoint.report.claims import to_csv
from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import answers_of, judged

if __name__ == "__main__":
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        text = to_csv(inputs.study, judged(inputs), inputs.scale)
        Path(snakemake.output.claims).write_text(text, encoding="utf-8")
        Path(snakemake.output.answers).write_text(records(("topic", "text"), answers_of(inputs)), encoding="utf-8")
