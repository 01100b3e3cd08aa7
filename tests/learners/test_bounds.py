"""The kernels of scores and learners never read or write beside an array."""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# Small runs of every kernel of scores and learners.
TESTS = [
    "test_sizes.py::test_sets_tables_and_sorted_records_give_the_same_gains",
    "test_greedy.py",
    "test_scores.py::test_gains_are_differences_of_families[bdeu]",
    "test_pc.py",
    "test_kgv.py",
    "test_exact.py",
]


def test_kernels_stay_inside_their_arrays(tmp_path):
    """Numba checks every index where NUMBA_BOUNDSCHECK is set, in kernels that are compiled anew for it."""
    env = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *TESTS]
    run = subprocess.run(command, cwd=FOLDER, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-3000:]
