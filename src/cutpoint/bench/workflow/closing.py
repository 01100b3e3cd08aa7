"""The lines printed at the end of a run: the jobs and the runs that failed, and where the report is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import shorten
from typing import Any

from cutpoint.base.text import first_of
from cutpoint.bench.data.metrics import OK, UNAVAILABLE
from cutpoint.bench.runs.jobs import COSTS

LAST = 12  # lines of a log that are shown
LONGEST = 80  # characters of a message


def failed_jobs(jobs: Iterable[Any]) -> list[str]:
    """Return the rule and the end of the log of each job, or job of a group, that lacks some of its outputs."""
    single = [job for one in jobs for job in (one.jobs if one.is_group() else [one])]
    failed = [job for job in single if not all(Path(path).exists() for path in job.output)]
    logs = sorted((job.rule.name, next(iter(job.log), "")) for job in failed)
    lines = [line for rule, log in logs for line in (f"  {rule}: {log or 'no log'}", *_last_lines(log))]
    return [f"{len(logs)} failed:", *lines] if logs else []


def _last_lines(log: str) -> list[str]:
    with suppress(OSError):
        return [f"    {line}" for line in COSTS.sub("", Path(log).read_text("utf-8", "replace")).splitlines()[-LAST:]]
    return []


def failed_runs(studies: Iterable[str], start: float) -> list[str]:
    """Return a line for each study some of whose runs failed, and the place of the report.

    Files from before this run of the workflow, which began at `start` in seconds since 1970, are left out.
    """
    report = Path("results", "report.html")
    files = [(study, Path("results", study, "metrics.parquet")) for study in studies]
    lines = [_statuses(study, path) for study, path in files if _is_new(path, start)]
    return [*filter(None, lines), *([f"report: {report.resolve()}"] if _is_new(report, start) else [])]


def _is_new(path: Path, start: float) -> bool:
    with suppress(OSError):
        return path.stat().st_mtime >= start
    return False


def _statuses(study: str, path: Path) -> str:
    import pyarrow.parquet as pq  # the Snakefile, which every job reads, needs no tables

    with suppress(Exception):  # a summary must not fail a run that has ended well
        table = pq.read_table(path, columns=["status", "message", "dataset"], page_checksum_verification=True)
        failed = [run for run in table.to_pylist() if run["status"] != OK]
        counts = sorted(Counter(run["status"] for run in failed).items())
        reasons = ", ".join(f"{n} {status}{_reason(status, failed)}" for status, n in counts)
        return f"{study}: {len(failed)} of {len(table)} runs did not succeed: {reasons}" if failed else ""
    return ""


def _reason(status: str, failed: Sequence[Mapping[str, str | None]]) -> str:
    """Return in short why runs ended with a status: the data sets that could not be had, or the commonest message."""
    runs = [run for run in failed if run["status"] == status]
    if status == UNAVAILABLE:
        names = sorted({run["dataset"] for run in runs if run["dataset"]})
        return f" (no data of {first_of(names)})" if names else ""
    messages = Counter(run["message"] for run in runs if run["message"]).most_common()
    if not messages:
        return ""
    others = len(messages) - 1
    more = f"; {others} other reason{'s' * (others > 1)}" if others else ""
    return f" ({shorten(str(messages[0][0]), LONGEST, placeholder='...')}{more})"
