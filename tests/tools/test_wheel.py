"""The wheel: kernels that the build compiled, read where it is installed."""

import os
import subprocess
import sys

import pytest
from numba.core.codegen import get_host_cpu_features

from cutpoint.base.user_code import ROOT
from cutpoint.kernels.compiling import fits

METHODS = "steck3", "friedman3", "hartemink", "mgcd", "bach", "pc_fisherz", "pc_g2"
LEARN = f"""
import numpy as np
import cutpoint as cp

values = np.random.default_rng(1).standard_normal((150, 6)).cumsum(axis=1)
for method in {METHODS}:
    cp.learn(values, method)
print(cp.__file__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the wheel is installed; what the clone was built of before is not compiled again."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ["uv", "build", "--quiet", "--wheel", "--python", sys.executable, "--out-dir", folder / "dist", ROOT]
    subprocess.run(build, check=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    target = ["--target", folder / "installed", "--no-deps", "--python", sys.executable]
    subprocess.run(["uv", "pip", "install", "--quiet", *target, wheel], check=True)
    return folder / "installed"


@pytest.mark.skipif(not fits(get_host_cpu_features()), reason="an older processor")
def test_methods_of_a_wheel_compile_nothing(installed, tmp_path):
    variables = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    env = variables | {"PYTHONPATH": str(installed), "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", LEARN]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(installed))
    assert not list(tmp_path.rglob("*.nbi"))
    assert "compiling" not in done.stderr
