"""Fixtures of the golden files."""

import os
from pathlib import Path

import pytest
from comparing import Golden
from user_tables import table, text, truth

from cutpoint.networks.network import write_network

MINUTES = 15  # it takes two on two idle cores


@pytest.fixture
def golden(request):
    """Make the golden files of a folder: compared, or written anew with --regenerate."""
    return lambda folder: Golden(folder, request.config.getoption("--regenerate"))


@pytest.fixture(scope="session")
def own_study(workflow, tmp_path_factory):
    """Results of the study of own data: a small mixed table with a gap, its true network, and two methods."""
    user = tmp_path_factory.mktemp("golden_user")
    (user / "cars.csv").write_text(text(table()))
    write_network(truth(), user / "cars.bif")
    given = {"data": "cars.csv", "truth": "cars.bif", "drop": "serial", "missing": "drop", "methods": "[eqfreq3,bach]"}
    done = workflow.run(workflow.folder(user / "run"), study=None, resample="jackknife", **given)
    assert done.code == 0, done.text
    return user / "run" / "results"


@pytest.fixture(scope="session")
def all_studies(request, tmp_path_factory):
    """Results of all studies at the tiny scale: of a run in the folder CUTPOINT_GOLDEN_RUN, or of one of our own."""
    if given := os.environ.get("CUTPOINT_GOLDEN_RUN"):
        return Path(given) / "results"
    workflow = request.getfixturevalue("workflow")
    folder = workflow.folder(tmp_path_factory.mktemp("runs") / "all")
    process = workflow.start(folder, study=None)
    said, _ = process.communicate(timeout=60 * MINUTES)
    assert process.returncode == 0, said
    return folder / "results"
