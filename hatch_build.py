"""The build of a wheel compiles the kernels of all methods into it, so that the first call of a method need not.

The wheel still runs everywhere: where they do not fit, kernels are compiled at their first call, see
`cutpoint.kernels.compiling`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
# The level of `cutpoint.kernels.compiling.LEVEL`, all of it and nothing more.
PROCESSOR = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}


class Kernels(BuildHookInterface):
    """Adds what it compiles to the files of the wheel."""

    def initialize(self, version, build_data):
        """Compile in a process of its own, whose Numba takes the processor from its environment."""
        if version != "editable":  # a clone compiles what is called
            env = os.environ | PROCESSOR | {"PYTHONPATH": "src"}
            subprocess.run([sys.executable, __file__], cwd=ROOT, env=env, check=True)
            build_data["artifacts"].append("/src/cutpoint/kernels/built")
            if platform := os.environ.get("AUDITWHEEL_PLAT"):  # in images of cibuildwheel: a wheel for each Python
                build_data["tag"] = f"cp{sys.version_info[0]}{sys.version_info[1]}-none-{platform}"


def compile_all():
    """Run every shipped method, and the proof of an optimum, on a small sample, where the processor is able to."""
    import numpy as np
    from numba.core.codegen import get_host_cpu_features

    from cutpoint.discretization.binning import equal_frequency
    from cutpoint.discretization.certified import best_network
    from cutpoint.kernels import compiling
    from cutpoint.method.rows import method_of, method_rows

    if not compiling.fits(get_host_cpu_features()):
        print("no kernels are compiled: this processor is below", compiling.LEVEL)
        return
    compiling.BUILT.mkdir(exist_ok=True)
    compiling.folders = lambda: [compiling.BUILT]
    for name, row in method_rows().items():
        if row["category"] not in ("external", "reference"):
            method_of(name, {}).warm()
    values, discrete = np.random.default_rng(0).random((40, 3)), np.zeros(3, bool)
    limits = {"max_levels": 3, "max_parents": 2, "ess": 1.0, "seconds": 60.0}
    best_network(values, discrete, equal_frequency(values, discrete, bins=3), "steck", **limits)
    current = {compiling.name(str(file)) for file in compiling.BUILT.parent.glob("*.py")}
    for place in compiling.BUILT.iterdir():  # locks, and what other text was compiled to
        if place.is_file():
            place.unlink()
        elif place.name not in current:
            shutil.rmtree(place)


if __name__ == "__main__":
    compile_all()
