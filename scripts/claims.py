"""Decide the claims of a study."""

from importlib import import_module
from pathlib import Path

from cutpoint.claims import judge, to_csv
from cutpoint.jobs import job
from cutpoint.studies.reading import read_inputs


def claims(study, inputs):
    """Return the verdicts on all claims of a study, as CSV."""
    listed = import_module(f"cutpoint.studies.{study}.claims").CLAIMS
    return to_csv(study, [judge(name, claim, inputs) for name, claim in listed.items()], inputs.scale)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        Path(snakemake.output[0]).write_text(claims(inputs.study, inputs), encoding="utf-8")
