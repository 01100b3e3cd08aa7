"""Hooks into Snakemake: what a run shows on the screen, the lines at its end, and its timers."""

import logging
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from datetime import timedelta
from pathlib import Path
from textwrap import shorten
from typing import Any

from cutpoint.base.text import first_of
from cutpoint.bench.data.status import OK, UNAVAILABLE
from cutpoint.bench.runs.jobs import COSTS

CLOCKS = 60.0  # seconds by which those of machines may differ
PAUSE, WATCHED = 300.0, 10.0  # seconds without a line, in a file and on a terminal; the next job that ends gives one
OF_JOBS = {"job_info", "job_started", "job_finished", "group_info", "shellcmd", "progress"}  # events of Snakemake
OF_START = {"workflow_started", "resources_info"}
UNSAID = re.compile(
    "host:|Assuming unrestricted shared filesystem|Building DAG of jobs|Using shell:|Group jobs: inactive"
    "|Conda environments: ignored|Select jobs to execute|Execute [0-9]+ jobs|Job rate limit reached"
    "|Job [0-9a-f-]+ has been submitted with SLURM|Submitted array job"
    "|DAG of jobs will be updated|Updating checkpoint dependencies|Removing temporary output"
)


def attach(logger: logging.Logger, settings: Any) -> None:
    """Put a `Screen` in place of Snakemake's own handler of the screen, unless its settings ask for more or less."""
    more = any(getattr(settings, name, False) for name in ("printshellcmds", "verbose", "debug_dag"))
    quiet = {getattr(each, "name", each) for each in getattr(settings, "quiet", None) or ()}
    own = [handler for handler in logger.handlers if handler.name == "DefaultStreamHandler"]
    if more or quiet & {"RULES", "PROGRESS", "ALL"} or len(own) != 1 or not isinstance(own[0], logging.StreamHandler):
        return
    files = [handler.baseFilename for handler in logger.handlers if isinstance(handler, logging.FileHandler)]
    logger.removeHandler(own[0])
    logger.addHandler(Screen(own[0], files, bool(getattr(settings, "dryrun", False))))


