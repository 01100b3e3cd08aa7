"""How far a run of the workflow is: done, running, left by rule, the time left, and failures with their logs.

All of it is read from the log that Snakemake writes as it goes, so that any run can be looked at from outside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cutpoint.base.errors import InputError
from cutpoint.tools.forecast import span

CLOCK = re.compile(r"^\[(\w{3} \w{3} +\d+ [\d:]+ \d{4})\]$")
COUNT = re.compile(r"^(\w+) +(\d+)$")
START = re.compile(r"^(?:local)?(?:rule|checkpoint) (\w+):$")
JOB = re.compile(r"^ +jobid: (\d+)$")
LOG = re.compile(r"^ +log: (.+?)(?: \(check log file\(s\) for error details\))?$")
FINISHED = re.compile(r"^Finished jobid: (\d+)")
ERROR = re.compile(r"^Error in (?:rule|group) (\S+?):$")
CORES = re.compile(r"^Provided cores: (\d+)")
LAST = 12  # lines of a failed job's log that are shown
NOT_TOLD = ("all", "total")


@dataclass
class Progress:
    """What the log of a run says.

    Attributes:
        planned: jobs by rule.
        done: wall seconds of every finished job, by rule.
        running: rule and start of each job that runs.
        failed: rule and log of each job that failed and was not done later.
        cores: that the run was given; on a cluster as many as jobs ran at a time.
        begun, seen: the first and the last time in the log.
        ended: whether the run is over.
    """

    planned: Counter[str] = field(default_factory=Counter)
    done: dict[str, list[float]] = field(default_factory=dict)
    running: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    failed: dict[str, tuple[str, str]] = field(default_factory=dict)
    cores: int = 1
    begun: datetime | None = None
    seen: datetime | None = None
    ended: bool = False

    def left(self) -> dict[str, int]:
        """Return how many jobs have not begun, by rule."""
        counts = {rule: len(seconds) for rule, seconds in self.done.items()}
        busy = Counter(rule for rule, _ in self.running.values()) + Counter(rule for rule, _ in self.failed.values())
        return {rule: max(n - counts.get(rule, 0) - busy[rule], 0) for rule, n in self.planned.items()}

    def seconds_left(self, now: datetime) -> float | None:
        """Return the wall seconds that what runs and what is left will take; None before any job has finished.

        A job is taken to need the mean of the finished ones of its rule, or of all where there is none yet.
        """
        every = [second for seconds in self.done.values() for second in seconds]
        if not every:
            return None
        means = {rule: sum(seconds) / len(seconds) for rule, seconds in self.done.items()}
        usual = sum(every) / len(every)
        work = sum(n * means.get(rule, usual) for rule, n in self.left().items())
        rest = [
            max(means.get(rule, usual) - (now - start).total_seconds(), 0.0) for rule, start in self.running.values()
        ]
        return max((work + sum(rest)) / max(self.cores, 1), max(rest, default=0.0))


def read(lines: Iterable[str]) -> Progress:
    """Return what the lines of a log of Snakemake say."""
    found, rule, error, table = Progress(), "", "", False
    most = 0
    for line in map(str.rstrip, lines):
        if clock := CLOCK.match(line):
            found.seen = datetime.strptime(clock[1], "%a %b %d %H:%M:%S %Y")
            found.begun = found.begun or found.seen
        elif line == "Job stats:":
            table = not found.planned
        elif table and (count := COUNT.match(line)):
            table = count[1] != "total"
            if count[1] not in NOT_TOLD:
                found.planned[count[1]] = int(count[2])
        elif cores := CORES.match(line):
            found.cores = int(cores[1])
        elif start := START.match(line):
            rule, error = start[1], ""
        elif problem := ERROR.match(line):
            rule, error = "", problem[1]
        elif (job := JOB.match(line)) and found.seen:
            if error:
                found.running.pop(job[1], None)
                found.failed[job[1]] = (error, "")
            elif rule not in NOT_TOLD:
                found.failed.pop(job[1], None)  # it is tried again
                found.running[job[1]] = (rule, found.seen)
                most = max(most, len(found.running))
            rule = job[1] if error else ""
        elif error and (log := LOG.match(line)) and rule in found.failed:
            found.failed[rule] = (error, log[1].split(", ")[0])
        elif (end := FINISHED.match(line)) and found.seen and end[1] in found.running:
            name, begun = found.running.pop(end[1])
            found.done.setdefault(name, []).append((found.seen - begun).total_seconds())
        elif line.startswith("Complete log(s):"):
            found.ended = True
    found.cores = max(found.cores, most)
    return found


def latest(folder: Path) -> Path:
    """Return the log of the last run in a folder.

    Raises:
        InputError: there is none.
    """
    logs = sorted((folder / ".snakemake" / "log").glob("*.snakemake.log"))
    if not logs:
        raise InputError(f"{folder}: no .snakemake/log; name the folder in which snakemake runs")
    return logs[-1]


def page(found: Progress, folder: Path, now: datetime) -> str:
    """Return one screen: a line for each rule, the sum with the time left, and the failures."""
    left, running = found.left(), Counter(rule for rule, _ in found.running.values())
    lines = [f"{'rule':<26}{'done':>7}{'running':>9}{'left':>7}{'mean':>10}"]
    for rule in found.planned:
        seconds = found.done.get(rule, [])
        mean = span(sum(seconds) / len(seconds)) if seconds else ""
        lines.append(f"{rule:<26}{len(seconds):>7}{running[rule]:>9}{left[rule]:>7}{mean:>10}")
    done, total = sum(map(len, found.done.values())), sum(found.planned.values())
    passed = (found.seen - found.begun).total_seconds() if found.begun and found.seen else 0.0
    more = found.seconds_left(now)
    share = f"{done} of {total} jobs done ({100 * done / total:.0f} %)" if total else "no jobs yet"
    if found.ended:
        lines.append(f"{share}; ended after {span(passed)}")
    else:
        rest = f"about {span(more)} left on {found.cores} cores" if more is not None else "no job has finished yet"
        lines.append(f"{share} in {span(passed)}; {rest}")
    return "\n".join([*lines, *([failures(found, folder)] if found.failed else [])])


def failures(found: Progress, folder: Path) -> str:
    """Return the jobs that failed, each with its log and the last lines of it."""
    lines = [f"{len(found.failed)} failed:"]
    for rule, log in found.failed.values():
        lines.append(f"  {rule}: {log or 'no log'}")
        path = folder / log
        text = path.read_text(encoding="utf-8", errors="replace") if log and path.is_file() else ""
        lines += [f"    {line}" for line in text.splitlines()[-LAST:]]
    return "\n".join(lines)


def closing(studies: Iterable[str], folder: Path) -> list[str]:
    """Return what to say at the end of a run: how many runs of each study did not succeed, and where the report is.

    Args:
        studies: their names.
        folder: in which the workflow ran; what is missing there, or cannot be read, is left out.
    """
    import pyarrow.parquet as pq

    lines, report, made = [], folder / "results" / "report.html", 0.0
    for study in studies:
        path = folder / "results" / study / "metrics.parquet"
        with suppress(Exception):  # a run that has ended well must not fail by what is said of it
            made = max(made, path.stat().st_mtime)
            table = pq.read_table(path, columns=["status"], page_checksum_verification=True)
            counts = Counter(table.column("status").to_pylist())
            total, good = counts.total(), counts.pop("ok", 0)
            if counts:
                kinds = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
                lines.append(f"{study}: {total - good} of {total} runs did not succeed: {kinds}")
    with suppress(OSError):
        if report.stat().st_mtime >= made:  # else it is of a run before
            lines.append(f"report: {report}")
    return lines
