"""What lies in a folder of results, as a text file in it; `contents.csv` has a line for each kind of file."""

import re
from collections.abc import Mapping
from pathlib import Path

from cutpoint.data.csv_files import read_csv

TEXT = """What lies in this folder

{lines}

STUDY is one of: {studies}.
A file that ends in .parquet is a table: pandas.read_parquet("runs.parquet") reads it, and so does arrow in R.
In files below "learned", and in values.parquet, variables are called V01, V02 and so on, in another order for each
data set. cp.edges("STUDY") has their real names. docs/files.md explains every column.

How the files were made

{provenance}
"""
# By path; words in capitals and * stand for any name.
FILES = {row["path"]: row["contents"] for row in read_csv(Path(__file__).with_suffix(".csv"))}
POSTERIOR = "posterior.*", "chains/*.pickle"
WORDS = re.compile("STUDY|BATCH|JOB")  # names that differ


def write_readme(folder: Path, provenance: Mapping[str, str], posterior: bool = False) -> None:
    """Write ``README.txt`` into a folder of results: a line for each kind of file there, and how they were made."""
    found = {name: next(folder.glob(WORDS.sub("*", name)), None) is not None for name in FILES} | dict.fromkeys(
        POSTERIOR, posterior
    )
    there = {name: text for name, text in FILES.items() if found[name]}
    width = max(map(len, there), default=0)
    lines = "\n".join(f"{name:<{width}}  {text}" for name, text in there.items())
    studies = ", ".join(sorted({path.parent.name for path in folder.glob("*/claims.csv")}))
    made = "\n".join(f"{name}: {text}" for name, text in provenance.items())
    (folder / "README.txt").write_text(TEXT.format(lines=lines, studies=studies, provenance=made), encoding="utf-8")
