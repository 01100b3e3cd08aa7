"""Write the tables of a study as CSV, Markdown and LaTeX."""

import sys
from importlib import import_module
from pathlib import Path

from cutpoint.artefacts import WRITERS
from cutpoint.studies.reading import read_inputs


def tables(study, inputs, outputs):
    """Write one file per output; its name says which table and which format."""
    makers = import_module(f"cutpoint.studies.{study}.tables").TABLES
    made = {}
    for path in map(Path, outputs):
        name, ending = path.stem, path.suffix.removeprefix(".")
        if name not in made:
            made[name] = makers[name](inputs)
        path.write_text(WRITERS[ending](made[name]), encoding="utf-8")


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
    tables(snakemake.params.study, inputs, list(snakemake.output))
