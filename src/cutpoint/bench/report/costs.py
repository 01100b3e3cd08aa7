"""What a run cost, by method and by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from cutpoint.bench.data.status import OK
from cutpoint.data.csv_files import read_csv


def by_method(rows: Iterable[Mapping[str, Any]], labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the cost of every method over its runs that succeeded, in the order of the labels.

    Args:
        rows: of the metrics.
        labels: by the name of the method.

    Returns:
        label, runs, median and sum of the CPU seconds of a run (None where a method does not report them), peak in MB.
    """
    runs: dict[str, list[Mapping[str, Any]]] = {name: [] for name in labels}
    for row in rows:
        if row["status"] == OK and row["method"] in runs:
            runs[row["method"]].append(row)
    costs = []
    for name, label in labels.items():
        seconds = [row["seconds"] for row in runs[name] if row["seconds"] is not None]
        peaks = [row["peak_mb"] for row in runs[name] if row["peak_mb"] is not None]
        costs.append(
            {"label": label, "runs": len(runs[name]), "median": median(seconds) if seconds else None}
            | {"total": sum(seconds) if seconds else None, "peak": max(peaks) if peaks else None}
        )
    return costs


def by_rule(folder: Path) -> list[dict[str, Any]]:
    """Return the jobs and wall seconds of every rule from the benchmark files of a study, the longest first.

    Snakemake's benchmark files lack the CPU seconds of processes that have ended: those are in the runs.

    Args:
        folder: of the benchmark files, one a job, below a folder or with the name of its rule.
    """
    jobs: dict[str, list[dict[str, str]]] = {}
    for path in sorted(folder.rglob("*.tsv")):
        parts = path.relative_to(folder).parts
        jobs.setdefault(parts[0].removesuffix(".tsv"), []).extend(read_csv(path, separator="\t"))
    rules = [
        {
            "rule": rule,
            "jobs": len(rows),
            "wall": sum(_number(row.get("s")) for row in rows),
            "peak": max((_number(row.get("max_rss")) for row in rows), default=0.0),
        }
        for rule, rows in jobs.items()
    ]
    return sorted(rules, key=lambda each: (-each["wall"], each["rule"]))


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:  # "NA" for a job too short to be sampled
        return 0.0
