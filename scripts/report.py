"""Put the artefacts of all studies into one HTML file."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from cutpoint.bench.artefacts.closeness import PublishedColumn, agreement_figure, closeness, numbers_of
from cutpoint.bench.artefacts.drawings import large
from cutpoint.bench.artefacts.table import ArtefactTable, from_json
from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import OWN
from cutpoint.bench.data.schemas import METRICS
from cutpoint.bench.engine.declaration import FigureSpec, declared
from cutpoint.bench.engine.tables import costs_of
from cutpoint.bench.report.contents import write_readme
from cutpoint.bench.report.explorer import CELL, MEASURES, Explored
from cutpoint.bench.report.page import render
from cutpoint.bench.report.provenance import by_method, by_rule, provenance
from cutpoint.bench.report.runs import write_runs
from cutpoint.bench.report.study import OwnFile, OwnNetwork, Picture, StudyReport, grid_rows
from cutpoint.bench.runs.jobs import job, keep
from cutpoint.bench.workflow.settings import Study
from cutpoint.data.csv_files import read_csv
from cutpoint.method.registry import references

CITED = ("discretizer", "policy", "learner", "score", "order")  # keys of a row of methods.yaml
REFERENCE = "bach"  # by which the explorer divides where no measure of a study is relative, if it has that row


def own_file(datasets: Path, command: str) -> OwnFile:
    """Return what the report says of a user's file, from the table that was made of it by a command."""
    data = parquet.open_data(datasets / f"{OWN}.parquet")
    values = data.read(data.replicates[0]).values
    gaps = int((values != values).sum())  # NaN
    weights = data.metadata.get("weights")
    return OwnFile(data.metadata["source"], len(values), data.metadata["dropped_rows"], gaps, command, weights)


def picture(path: Path, declaration: FigureSpec) -> Picture:
    """Return a figure with the title and the alternative text that stand beside it."""
    title, text = path.with_suffix(".txt").read_text("utf-8").splitlines()
    svg, pixels = path.read_text("utf-8"), path.with_suffix(".png")
    png = pixels.read_bytes() if pixels.exists() and large(svg) else b""
    endings = [each for each in ("svg", "pdf", "png") if path.with_suffix(f".{each}").exists()]
    return Picture(path.stem, svg, title, text, declaration.look, png, endings, declaration.replicates == [])


def explored(folder: Path, about: Mapping[str, Any]) -> Explored | None:
    """Return the runs of a study for the explorer, None without any."""
    study = Study.model_validate(about["study"])
    if not study.grids:
        return None
    declaration, names = declared(about["name"]), [*CELL, "replicate", "method", "status", "true_edges"]
    names += [each[0] for each in MEASURES if each[0] in METRICS.names]
    table = parquet.read_table(folder / "metrics.parquet", names)[0]
    labels = [{"name": name, "label": row["label"], "category": row["category"]} for name, row in about["rows"].items()]
    over = next((each.over for each in declaration.measures.values() if each.over), None)
    runs = declaration.function(declaration.explored)(table) if declaration.explored else (table,)
    return Explored(about["name"], labels, over or REFERENCE, list(study.grids), declaration.blocks, *runs)


EMBEDDED = ("bif", "net", "xdsl")  # endings of models; the folder has more, larger ones too
PAGE = ".html"  # of a model, which stays in the folder


def own_models(folder: Path, rows: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str | None]]:
    """Return texts of models of a user's data by name of the file, by label of the method."""
    endings = [PAGE, *(f".{ending}" for ending in EMBEDDED)]
    paths = {row["label"]: [folder / f"{name}{ending}" for ending in endings] for name, row in rows.items()}
    texts = {
        label: {p.name: None if p.suffix == PAGE else p.read_text("utf-8") for p in each if p.exists()}
        for label, each in paths.items()
    }
    return {label: files for label, files in texts.items() if files}


def best_network(folder: Path, tables: Iterable[ArtefactTable]) -> OwnNetwork | None:
    """Return the network to take of a user's data, None where no method has levels."""
    named = {table.name: table for table in tables}
    pages = {path.stem: path.read_text("utf-8") for path in folder.glob(f"*{PAGE}")}
    return OwnNetwork.of(named["table_methods"], pages, int(named["table_held_out"].scale.replicates))


def published_columns(tables: Iterable[ArtefactTable], costs: Collection[str]) -> list[PublishedColumn]:
    """Return the columns of tables; those of some measures are costs."""
    return [
        PublishedColumn(
            table.title,
            bool(table.keys) and table.keys[k].get("measure") in costs,
            numbers_of(row.cells[k] for row in table.rows),
        )
        for table in tables
        for k in range(len(table.columns))
    ]


def references_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what some rows of `methods.yaml` are cited by, sorted, each once."""
    entries, named = references(), {str(row.get(part)) for row in rows for part in CITED}
    return sorted({entries[name] for name in named & entries.keys()})


def study_report(folder: Path, logs: Path, about: Mapping[str, Any]) -> StudyReport:
    """Return what the report shows of the study whose results are in a folder."""
    study, rows = Study.model_validate(about["study"]), about["rows"]
    keep = ("grid", "cell", "method", "status", "message")
    metrics = METRICS.empty_table()
    if study.grids:
        metrics = parquet.read_table(folder / "metrics.parquet", [*keep, "seconds", "peak_mb"])[0]
    tables = [from_json(folder / "tables" / f"{name}.json") for name in study.tables]
    published = published_columns(tables, costs_of(about["name"]))
    return StudyReport(
        **{key: about[key] for key in ("name", "scale", "seed", "limits", "methods", "command", "posterior")},
        title=study.title,
        citation=study.citation,
        runs=metrics.select(keep).to_pylist(),
        claims=read_csv(folder / "claims.csv"),
        tables=tables,
        figures=[picture(folder / "figures" / f"{name}.svg", figure) for name, figure in study.figures.items()],
        grids=grid_rows(study, about["scale"]),
        references=[study.citation, *references_of(rows.values())],
        costs=by_method(metrics.to_pandas(), {name: row["label"] for name, row in rows.items()}),
        rules=by_rule(logs / about["name"]),
        file=own_file(folder.parent / "datasets", about["command"]) if about["name"] == OWN else None,
        models=own_models(folder / "models", rows) if about["name"] == OWN else {},
        network=best_network(folder / "models", tables) if about["name"] == OWN else None,
        closeness=closeness(published),
        agreement=agreement_figure(published),
    )


if __name__ == "__main__":
    with job(snakemake.log[0]):
        results, logs = Path(snakemake.output[0]).parent, Path(snakemake.log[0]).parent
        studies = snakemake.params.studies
        reports = [study_report(results / about["name"], logs, about) for about in studies]
        runs = [each for about in studies if (each := explored(results / about["name"], about))]
        write_runs(results)  # of the studies of earlier commands too
        made = provenance(reports, results / "datasets", [Path(file) for about in studies for file in about["files"]])
        page = render(reports, runs, made)
        Path(snakemake.output[0]).write_text(page, encoding="utf-8")
        write_readme(results, made, any(about["posterior"] for about in studies))
        keep(results)
