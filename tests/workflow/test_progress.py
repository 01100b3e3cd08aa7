"""Hooks into Snakemake: what is on the screen during a run, and timers that end with their jobs."""

import io
import logging
import re
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from snakemake.scheduling.job_scheduler import JobScheduler
from workflow_tools import ROOT

from cutpoint.bench.workflow import hooks

STATS = {"sample": 2, "learn": 2, "total": 4}
SETTINGS = {"printshellcmds": False, "verbose": False, "debug_dag": False, "dryrun": False, "quiet": None}


@pytest.fixture
def log(tmp_path):
    """A logger that is none of Snakemake's, with a file."""
    logger = logging.Logger("toy")
    logger.addHandler(logging.FileHandler(tmp_path / "full.log"))
    yield logger
    for handler in list(logger.handlers):
        handler.close()


def attached(log, **settings):
    """Put a screen in place; return what it writes to."""
    handler = logging.StreamHandler(io.StringIO())
    handler.name = "DefaultStreamHandler"
    log.addHandler(handler)
    hooks.attach(log, SimpleNamespace(**SETTINGS | settings))
    return handler.stream


def say(log, message, event=None, level=logging.INFO, **content):
    """Say something as Snakemake does."""
    log.log(level, message, extra={"event": event, **content})


def run(log, fails=False):
    """Two stages of two jobs each."""
    say(log, "Building DAG of jobs...")
    say(log, "Job stats: ...", "run_info", stats=STATS)
    for number, rule in enumerate(["sample", "sample", "learn", "learn"]):
        say(log, "Select jobs to execute...")
        say(log, f"rule {rule}:", "job_info", jobid=number, rule_name=rule)
        if fails and number == 3:
            say(log, "Error in rule learn", "job_error", logging.ERROR)
        else:
            say(log, f"Finished jobid: {number}", "job_finished", job_id=number)
            say(log, None, "progress", done=number + 1, total=4)


def test_each_stage_is_a_line_and_the_file_has_all(log, tmp_path):
    stream = attached(log)
    run(log)
    say(log, "Complete log(s): here")
    first, *lines = stream.getvalue().splitlines()
    assert first == f"4 jobs; full log: {tmp_path / 'full.log'}"
    assert lines == ["0:00:00   50%  sample: 2 jobs", "0:00:00  100%  learn: 2 jobs", "Complete log(s): here"]
    text = (tmp_path / "full.log").read_text()
    assert text.count("rule ") == text.count("Finished jobid") == text.count("Select jobs") == 4


def test_errors_are_shown(log):
    stream = attached(log)
    run(log, fails=True)
    say(log, "Select jobs: broken", level=logging.ERROR)
    assert stream.getvalue().splitlines()[1:] == [
        "0:00:00   50%  sample: 2 jobs",
        "Error in rule learn",
        "Select jobs: broken",
    ]


def test_a_long_stage_gives_a_line_now_and_then(log, monkeypatch):
    monkeypatch.setattr(hooks, "PAUSE", -1.0)
    stream = attached(log)
    run(log)
    said = [line.split("  ")[-1] for line in stream.getvalue().splitlines()[1:]]
    assert said == ["1 of 4 jobs", "sample: 2 jobs", "3 of 4 jobs", "learn: 2 jobs"]


def test_a_dry_run_counts_once(log):
    stream = attached(log, dryrun=True)
    for _ in range(2):
        say(log, "Job stats: ...", "run_info", stats=STATS)
    say(log, "Reasons:\n    (check individual jobs above for details)")
    assert stream.getvalue() == "     2 sample\n     2 learn\n     4 jobs\nReasons:\n    (-p lists the jobs)\n"


@pytest.mark.parametrize(
    "settings",
    [{"printshellcmds": True}, {"verbose": True}, {"debug_dag": True}, {"quiet": [SimpleNamespace(name="ALL")]}],
)
def test_who_asks_for_more_or_less_gets_it(log, settings):
    stream = attached(log, **settings)
    run(log)
    assert "rule learn:" in stream.getvalue()


def test_a_plugin_for_the_screen_is_left_alone(log):
    hooks.attach(log, SimpleNamespace(**SETTINGS))
    assert len(log.handlers) == 1


JOBS = 60
SNAKEFILE = f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT / "src")!r})
from cutpoint.bench.workflow import hooks
START = time.time()
REMEDY
rule all:
    input: expand("{{i}}.txt", i=range({JOBS}))
rule one:
    output: "{{i}}.txt"
    shell: "touch {{output}}"
onsuccess:
    print("threads:", threading.active_count(), "seconds:", time.time() - START)
"""


def threads(folder, remedy, *arguments):
    """Run many short jobs; return the threads at their end, and the seconds."""
    folder.mkdir()
    (folder / "Snakefile").write_text(SNAKEFILE.replace("REMEDY", remedy))
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--scheduler", "greedy", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    match = re.search(r"threads: (\d+) seconds: (\S+)", done.stdout)
    return int(match[1]), float(match[2])


def test_finished_jobs_leave_no_timers(tmp_path):
    remedy = "assert hooks.wake_when_limited()"
    assert threads(tmp_path / "with", remedy)[0] <= 2
    assert threads(tmp_path / "without", "")[0] > JOBS / 4  # else Snakemake needs the remedy no longer


def test_a_limit_still_holds_and_the_run_goes_on(tmp_path):
    left, seconds = threads(tmp_path / "run", "hooks.wake_when_limited()", "--max-jobs-per-timespan", "20/1s")
    assert left <= 3  # the last jobs may have met the limit
    assert seconds > 2  # twenty at once, and the others after one and two seconds


def test_a_scheduler_that_holds_its_lock_can_be_told_to_stop(monkeypatch):
    monkeypatch.setattr(JobScheduler, "exit_gracefully", JobScheduler.exit_gracefully)
    hooks.stop_beside()
    scheduler = JobScheduler.__new__(JobScheduler)
    scheduler._lock, scheduler._open_jobs, scheduler._user_kill = threading.Lock(), threading.Semaphore(0), None
    with scheduler._lock:
        scheduler.exit_gracefully(15, None)
    assert scheduler._open_jobs.acquire(timeout=60)
    assert scheduler._user_kill == "graceful"
