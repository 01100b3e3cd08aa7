"""Keep what the page on papers shows of published runs: `uv run tools/papers.py FOLDER ...`.

Of every study with results/STUDY in a FOLDER it keeps the claims, one table and the readings, in place of those of an
earlier run (data/results). `tools/tables.py` makes the page of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

RESULTS = Path(__file__).parents[1] / "data" / "results"
TABLES = {  # the table of each study that is kept
    "calibration": "table_calibration",
    "fu2005": "table_V-4",
    "growth": "table_exponents",
    "mabrouk2015": "table_gaps",
    "maua2018": "table_effects",
    "steck2007": "table_2",
}


def keep(file: Path, rows: pd.DataFrame) -> None:
    """Replace the kept rows of the studies that have new ones; columns are those of the file."""
    kept = pd.read_csv(file, dtype=str, keep_default_na=False)
    others = kept[~kept["study"].isin(rows["study"])]
    together = pd.concat([others, rows[[*kept]]]).sort_values("study", kind="stable")
    together.to_csv(file, index=False, lineterminator="\n")


def main(folders: list[str]) -> None:
    """Keep claims, tables and readings of the studies in some folders."""
    for path in (path for folder in folders for path in sorted(Path(folder).glob("results/*"))):
        of_study = {"dtype": str, "keep_default_na": False}
        if (claims := path / "claims.csv").is_file():
            keep(RESULTS / "claims.csv", pd.read_csv(claims, **of_study))
        if (table := path / "tables" / f"{TABLES.get(path.name)}.csv").is_file():
            keep(RESULTS / "findings.csv", pd.read_csv(table, **of_study).assign(study=path.name, table=table.stem))
        if (readings := path / "experiments" / "readings.parquet").is_file():
            keep(RESULTS / "explanations.csv", pd.read_parquet(readings).assign(study=path.name))


if __name__ == "__main__":
    main(sys.argv[1:])
