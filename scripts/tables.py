"""Write the tables of a study as CSV, Markdown and LaTeX, and as HTML for the report."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.studies.reading import read_inputs
from cutpoint.studies.show import TABLE_WRITERS, tables_of


def tables(inputs, folder):
    """Write every table in all formats."""
    for name, make in tables_of(inputs.study).items():
        table = make(inputs)
        for ending, write in TABLE_WRITERS.items():
            (folder / f"{name}.{ending}").write_text(write(table), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        tables(read_inputs(**snakemake.input, **snakemake.params.about), Path(snakemake.output[0]).parent)
