"""Fixtures of the golden files."""

import os
from pathlib import Path

import pytest
from comparing import Golden

MINUTES = 15  # it takes two on two idle cores


@pytest.fixture
def golden(request):
    """Make the golden files of a folder: compared, or written anew with --regenerate."""
    return lambda folder: Golden(folder, request.config.getoption("--regenerate"))


@pytest.fixture(scope="session")
def all_studies(request, tmp_path_factory):
    """Results of all studies at the tiny scale: of a run in the folder CUTPOINT_GOLDEN_RUN, or of one of our own."""
    if given := os.environ.get("CUTPOINT_GOLDEN_RUN"):
        return Path(given) / "results"
    workflow = request.getfixturevalue("workflow")
    folder = workflow.folder(tmp_path_factory.mktemp("runs") / "all")
    process = workflow.start(folder, study=None)
    text, _ = process.communicate(timeout=60 * MINUTES)
    assert process.returncode == 0, text
    return folder / "results"
