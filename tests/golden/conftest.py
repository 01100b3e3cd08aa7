"""Fixtures of the golden files."""

import pytest
from comparing import Golden
from user_tables import table, text, truth

from cutpoint.networks.network import write_network


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
