"""Decide the claims of a study, and say in a sentence or two what its numbers answer."""

from importlib import import_module
from pathlib import Path

from cutpoint.report.artefacts import records
from cutpoint.report.claims import judge, to_csv
from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs


def claims(study, inputs):
    """Return the verdicts on all claims of a study, as CSV."""
    listed = import_module(f"cutpoint.studies.{study}.claims").CLAIMS
    return to_csv(study, [judge(name, claim, inputs) for name, claim in listed.items()], inputs.scale)


def answers(study, inputs):
    """Return what a study answers, by topic, as CSV; a topic on which its runs say nothing is left out."""
    listed = import_module(f"cutpoint.studies.{study}.answers").ANSWERS
    said = [(topic, make(inputs)) for topic, make in listed.items()]
    return records(("topic", "text"), [[topic, text] for topic, text in said if text])


if __name__ == "__main__":
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        Path(snakemake.output.claims).write_text(claims(inputs.study, inputs), encoding="utf-8")
        Path(snakemake.output.answers).write_text(answers(inputs.study, inputs), encoding="utf-8")