class Screen(logging.Handler):
    """Keeps what Snakemake says of single jobs off the screen, but for errors, and says how far each stage is."""

    def __init__(self, screen: logging.StreamHandler, files: Collection[str], dryrun: bool) -> None:
        super().__init__(screen.level)
        self.screen, self.files, self.dryrun = screen, files, dryrun
        self.begin = self.last = time.monotonic()
        self.total: Counter[str] = Counter()
        self.started: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.stages: dict[int, str] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Take what Snakemake says."""
        event, message = getattr(record, "event", None), str(record.msg)
        try:
            if event == "run_info":
                self._begin(record.__dict__["stats"])
            elif event == "job_info":
                job, stage = record.__dict__["jobid"], record.__dict__["rule_name"]
                self.started[stage] += job not in self.stages
                self.total[stage] = max(self.total[stage], self.started[stage])  # a checkpoint may ask for more
                self.stages[job] = stage
            elif event == "job_finished":
                self._finish(self.stages.get(record.__dict__["job_id"], ""))
            elif event not in OF_JOBS | OF_START and not (record.levelno <= logging.INFO and UNSAID.match(message)):
                self._pass(record, message)
        except BrokenPipeError:
            raise
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """End, as Snakemake wants it."""
        self.screen.close()
        super().close()

    def _begin(self, stats: Mapping[str, int]) -> None:
        if self.total:  # a dry run counts twice
            return
        self.total.update({rule: number for rule, number in stats.items() if rule != "total"})
        if self.dryrun:
            table = [*self.total.items(), ("jobs", self.total.total())]
            self._say(*(f"{number:6,} {stage}" for stage, number in table))
        else:
            self._say(f"{self.total.total():,} jobs" + "".join(f"; full log: {file}" for file in self.files))

    def _finish(self, stage: str) -> None:
        self.done[stage] += 1
        if self.done[stage] == self.total[stage]:
            self._line(f"{stage}: {self.done[stage]:,} jobs" if self.done[stage] > 1 else stage)
        elif time.monotonic() > self.last + (WATCHED if self.screen.stream.isatty() else PAUSE):
            self._line(f"{self.done.total():,} of {self.total.total():,} jobs")

    def _line(self, text: str) -> None:
        share = self.done.total() / max(self.total.total(), 1)
        self._say(f"{timedelta(seconds=int(time.monotonic() - self.begin))} {share:5.0%}  {text}")

    def _say(self, *lines: str) -> None:
        self.screen.stream.writelines(f"{line}\n" for line in lines)
        self.screen.flush()
        self.last = time.monotonic()

    def _pass(self, record: logging.LogRecord, message: str) -> None:
        if "(check individual jobs above for details)" in message:
            record = copy(record)
            record.msg = message.replace("(check individual jobs above for details)", "(-p lists the jobs)")
        self.screen.handle(record)


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
    """Return what is to be said of the runs of each study, such as how many failed, and the place of the report.

    Files from before this run of the workflow, which began at `start` in seconds since 1970, are left out.
    """
    report = Path("results", "report.html")
    files = [(study, Path("results", study, "metrics.parquet")) for study in studies]
    lines = [_statuses(study, path) for study, path in files if _is_new(path, start)]
    return [*filter(None, lines), *([f"report: {report.resolve()}"] if _is_new(report, start) else [])]


def of_the_future(folder: str = "results") -> list[str]:
    """Return a line on files of a folder whose times are to come, as what is made from them then seems older."""
    paths = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    late = sorted(path for path in paths if os.lstat(path).st_mtime > time.time() + CLOCKS)
    return [f"{first_of(late)}: of a time in the future; `touch` it, or what is made from it seems older"] * bool(late)


def _is_new(path: Path, start: float) -> bool:
    with suppress(OSError):
        return path.stat().st_mtime >= start
    return False


def _statuses(study: str, path: Path) -> str:
    import pyarrow.parquet as pq  # the Snakefile, which every job reads, needs no tables

    with suppress(Exception):  # a summary must not fail a run that has ended well
        columns = ["status", "message", "dataset", "method"]
        runs = pq.read_table(path, columns=columns, page_checksum_verification=True).to_pylist()
        failed = [run for run in runs if run["status"] != OK]
        counts = sorted(Counter(run["status"] for run in failed).items())
        reasons = ", ".join(f"{n} {status}{_reason(status, failed)}" for status, n in counts)
        lines = [f"{study}: {len(failed)} of {len(runs)} runs did not succeed: {reasons}"] if failed else []
        told = {(run["method"], run["message"]) for run in runs if run["status"] == OK and run["message"]}
        return "\n".join(lines + [f"{study}: {method}: {message}" for method, message in sorted(told)])
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


def wake_when_limited() -> bool:
    """Let Snakemake wake its scheduler by a timer only where its limit of jobs per time has held jobs back.

    Snakemake 9 starts a timer at the end of each round in which jobs are ready, and the timer starts the next round
    (github.com/snakemake/snakemake/issues/3804): each finished job adds a round per second and a thread, until none is
    ready. A round is needed only once the limit lets more jobs start. All other rounds come from jobs that have ended.

    Returns whether Snakemake's scheduler is one that can be changed so.
    """
    cls = getattr(sys.modules.get("snakemake.scheduling.job_scheduler"), "JobScheduler", None)
    schedule = getattr(cls, "_schedule_reevalutation", None)
    if cls is None or schedule is None:
        return False

    def limited(self: Any, delay: float) -> None:
        if _is_needed(self):
            now = time.monotonic()
            if now >= getattr(self, "_next_wake", now):  # else a timer runs already
                self._next_wake = now + delay
                schedule(self, delay)

    if not hasattr(schedule, "waits"):
        limited.waits = True  # type: ignore[attr-defined]
        cls._schedule_reevalutation = limited
    return True


def stop_beside() -> None:
    """Let a thread tell the scheduler of SIGTERM, whose handler waits for ever where the scheduler holds its lock."""
    cls: Any = getattr(sys.modules.get("snakemake.scheduling.job_scheduler"), "JobScheduler", None)
    if stop := getattr(cls, "exit_gracefully", None):
        cls.exit_gracefully = lambda self, *_: threading.Thread(target=stop, args=(self,)).start()


def _is_needed(scheduler: Any) -> bool:
    try:
        limiter = scheduler.job_rate_limiter
        waits = scheduler.workflow.dag.has_unfinished_queue_input_jobs()  # for input that no job makes
        return waits or len(limiter._jobs) >= limiter.max_jobs  # it forgets old ones only when the next round begins
    except AttributeError:  # another Snakemake: as it wants
        return True
