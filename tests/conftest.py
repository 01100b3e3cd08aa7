"""Fixtures and small builders shared by the tests."""

import os

os.environ.setdefault("NUMBA_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(20050101)
