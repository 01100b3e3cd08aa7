"""Jobs that learn start without pandas, which takes a third of a second of each."""

import subprocess
import sys

import pytest
from script_tools import ROOT

START = """
import sys
sys.path.insert(0, {scripts!r})
import {script}
assert "pandas" not in sys.modules, "pandas"
"""


@pytest.mark.parametrize("script", ["learn", "discretize", "evaluate", "sample", "noise", "experiment"])
def test_a_job_imports_no_pandas(script):
    code = START.format(scripts=str(ROOT / "scripts"), script=script)
    subprocess.run([sys.executable, "-c", code], check=True)
