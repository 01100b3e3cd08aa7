"""Fixtures and small builders shared by the tests."""

import gc
import os
import signal
from collections import Counter
from pathlib import Path

os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell lets what stands in the background ignore interrupts, and so would all that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The same examples each time, so that a failure comes from a change; a busy machine draws them slowly.
common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=15, derandomize=True, **common)
settings.register_profile("thorough", max_examples=200, **common)  # pytest --hypothesis-profile thorough: others
settings.load_profile("quick")
gc.set_threshold(100_000)  # else it looks through thousands of collected tests again and again


def pytest_terminal_summary(terminalreporter, config):
    """Say where the CPU seconds went."""
    if count := config.getoption("costs"):
        spent = config.stash.get(COSTS, Counter())
        rest = cpu_seconds() - spent.total()
        terminalreporter.write_sep("=", f"{cpu_seconds():.0f} CPU seconds, {rest:.0f} of them to collect, by file")
        for name, seconds in spent.most_common(count):
            terminalreporter.write_line(f"{seconds:8.1f} {name}")


def pytest_addoption(parser):
    """Add the flag that writes golden files anew, for a change that is meant."""
    parser.addoption("--regenerate", action="store_true", help="write the files of tests/golden anew")
    parser.addoption("--costs", type=int, default=0, metavar="N", help="show the N files that take most CPU seconds")


COSTS = pytest.StashKey[Counter]()
SLOW = frozenset(Path(__file__).with_name("slow.txt").read_text().split())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as slow the files, tests and cases in slow.txt: those that take a sixth of a CPU second or more."""
    for item in items:
        path, _, name = item.nodeid.partition("::")
        if not SLOW.isdisjoint((path, f"{path}::{name.partition('[')[0]}", item.nodeid)):
            item.add_marker("slow")


def cpu_seconds():
    """CPU seconds of this process and of all children that have ended; a cluster's daemons are no children."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Book what a test takes, with its fixtures, on its file."""
    before = cpu_seconds()
    result = yield
    item.config.stash.setdefault(COSTS, Counter())[item.nodeid.partition("::")[0]] += cpu_seconds() - before
    return result


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(20050101)


@pytest.fixture(scope="session")
def workflow(tmp_path_factory):
    """A copy of the repository to run the workflow from."""
    from workflow_tools import Workflow

    return Workflow.make(tmp_path_factory.mktemp("workflow"))


@pytest.fixture(scope="session")
def finished(workflow, tmp_path_factory):
    """A finished tiny run of all studies: its folder and what it said."""
    folder = workflow.folder(tmp_path_factory.mktemp("runs") / "finished")
    done = workflow.run(folder, study=None)
    assert done.code == 0, done.text
    return folder, done


@pytest.fixture(scope="session")
def own_study(workflow, tmp_path_factory):
    """Results of the study of own data: a small mixed table with a gap, its true network, and two methods."""
    from user_tables import table, text, truth

    from cutpoint.networks.network import write_network

    user = tmp_path_factory.mktemp("reordered")
    names = ["mpg", "doors", "serial", "weight", "make", "electric"]  # test_workflow_own.py has another order
    (user / "cars.csv").write_text(text({name: table()[name] for name in names}))
    write_network(truth(), user / "cars.bif")
    keys = {"data": "cars.csv", "truth": "cars.bif", "drop": "serial", "missing": "drop", "methods": "[eqfreq3,bach]"}
    with workflow.cut("src/cutpoint/bench/studies/own/study.yaml", block=2):
        done = workflow.run(workflow.folder(user / "run"), study=None, resample="jackknife", **keys)
    assert done.code == 0, done.text
    return user / "run" / "results"


@pytest.fixture(scope="session")
def all_studies(request):
    """Results of all studies at the tiny scale: of a run in the folder CUTPOINT_GOLDEN_RUN, or of one of our own."""
    folder = os.environ.get("CUTPOINT_GOLDEN_RUN")
    return (Path(folder) if folder else request.getfixturevalue("finished")[0]) / "results"
