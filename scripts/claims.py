"""Decide the claims of a study."""

import sys
from importlib import import_module
from pathlib import Path

from cutpoint.claims import judge, to_csv
from cutpoint.studies.reading import read_inputs


def claims(study, inputs):
    """Return the verdicts on all claims of a study, as CSV."""
    listed = import_module(f"cutpoint.studies.{study}.claims").CLAIMS
    return to_csv(study, [judge(name, claim, inputs) for name, claim in listed.items()], inputs.scale)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # noqa: SIM115
    inputs = read_inputs(
        snakemake.params.study,
        metrics=snakemake.input.metrics,
        networks=snakemake.input.networks,
        datasets=snakemake.input.datasets,
        published=snakemake.input.published,
        methods=snakemake.params.methods,
        scale=snakemake.params.scale,
        seed=snakemake.params.seed,
    )
    text = claims(snakemake.params.study, inputs)
    Path(snakemake.output[0]).write_text(text, encoding="utf-8")
