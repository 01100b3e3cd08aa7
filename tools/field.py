"""Keep the runs of a finished study field2026 and the advice that follows: `uv run tools/field.py [FOLDER]`.

From a FOLDER with results/field2026 it keeps every run (data/results/field2026.parquet) with a page of the columns.
With or without, it makes data/advice.json, which `cutpoint.advise` applies, from the kept runs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from cutpoint.bench.studies.field2026.advice import advice_of
from cutpoint.bench.studies.field2026.losses import losses_of

from cutpoint.base.distribution import package_version
from cutpoint.base.text import listed
from cutpoint.bench.data import parquet
from cutpoint.bench.data.meanings import MEANINGS
from cutpoint.bench.engine.inputs import Inputs, Method
from cutpoint.bench.report.artefacts import Scale
from cutpoint.method.rows import method_rows

STUDY, SCALE, SEED = "field2026", "published", 2005
KEPT, ADVICE, PAGE = Path("data/results/field2026.parquet"), Path("data/advice.json"), Path("docs/field2026-data.md")
DROPPED = ("study", "cell", "dataset", "kgv_gain")  # what other columns say, or of real data


def keep_runs(metrics: Path) -> None:
    """Keep the runs in single precision, without empty columns, and write the page of their columns."""
    table, about = parquet.read_table(metrics)
    if (about["scale"], int(about["seed"])) != (SCALE, SEED):
        raise SystemExit(f"field: {metrics} is of the {about['scale']} scale, seed {about['seed']}; keep {SCALE} alone")
    empty = [name for name in table.column_names if table[name].null_count == len(table)]
    table = table.drop_columns([name for name in table.column_names if name in DROPPED or name in empty])
    floats = [pa.field(f.name, pa.float32()) if pa.types.is_float64(f.type) else f for f in table.schema]
    pq.write_table(table.cast(pa.schema(floats)), KEPT, compression="zstd", compression_level=19)
    PAGE.write_text(page(pq.read_table(KEPT), KEPT.stat().st_size), encoding="utf-8")


def page(table: pa.Table, size: int) -> str:
    """Return the page that says what the columns of the kept runs are."""
    networks, grids = len(set(table["network"].to_pylist())), sorted(set(table["grid"].to_pylist()))
    runs = f"{table.num_rows:,} runs of the study `{STUDY}`, {SCALE} scale, seed {SEED}, {size / 1e6:.1f} MB"
    lines = [
        *("# The runs of field2026", ""),
        f"`data/results/{STUDY}.parquet` has a row for each of {runs}.",
        f"It has {networks} networks, and of the grids of the study {listed(grids)}.",
        "Key: `grid`, `network`, `replicate`, `n`, `noise`, `method`; the last is a row of `config/methods.yaml`.",
        "Numbers have single precision; what does not apply is null. In Python `pyarrow.parquet.read_table` reads",
        *("it, in R `arrow::read_parquet`.", ""),
        *("| column | type | meaning |", "| --- | --- | --- |"),
        *(f"| `{field.name}` | {field.type} | {MEANINGS[field.name]} |" for field in table.schema),
    ]
    return "\n".join([*lines, ""])


def advice() -> dict:
    """Return the table of `cutpoint.advise`, from the kept runs of the crossed methods."""
    metrics = pq.read_table(KEPT, filters=[("grid", "=", "factorial")]).to_pandas()
    rows = method_rows()
    methods = [Method(name, rows[name]["label"], rows[name]["category"]) for name in dict.fromkeys(metrics["method"])]
    inputs = Inputs(
        study=STUDY,
        metrics=metrics,
        networks={},
        datasets={},
        published={},
        methods=methods,
        scale=Scale(SCALE, SEED, 1),
    )
    return advice_of(losses_of(inputs), scale=SCALE, seed=SEED, version=package_version())


def main(arguments: Sequence[str] | None = None) -> None:
    """Keep the runs of a folder, if one is given, and make the advice."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help=f"with results/{STUDY}")
    folder = parser.parse_args(arguments).folder
    if folder:
        keep_runs(folder / "results" / STUDY / "metrics.parquet")
    ADVICE.write_text(json.dumps(advice(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
