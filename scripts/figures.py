"""Draw the figures of a study as PDF, SVG and PNG."""

import sys
from importlib import import_module
from pathlib import Path

from cutpoint.plots.style import save
from cutpoint.studies.reading import read_inputs


def figures(study, inputs, outputs):
    """Draw one file per output; its name says which figure and which format."""
    makers = import_module(f"cutpoint.studies.{study}.figures").FIGURES
    drawn = {}
    for path in map(Path, outputs):
        if path.stem not in drawn:
            drawn = {path.stem: makers[path.stem](inputs)}  # one at a time: figures hold much memory
        save(drawn[path.stem], path)


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
    figures(snakemake.params.study, inputs, sorted(snakemake.output))
