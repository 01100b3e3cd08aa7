"""What is on the screen during a run: a line for each stage, errors in full."""

import io
import logging
from types import SimpleNamespace

import pytest

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
