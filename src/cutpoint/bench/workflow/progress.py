"""What a run shows on the screen: bars on a terminal and a line for each stage; the log file has everything."""

from __future__ import annotations

import logging
import os
import re
import time
from collections import Counter
from collections.abc import Collection, Mapping
from copy import copy
from datetime import timedelta
from typing import Any

PAUSE = 300.0  # seconds without a line, after which the next job that ends gives one
REDRAWN = 0.1  # seconds between two drawings of the bars
BAR = 30  # characters
OF_JOBS = {"job_info", "job_started", "job_finished", "group_info", "shellcmd", "progress"}  # events of Snakemake
OF_START = {"workflow_started", "resources_info"}
UNSAID = re.compile(
    "host:|Assuming unrestricted shared filesystem|Building DAG of jobs|Using shell:|Group jobs: inactive"
    "|Conda environments: ignored|Select jobs to execute|Execute [0-9]+ jobs|Job rate limit reached"
    "|Job [0-9]+ has been submitted with SLURM|Submitted array job"
)
CLEAR = "\x1b[J"  # from the cursor to the end of the screen


def attach(logger: logging.Logger, settings: Any) -> None:
    """Put a `Screen` in place of Snakemake's own handler of the screen, unless the user asks for more, less or another.

    Args:
        logger: Snakemake's.
        settings: its settings of output.
    """
    more = any(getattr(settings, name, False) for name in ("printshellcmds", "verbose", "debug_dag"))
    quiet = {getattr(each, "name", each) for each in getattr(settings, "quiet", None) or ()}
    own = [handler for handler in logger.handlers if handler.name == "DefaultStreamHandler"]
    if more or quiet & {"RULES", "PROGRESS", "ALL"} or len(own) != 1 or not isinstance(own[0], logging.StreamHandler):
        return
    files = [handler.baseFilename for handler in logger.handlers if isinstance(handler, logging.FileHandler)]
    logger.removeHandler(own[0])
    logger.addHandler(Screen(own[0], files, bool(getattr(settings, "dryrun", False))))


def end(logger: logging.Logger) -> None:
    """Take the bars away, so that other lines can be printed."""
    for handler in logger.handlers:
        if isinstance(handler, Screen):
            handler.end()


class Screen(logging.Handler):
    """Keeps what Snakemake says of single jobs off the screen, but for errors, and says how far each stage is.

    The cursor stays above the bars: what a job itself writes to the terminal is then written over them and is not lost.
    """

    def __init__(self, shown: logging.StreamHandler, files: Collection[str], dryrun: bool) -> None:
        super().__init__(shown.level)
        self.shown, self.files, self.dryrun = shown, files, dryrun
        self.begin = self.said = time.monotonic()
        self.drawn = 0.0
        self.bars = not dryrun and shown.stream.isatty() and os.environ.get("TERM") != "dumb"
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
            self._draw()
        except BrokenPipeError:
            raise
        except Exception:
            self.handleError(record)

    def end(self) -> None:
        """Take the bars away for good."""
        self.acquire()
        try:
            self._clear()
            self.bars = False
        finally:
            self.release()

    def close(self) -> None:
        """End, as Snakemake wants it."""
        self.end()
        self.shown.close()
        super().close()

    def _begin(self, stats: Mapping[str, int]) -> None:
        if self.total:  # a dry run counts twice
            return
        for rule, number in stats.items():
            if rule != "total":
                self.total[rule] += number
        if self.dryrun:
            table = [*self.total.items(), ("jobs", self.total.total())]
            self._say(*(f"{number:6,} {stage}" for stage, number in table))
        else:
            self._say(f"{self.total.total():,} jobs" + "".join(f"; full log: {file}" for file in self.files))

    def _finish(self, stage: str) -> None:
        self.done[stage] += 1
        if self.done[stage] == self.total[stage]:
            self._line(f"{stage}: {self.done[stage]:,} jobs" if self.done[stage] > 1 else stage)
        elif not self.bars and time.monotonic() > self.said + PAUSE:
            self._line(f"{self.done.total():,} of {self.total.total():,} jobs")

    def _line(self, text: str) -> None:
        share = self.done.total() / max(self.total.total(), 1)
        self._say(f"{timedelta(seconds=int(time.monotonic() - self.begin))} {share:5.0%}  {text}")

    def _say(self, *lines: str) -> None:
        self._clear()
        self.shown.stream.writelines(f"{line}\n" for line in lines)
        self.shown.flush()
        self.said = time.monotonic()

    def _pass(self, record: logging.LogRecord, message: str) -> None:
        if "(check individual jobs above for details)" in message:
            record = copy(record)
            record.msg = message.replace("(check individual jobs above for details)", "(-p lists the jobs)")
        self._clear()
        self.shown.handle(record)

    def _clear(self) -> None:
        if self.bars and self.drawn:
            self.shown.stream.write(f"\r{CLEAR}")
            self.shown.flush()
            self.drawn = 0.0

    def _draw(self) -> None:
        now = time.monotonic()
        if not self.bars or (self.drawn and now < self.drawn + REDRAWN):
            return
        width, height = os.get_terminal_size(self.shown.stream.fileno())
        begun = [stage for stage in dict.fromkeys(self.stages.values()) if self.done[stage] < self.total[stage]]
        numbers = [(stage, self.done[stage], self.total[stage]) for stage in begun[: max(height - 2, 0)]]
        numbers += [("all jobs", self.done.total(), self.total.total())] if begun else []
        if not numbers:
            return
        longest = max(len(stage) for stage, _, _ in numbers)
        lines = [f"{stage:{longest}} {self._bar(done / most)} {done:,}/{most:,}" for stage, done, most in numbers]
        back = f"\x1b[{len(lines) - 1}F" if len(lines) > 1 else "\r"
        self.shown.stream.write(f"\r{CLEAR}" + "\n".join(line[: width - 1] for line in lines) + back)
        self.shown.flush()
        self.drawn = now

    def _bar(self, share: float) -> str:
        full, empty = "█░" if "utf" in str(getattr(self.shown.stream, "encoding", "")).lower() else "#."
        return f"{full * int(BAR * share):{empty}<{BAR}}"
