"""What a run shows on the screen: a line for each stage and now and then one between; the log file has everything."""

from __future__ import annotations

import logging
import re
import time
from collections import Counter
from collections.abc import Collection, Mapping
from copy import copy
from datetime import timedelta
from typing import Any

PAUSE, WATCHED = 300.0, 10.0  # seconds without a line, in a file and on a terminal; the next job that ends gives one
OF_JOBS = {"job_info", "job_started", "job_finished", "group_info", "shellcmd", "progress"}  # events of Snakemake
OF_START = {"workflow_started", "resources_info"}
UNSAID = re.compile(
    "host:|Assuming unrestricted shared filesystem|Building DAG of jobs|Using shell:|Group jobs: inactive"
    "|Conda environments: ignored|Select jobs to execute|Execute [0-9]+ jobs|Job rate limit reached"
    "|Job [0-9]+ has been submitted with SLURM|Submitted array job"
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
        self.done: Counter[str] = Counter()
        self.stages: dict[int, str] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Take what Snakemake says."""
        event, message = getattr(record, "event", None), str(record.msg)
        try:
            if event == "run_info":
                self._begin(record.__dict__["stats"])
            elif event == "job_info":
                self.stages[record.__dict__["jobid"]] = record.__dict__["rule_name"]
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
