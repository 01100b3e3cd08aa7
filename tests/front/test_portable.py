"""The public functions on a system without the Linux calls of supervised runs: only these need them."""

import subprocess
import sys

PROGRAM = """
import os, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "termios", "pwd", "grp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("resource", "fcntl", "termios", "pwd", "grp"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Hidden())
for name in ("pidfd_open", "fork", "getpgid", "killpg", "setsid", "waitid", "sched_getaffinity"):
    if hasattr(os, name):
        delattr(os, name)
opened = os.open
def hide(path, *rest, **options):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(path)
    return opened(path, *rest, **options)
os.open = hide
scanned = os.scandir
os.scandir = lambda path=".": hide(path) if str(path).startswith("/proc") else scanned(path)

import numpy as np
import cutpoint as cp
for name in cp.__all__:
    getattr(cp, name)
values = np.random.default_rng(1).normal(size=(60, 3))
values[:, 1] += 2 * values[:, 0]
learned = cp.learn(values, "eqfreq3")
assert learned.dag.sum() and len(learned.thresholds) == 3
cp.edge_confidence(values, "eqfreq3", samples=2)
assert not [name for name in sys.modules if name.startswith("cutpoint.bench.runs")], "runs"
"""


def test_learning_needs_no_linux():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
