"""Put the artefacts of all studies into one HTML file."""

import csv
from pathlib import Path

from cutpoint import report, schemas, tables
from cutpoint.jobs import job


def read_csv(path):
    """Return the rows of a CSV file."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def study_report(folder, about):
    """Return what the report shows of the study whose results are in a folder."""
    metrics = folder / "metrics.parquet"
    rows = tables.read_records(metrics, schemas.METRICS)[0] if about["grids"] else []
    keep = ("grid", "cell", "method", "status", "message")
    return report.StudyReport(
        **{key: about[key] for key in ("name", "title", "citation", "scale", "seed", "methods")},
        runs=[{key: row[key] for key in keep} for row in rows],
        claims=read_csv(folder / "claims.csv"),
        tables=[(folder / "tables" / f"{name}.html").read_text() for name in about["tables"]],
        figures=[(name, (folder / "figures" / f"{name}.svg").read_text()) for name in about["figures"]],
    )


if __name__ == "__main__":
    with job(snakemake.log[0]):
        results = Path(snakemake.output[0]).parent
        shown = [study_report(results / about["name"], about) for about in snakemake.params.studies]
        Path(snakemake.output[0]).write_text(report.render(shown), encoding="utf-8")
