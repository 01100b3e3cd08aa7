"""Snakemake's timers: none is left over from finished jobs, and a limit of jobs per time still holds."""

import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from workflow_tools import ROOT, note_start

from cutpoint.bench.workflow import timers

JOBS = 60
SNAKEFILE = f"""
import sys, threading, time
sys.path.insert(0, {str(ROOT / "src")!r})
from cutpoint.bench.workflow import timers
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
    note_start(command)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = re.search(r"threads: (\d+) seconds: (\S+)", done.stdout)
    return int(found[1]), float(found[2])


@pytest.mark.slow
def test_finished_jobs_leave_no_timers(tmp_path):
    remedy = "assert timers.wake_when_limited()"
    assert threads(tmp_path / "with", remedy)[0] <= 2
    assert threads(tmp_path / "without", "")[0] > JOBS / 4  # else Snakemake needs the remedy no longer


@pytest.mark.slow
def test_a_limit_still_holds_and_the_run_goes_on(tmp_path):
    left, seconds = threads(tmp_path / "run", "timers.wake_when_limited()", "--max-jobs-per-timespan", "20/1s")
    assert left <= 3  # the last jobs may have met the limit
    assert seconds > 2  # twenty at once, and the others after one and two seconds


def scheduler(jobs):
    """A scheduler whose limit is two jobs, some of which have just been started."""
    dag = SimpleNamespace(has_unfinished_queue_input_jobs=lambda: False)
    limiter = SimpleNamespace(_jobs=[0.0] * jobs, max_jobs=2)

    class Scheduler:
        def __init__(self):
            self.workflow, self.job_rate_limiter, self.delays = SimpleNamespace(dag=dag), limiter, []

        def _schedule_reevalutation(self, delay):
            self.delays.append(delay)

    return Scheduler


@pytest.mark.parametrize(("jobs", "delays"), [(1, []), (2, [60])])
def test_one_timer_runs_at_a_time_and_only_where_the_limit_is_met(jobs, delays):
    kind = scheduler(jobs)
    assert timers.wake_when_limited(kind)
    assert timers.wake_when_limited(kind)  # a second time it changes nothing
    one = kind()
    for _ in range(3):
        one._schedule_reevalutation(60)
    assert one.delays == delays


def test_input_from_a_queue_is_waited_for():
    kind = scheduler(0)
    timers.wake_when_limited(kind)
    one = kind()
    one.workflow.dag.has_unfinished_queue_input_jobs = lambda: True
    one._schedule_reevalutation(10)
    assert one.delays == [10]


def test_another_snakemake_stays_as_it_is():
    assert not timers.wake_when_limited(type("Other", (), {}))
    kind = scheduler(0)
    timers.wake_when_limited(kind)
    one = kind()
    del one.job_rate_limiter
    one._schedule_reevalutation(1)
    assert one.delays == [1]
