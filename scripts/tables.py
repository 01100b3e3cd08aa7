"""Write the tables of a study as CSV, Markdown and LaTeX, and as HTML for the report."""

from importlib import import_module
from pathlib import Path

from cutpoint.report import artefacts
from cutpoint.report.page import to_html
from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs

WRITERS = {**artefacts.WRITERS, "html": to_html}


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
    with job(snakemake.log[0]):
        inputs = read_inputs(**snakemake.input, **snakemake.params.about)
        tables(inputs.study, inputs, snakemake.output)
