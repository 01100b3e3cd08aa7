"""What is said at the end of a run: which runs did not succeed, for no job fails by them, and where the report is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq


def lines(studies: Iterable[str], start: float) -> list[str]:
    """Return a line for each study some of whose runs did not succeed, and one for the report.

    Args:
        studies: their names.
        start: when this run began, in seconds since 1970; files of runs before it are left out.
    """
    report = Path("results", "report.html")
    made = [study for study in studies if _is_new(Path("results", study, "metrics.parquet"), start)]
    found = [line for study in made for line in _failures(study)]
    return [*found, f"report: {report.resolve()}"] if _is_new(report, start) else found


def _is_new(path: Path, start: float) -> bool:
    with suppress(OSError):
        return path.stat().st_mtime >= start
    return False


def _failures(study: str) -> list[str]:
    counts: Counter[str] = Counter()
    with suppress(Exception):  # a run that has ended well must not fail by what is said of it
        path = Path("results", study, "metrics.parquet")
        counts.update(pq.read_table(path, columns=["status"], page_checksum_verification=True)["status"].to_pylist())
    total, good = counts.total(), counts.pop("ok", 0)
    kinds = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    return [f"{study}: {total - good} of {total} runs did not succeed: {kinds}"] if counts else []
