"""Fixtures and small builders shared by the tests."""

import os
from pathlib import Path

os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest


def pytest_addoption(parser):
    """Add the flag that writes golden files anew, for a change that is meant."""
    parser.addoption("--regenerate", action="store_true", help="write the files of tests/golden anew")


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(20050101)


@pytest.fixture(scope="session")
def workflow(tmp_path_factory):
    """A copy of the repository to run the workflow from."""
    from workflow_tools import Workflow, copy_repository

    base = tmp_path_factory.mktemp("workflow")
    for name in ("clone", "mirror", "ready"):
        (base / name).mkdir()
    return Workflow(copy_repository(base / "clone"), base / "mirror", base / "ready")


@pytest.fixture(scope="session")
def finished(workflow, tmp_path_factory):
    """A finished run of the tiny scale: its folder and what it said; others take its compiled kernels."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    done = workflow.run(folder)
    workflow.take_kernels(folder)
    return folder, done


@pytest.fixture(scope="session")
def all_studies(request, tmp_path_factory):
    """Results of all studies at the tiny scale: of a run in the folder CUTPOINT_GOLDEN_RUN, or of one of our own."""
    if given := os.environ.get("CUTPOINT_GOLDEN_RUN"):
        return Path(given) / "results"
    workflow = request.getfixturevalue("workflow")
    folder = workflow.folder(tmp_path_factory.mktemp("runs") / "all")
    process = workflow.start(folder, study=None)
    said, _ = process.communicate(timeout=60 * 15)
    assert process.returncode == 0, said
    return folder / "results"
