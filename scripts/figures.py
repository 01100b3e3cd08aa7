"""Draw the figures of a study as PDF, SVG and PNG."""

from pathlib import Path

from cutpoint.plots.style import save
from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import IMAGES, figures_of


def figures(inputs, folder):
    """Draw every figure in all formats."""
    for name, draw in figures_of(inputs.study).items():
        figure = draw(inputs)  # one at a time: figures hold much memory
        for ending in IMAGES:
            save(figure, folder / f"{name}.{ending}")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        figures(read_inputs(**snakemake.input, **snakemake.params.about), Path(snakemake.output[0]).parent)
