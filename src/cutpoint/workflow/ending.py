"""What is said at the end of a run of the workflow: failed jobs with their logs, failed runs, where the report is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

START = re.compile(r"^(?:local)?(?:rule|checkpoint) (\w+):$")
ERROR = re.compile(r"^Error in (?:rule|group) (\S+?):$")
JOB = re.compile(r"^ +jobid: (\d+)$")
LOG = re.compile(r"^ +log: (.+?)(?:, .*)?(?: \(check log file\(s\) for error details\))?$")
FINISHED = re.compile(r"^Finished jobid: (\d+)")
LAST = 12  # lines of a failed job's log that are shown


@dataclass
class Ended:
    """What Snakemake's log says of a run.

    Attributes:
        rules: of which a job was started.
        failed: rule and log of each job that failed and did not succeed when it was tried again, by its number.
    """

    rules: set[str] = field(default_factory=set)
    failed: dict[str, tuple[str, str]] = field(default_factory=dict)


def read(lines: Iterable[str]) -> Ended:
    """Return what the lines of a log of Snakemake say."""
    run, error, job = Ended(), "", ""
    for line in map(str.rstrip, lines):
        if start := START.match(line):
            run.rules.add(start[1])
            error = ""
        elif problem := ERROR.match(line):
            error, job = problem[1], ""
        elif finished := FINISHED.match(line):
            run.failed.pop(finished[1], None)
        elif error and (number := JOB.match(line)):
            job = number[1]
            run.failed[job] = (error, "")
        elif error and job and (log := LOG.match(line)):
            run.failed[job] = (error, log[1])
    return run


def failures(run: Ended, folder: Path) -> list[str]:
    """Return the jobs that failed, each with its log and the last lines of it.

    Args:
        run: what the log says.
        folder: in which the workflow ran.
    """
    lines = [f"{len(run.failed)} failed:"] if run.failed else []
    for rule, log in run.failed.values():
        lines.append(f"  {rule}: {log or 'no log'}")
        path = folder / log
        text = path.read_text(encoding="utf-8", errors="replace") if log and path.is_file() else ""
        lines += [f"    {line}" for line in text.splitlines()[-LAST:]]
    return lines


def results(studies: Iterable[str], folder: Path) -> list[str]:
    """Return how many runs of each study did not succeed, and where the report is.

    Args:
        studies: their names.
        folder: in which the workflow ran; a file that is missing there or cannot be read is left out.
    """
    import pyarrow.parquet as pq

    lines, report, newest = [], folder / "results" / "report.html", 0.0
    for study in studies:
        path = folder / "results" / study / "metrics.parquet"
        with suppress(Exception):  # the run has ended well, whatever is wrong with this summary
            newest = max(newest, path.stat().st_mtime)
            table = pq.read_table(path, columns=["status"], page_checksum_verification=True)
            counts = Counter(table.column("status").to_pylist())
            total, good = counts.total(), counts.pop("ok", 0)
            if counts:
                kinds = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
                lines.append(f"{study}: {total - good} of {total} runs did not succeed: {kinds}")
    with suppress(OSError):
        if report.stat().st_mtime >= newest:  # an older one is of another run
            lines.append(f"report: {report}")
    return lines
