"""Snakemake's timers: none is left over from finished jobs, and a limit of jobs per time still holds."""

import re
import subprocess
import sys
import threading

from snakemake.scheduling.job_scheduler import JobScheduler
from workflow_tools import ROOT

from cutpoint.bench.workflow import hooks

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
