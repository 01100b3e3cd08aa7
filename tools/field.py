"""Keep the runs of a finished study field2026 and what the first pages show of them: `uv run tools/field.py [FOLDER]`.

From a FOLDER with results/field2026 it keeps every run (data/results/field2026.parquet). With or without, it makes the
tables of README, site and report (data/results/field.csv, strategies.csv) and their figure from the kept runs.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from cutpoint.bench.studies.field2026 import study

from cutpoint.bench.data import parquet
from cutpoint.bench.engine.inputs import Inputs, Method
from cutpoint.bench.report.artefacts import Scale
from cutpoint.method.rows import method_rows
from cutpoint.plots.style import save

STUDY, SCALE, SEED = "field2026", "published", 2005
ROOT = Path(__file__).parents[1]
KEPT, TABLE, STRATEGIES = (
    ROOT / "data" / "results" / name for name in ("field2026.parquet", "field.csv", "strategies.csv")
)
FIGURE = ROOT / "docs" / "images" / "at_a_glance.svg"
TITLE = "Normalized SHD by number of records and data type"
DROPPED = ("study", "cell", "dataset", "kgv_gain")  # what other columns say, or of real data


def keep_runs(metrics: Path) -> None:
    """Keep the runs in single precision, without empty columns."""
    table, about = parquet.read_table(metrics)
    if (about["scale"], int(about["seed"])) != (SCALE, SEED):
        raise SystemExit(f"field: {metrics} is of the {about['scale']} scale, seed {about['seed']}; keep {SCALE} alone")
    empty = [name for name in table.column_names if table[name].null_count == len(table)]
    table = table.drop_columns([name for name in table.column_names if name in DROPPED or name in empty])
    floats = [pa.field(f.name, pa.float32()) if pa.types.is_float64(f.type) else f for f in table.schema]
    pq.write_table(table.cast(pa.schema(floats)), KEPT, compression="zstd", compression_level=19)


def kept_inputs() -> Inputs:
    """Return the kept runs as what tables and figures are made of."""
    metrics = pq.read_table(KEPT).to_pandas().assign(study=STUDY)
    rows = method_rows()
    names = [name for name in dict.fromkeys(metrics["method"]) if name in rows]
    methods = [Method(name, rows[name]["label"], rows[name]["category"]) for name in names]
    about = Scale(SCALE, SEED, 1)
    return Inputs(study=STUDY, metrics=metrics, networks={}, datasets={}, published={}, methods=methods, scale=about)


def main(arguments: Sequence[str] | None = None) -> None:
    """Keep the runs of a folder, if one is given, and make the table and the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help=f"with results/{STUDY}")
    folder = parser.parse_args(arguments).folder
    if folder:
        keep_runs(folder / "results" / STUDY / "metrics.parquet")
    inputs = kept_inputs()
    for path, content in ((TABLE, study.advice_table(inputs)), (STRATEGIES, study.strategies_table(inputs))):
        heads = ["Data", "Records"] if path == TABLE else ["Strategy"]
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*heads, *content.columns])
            for row in content.rows:
                labels = row.label.rsplit(", ", len(heads) - 1) if len(heads) > 1 else [row.label]
                writer.writerow([*labels, *map(study.text_of, row.cells)])
    save(study.figure(inputs, title=TITLE, scale=""), FIGURE)


if __name__ == "__main__":
    main()
