"""Draw the figures of a study as PDF, SVG and PNG."""

from importlib import import_module
from pathlib import Path

from cutpoint.plots.style import save
from cutpoint.runs.jobs import job
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
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        figures(inputs.study, inputs, sorted(snakemake.output))
