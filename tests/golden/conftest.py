"""Fixtures of the golden files."""

import pytest
from comparing import Golden


@pytest.fixture
def golden(request):
    """Make the golden files of a folder: compared, or written anew with --regenerate."""
    return lambda folder: Golden(folder, request.config.getoption("--regenerate"))
