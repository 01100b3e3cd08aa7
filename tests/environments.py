"""Environments of other programs, made by uv from the files of envs, which name all that they hold."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = {path.stem: path for path in (ROOT / "envs").glob("*.*") if path.suffix in (".txt", ".py")}


def ask(name, folder, script, *words):
    """Return what a script prints as JSON in its last line, run in an environment that is made in a folder.

    Where none can be made the test is skipped.
    """
    if not (uv := shutil.which("uv")):
        pytest.skip("no program uv, which makes the environment")
    pins = ["--no-deps", "--requirements", str(FILES[name])]
    command = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(folder), *pins]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        pytest.skip(f"the environment of {name} cannot be made: {process.stderr.strip().splitlines()[-1]}")
    here = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src")])}
    command = [sys.executable, "-S", str(script), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=here)
    return json.loads(done.stdout.splitlines()[-1])
