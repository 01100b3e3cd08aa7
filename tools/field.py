"""Keep runs of the study field2026, and what the first pages show of them: `uv run tools/field.py [FOLDER ...]`.

From each FOLDER with results/field2026 it keeps the runs of its batches (data/results/field2026.parquet) and those
of real data (field2026_tiers.parquet, field2026_systems.parquet), beside those that are kept already. With or without
a FOLDER it makes the tables, verdicts and the figure of README, site and report from the kept runs.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from shutil import copyfile

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from cutpoint.bench.studies.field2026 import study

from cutpoint.base.checking import read_yaml
from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.data import parquet
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inputs import Inputs, MethodLabel
from cutpoint.bench.engine.show import verdicts
from cutpoint.bench.engine.tables import make_table
from cutpoint.bench.plots.style import save
from cutpoint.bench.workflow.config import load
from cutpoint.method.rows import method_rows

STUDY, SCALE, SEED = "field2026", "published", 2005
ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "data" / "results"
KEPT, CLAIMS = RESULTS / "field2026.parquet", RESULTS / "claims.csv"
REAL = ("tiers", "systems")  # experiments with real data
FIGURE = ROOT / "docs" / "images" / "at_a_glance.svg"
TITLE = "Normalized SHD by number of records and data type"
TABLES = {  # by the name of the file: the table, and the heads of what its labels say
    "field": ("table_advice", ["Data", "Records"]),
    "strategies": ("table_strategies", ["Strategy"]),
    "bins": ("table_measures_of_bins", ["Data", "Records"]),
    "searches": ("table_searches", ["Score and search", "Data"]),
    "tuned": ("table_tuned", ["Setting"]),
    "systems": ("table_systems", ["Method"]),
    "tiers": ("table_tiers", ["Method"]),
    "few": ("table_few", ["Method"]),
}
DATA = ["grid", "network", "n", "replicate", "noise"]
KEY = [*DATA, "method"]
DROPPED = ("study", "cell", "dataset", "kgv_gain")  # what other columns say, or of real data


def keep_runs(folders: Sequence[Path]) -> None:
    """Keep the runs of batches in single precision, sorted; they take the place of those of the same key.

    SystemExit where a run is not one of the published scale. All must have the seed of the configuration.
    """
    parts = [pq.read_table(KEPT)] if KEPT.exists() else []
    for path in (path for each in folders for path in each.glob(f"results/{STUDY}/simulated/*/metrics.parquet")):
        table, _ = parquet.read_table(path)
        floats = [pa.field(f.name, pa.float32()) if pa.types.is_float64(f.type) else f for f in table.schema]
        parts.append(table.cast(pa.schema(floats)).drop_columns([*{*DROPPED} & {*table.column_names}]))
        if rest := {*table.select(DATA).to_pandas().itertuples(index=False, name=None)} - planned():
            raise SystemExit(f"field: {path} has runs that the {SCALE} scale has not, such as {min(rest)}")
    table = pa.concat_tables(parts, promote_options="default")
    table = table.drop_columns([name for name in table.column_names if table[name].null_count == len(table)])
    keys = table.select(KEY).to_pandas().reset_index()
    rows = keys.drop_duplicates(KEY, keep="last").sort_values(KEY)["index"]
    pq.write_table(table.take(pa.array(rows)), KEPT, compression="zstd", compression_level=19)
    for path in (path for each in folders for path in each.glob(f"results/{STUDY}/experiments/*.parquet")):
        copyfile(path, RESULTS / f"{STUDY}_{path.name}")


@cache
def planned() -> set[tuple]:
    """Return the data sets of the study by `DATA`."""
    config = read_yaml(ROOT / "config" / "config.yaml") | {"study": STUDY, "scale": SCALE}
    parts = [part for batch in load(config, ROOT, ROOT).batches[STUDY].values() for part in batch.parts]
    return {
        (part.grid, part.cell.network, part.cell.n, replicate, part.cell.noise)
        for part in parts
        for replicate in range(part.first, part.last + 1)
    }


def kept_inputs() -> Inputs:
    """Return the kept runs as what tables and figures are made of."""
    metrics = pq.read_table(KEPT).to_pandas().assign(study=STUDY)
    real = {name: pd.read_parquet(KEPT.with_name(f"{STUDY}_{name}.parquet")) for name in REAL}
    there, scale = {*metrics["method"]}, RunScale(SCALE, SEED, 1)
    methods = [MethodLabel(name, row["label"], row["category"]) for name, row in method_rows().items() if name in there]
    return Inputs(declared(STUDY), metrics, {}, {}, {}, methods, scale, experiments=real)


def main(arguments: Sequence[str] | None = None) -> None:
    """Keep the runs of folders, if any are given, and make tables, verdicts and the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, help=f"with results/{STUDY}")
    if folders := parser.parse_args(arguments).folders:
        keep_runs(folders)
    inputs = kept_inputs()
    for name, (table, heads) in TABLES.items():
        content = make_table(inputs, table)
        with (RESULTS / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            bodies = [(f"{title}: " if title else "", places) for title, places in content.bodies()]
            columns = [f"{title}{content.columns[i].strip()}" for title, places in bodies for i in places]
            writer.writerow([*heads, *columns])
            for row in content.rows:
                *first, last = row.label.split("; ") if "; " in row.label else row.label.rsplit(", ", len(heads) - 1)
                writer.writerow([*first, last, *map(study.text_of, row.cells)])
    claims = pd.read_csv(CLAIMS, dtype=str, keep_default_na=False).query("study != @STUDY")
    judged = pd.read_csv(StringIO(verdicts(inputs)), dtype=str, keep_default_na=False)
    judged = pd.concat([claims, judged[[*claims]]]).sort_values("study", kind="stable")
    judged.to_csv(CLAIMS, index=False, lineterminator="\n")
    save(study.figure(inputs, title=TITLE, scale=""), FIGURE)


if __name__ == "__main__":
    main()
