"""Figures with their titles, of which tests read the words."""

import pytest

from cutpoint.bench.plots.style import with_titles


@pytest.fixture(autouse=True)
def titles():
    with with_titles(True):
        yield
