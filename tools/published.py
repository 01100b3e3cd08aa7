"""Keep every table of a published run under data/results/published/: `uv run tools/published.py RESULTS`.

RESULTS is the folder of a finished run of any studies. Their verdicts go to claims.csv, their readings of what papers
leave open to explanations.csv, and their numbers to those rows of findings.csv that are there; `uv run tools/tables.py`
makes the pages of all four. `tools/field.py` keeps the verdicts of field2026.
"""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from cutpoint.base.checking import read_yaml
from cutpoint.bench.artefacts.closeness import PublishedColumn
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, absent, from_json
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.engine.tables import costs_of
from cutpoint.data.csv_files import read_csv

RESULTS = Path(__file__).parents[1] / "data" / "results"
KEPT = RESULTS / "published"
PARTS = ("low", "high", "best", "published", "published cost")  # of a column, in brackets behind its heading
MOST = 500_000  # bytes of all kept tables together
ELSEWHERE = "field2026"  # whose verdicts are kept by another tool


def keep(table: ArtefactTable, costs: Iterable[str]) -> None:
    """Write a table with a line for each row, without columns in which nothing stands."""
    lines = [_line(row.label, row.cells, table, {*costs}) for row in table.rows]
    heads = [head for head in lines[0] if any(line[head] for line in lines)] if lines else []
    path = KEPT / table.study / f"{table.name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, heads, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def _line(label: str, cells: Iterable[Cell], table: ArtefactTable, costs: set[str]) -> dict[str, str]:
    line = {table.key: label}
    for k, cell in enumerate(cells):
        cost = bool(table.keys) and table.keys[k].get("measure") in costs
        published = f"published{' cost' * cost}"
        parts = {"low": cell.low, "high": cell.high, "best": "yes" * cell.best, published: cell.published}
        line[table.columns[k]] = "" if absent(cell) else _text(cell.reproduced)
        line |= {f"{table.columns[k]} [{name}]": _text(value) for name, value in parts.items()}
    return line


def _text(value: float | int | str | None) -> str:
    if value is None or pd.isna(value):
        return ""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def kept(study: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield title and rows of the kept tables of a study, in the order in which it declares them."""
    for name, row in read_yaml(study_file(study))["tables"].items():
        if (path := KEPT / study / f"{name}.csv").exists():
            yield row["title"], read_csv(path)


def headings(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the headings of the columns of a kept table, also of those with published numbers alone."""
    heads = [head.rpartition(" [")[0] if head.endswith(tuple(f"[{p}]" for p in PARTS)) else head for head in rows[0]]
    return [*dict.fromkeys(heads)][1:]


def parts(row: Mapping[str, str], head: str) -> dict[str, str]:
    """Return the number of a column of a kept table in a row, with its parts."""
    named = {name: row.get(f"{head} [{name}]", "") for name in PARTS}
    return {**named, "published": named["published"] or named["published cost"], "reproduced": row.get(head, "")}


def columns_of(study: str) -> list[PublishedColumn]:
    """Return the columns of the kept tables of a study, to be compared with print."""
    names = ("published", "reproduced", "low", "high")
    return [
        PublishedColumn(
            title,
            f"{head} [published cost]" in rows[0],
            np.array([pd.to_numeric([parts(row, head)[n] for row in rows], errors="coerce") for n in names], float),
        )
        for title, rows in kept(study)
        for head in (headings(rows) if rows else [])
    ]


def replace_rows(name: str, keys: list[str], frames: list[pd.DataFrame]) -> None:
    """Put rows into a kept file in the place of those with the same keys; it gets no others."""
    old = pd.read_csv(RESULTS / name, dtype=str, keep_default_na=False)
    new = pd.concat([old[:0], *frames]).merge(old[keys].drop_duplicates())[[*old]]
    gone = pd.MultiIndex.from_frame(old[keys]).isin(pd.MultiIndex.from_frame(new[keys]))
    order = {study: k for k, study in enumerate(old["study"].unique())}
    joined = pd.concat([old[~gone], new]).sort_values("study", kind="stable", key=lambda studies: studies.map(order))
    joined.to_csv(RESULTS / name, index=False, lineterminator="\n")


def main(results: Path) -> None:
    """Keep the tables, numbers and verdicts of all studies of a run."""
    studies = [name for name in study_names() if (results / name / "claims.csv").exists() and name != "own"]
    findings, claims, readings = [], [], []
    for study in studies:
        shutil.rmtree(KEPT / study, ignore_errors=True)
        for path in sorted((results / study / "tables").glob("*.json")):
            table = from_json(path)
            if table.scale.name != "published":
                sys.exit(f"{path}: of the scale {table.scale.name}; run with scale=published")
            keep(table, costs_of(study))
            frame = pd.read_csv(path.with_suffix(".csv"), dtype=str, keep_default_na=False)
            findings.append(frame.rename(columns={table.key: "row"}).assign(study=study, table=table.name))
        if (path := results / study / "experiments" / "readings.parquet").exists():
            readings.append(pd.read_parquet(path).assign(study=study))
        if study != ELSEWHERE:
            claims.append(pd.read_csv(results / study / "claims.csv", dtype=str, keep_default_na=False))
    replace_rows("findings.csv", ["study", "table", "row", "column"], findings)
    replace_rows("claims.csv", ["study"], claims)
    if readings:
        replace_rows("explanations.csv", ["study"], readings)
    size = sum(path.stat().st_size for path in KEPT.rglob("*.csv"))
    if size > MOST:
        sys.exit(f"{KEPT}: {size} bytes, more than {MOST}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
