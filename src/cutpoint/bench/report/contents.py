"""What lies in a folder of results, as a text file in it."""

from __future__ import annotations

import re
from pathlib import Path

TEXT = """What lies in this folder

{lines}

STUDY is one of: {studies}.
A file that ends in .parquet is a table: pandas.read_parquet("runs.parquet") reads it, and so does arrow in R.
In files below "learned", and in values.parquet, variables are called V01, V02 and so on, in another order for each
data set. cp.edges("STUDY") has their real names. docs/files.md explains every column.
"""
FILES = {  # by path; words in capitals and * stand for any name
    "report.html": "all tables and figures on one page; start here",
    "runs.parquet": "one row per run of every study: settings, errors, time, memory",
    "runs.csv.gz": "the same for a spreadsheet",
    "runs.schema.json": "what the columns of this table mean",
    "datasets/*.parquet": "a real data set, or your own data",
    "STUDY/tables": "each table as CSV, Markdown, HTML, LaTeX and JSON",
    "STUDY/figures": "each figure as SVG, PDF and PNG, with a text that describes it",
    "STUDY/claims.csv": "what the paper says, and whether these runs support it",
    "STUDY/metrics.parquet": "one row per run of the study",
    "STUDY/edges.parquet": "how often samples of a data set led to each edge",
    "STUDY/held_out.parquet": "the likelihood of records that were not learned from",
    "STUDY/predictions.parquet": "how often a learned network predicts a variable",
    "STUDY/experiments/*.parquet": "the results of computations other than runs of methods",
    "STUDY/models": "networks fitted to your data, as pages to look at and in formats of other programs",
    "STUDY/networks/*/*/*.bif": "the random networks that data were drawn from",
    "STUDY/simulated/BATCH/codes.parquet": "records of the true networks",
    "STUDY/simulated/BATCH/values.parquet": "simulated data as the methods see them",
    "STUDY/simulated/BATCH/true_*.parquet": "what references learn from, the codes behind these data",
    "STUDY/simulated/BATCH/test.parquet": "records that no method learned from",
    "STUDY/real/BATCH/values.parquet": "samples of real data as the methods see them",
    "STUDY/*/BATCH/discretized/*.parquet": "the thresholds that discretizers found, and how each ended",
    "STUDY/*/BATCH/learned/JOB/edges.parquet": "the edges that each method learned",
    "STUDY/*/BATCH/learned/JOB/thresholds.parquet": "the thresholds between the bins that each method chose",
    "STUDY/*/BATCH/learned/JOB/runs.parquet": "how each run ended, its time and memory",
}
WORDS = re.compile("STUDY|BATCH|JOB")  # names that differ


def write_readme(folder: Path) -> None:
    """Write ``README.txt`` into a folder of results: a line for each kind of file that is there."""
    there = {name: text for name, text in FILES.items() if next(folder.glob(WORDS.sub("*", name)), None)}
    width = max(map(len, there), default=0)
    lines = "\n".join(f"{name:<{width}}  {text}" for name, text in there.items())
    studies = ", ".join(sorted({path.parent.name for path in folder.glob("*/claims.csv")}))
    (folder / "README.txt").write_text(TEXT.format(lines=lines, studies=studies), encoding="utf-8")
