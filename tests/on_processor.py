"""What searches learn by scores of values, as JSON: a program for tests that run it as on other processors.

OpenBLAS has kernels of its own for each family of processors, which add up in another order; OPENBLAS_CORETYPE names
the family. Columns that are nearly equal leave few digits of a score, so that the last ones must decide nothing.
"""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np

RECORDS, SEEDS = 300, 12
FAMILIES = {"Haswell": "avx2", "SkylakeX": "avx512f"}  # of processors, with an instruction that they need


def lacking(family):
    """Return why OpenBLAS cannot run here as on a family of processors, or None where it can."""
    facts = Path("/proc/cpuinfo")
    if not facts.exists():
        return "needs /proc/cpuinfo"
    return None if FAMILIES[family] in facts.read_text().split() else f"needs a processor with {FAMILIES[family]}"


def learned_on(family):
    """Return what `learned` gives in a process of its own, as on a family of processors."""
    env = os.environ | {"OPENBLAS_CORETYPE": family}
    run = subprocess.run([sys.executable, __file__], env=env, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


def table(seed):
    """Return columns that are nearly the same and their mirrors, in units of their own, and a discrete one; [N, 6]."""
    rng = np.random.default_rng(seed)
    first, other, *noise = rng.standard_normal((4, RECORDS))
    second = first + other
    near, nearer = first + 1e-4 * noise[0], second + 1e-4 * noise[1]
    values = np.column_stack([first, -near, near, second, nearer, np.digitize(second, [-1, 1])])
    units = np.array([[1, 1, 1, 1, 1, 1], [1, 1e5, 1, 1, 1e5, 1], [1, 1e6, 1e6, 1e6, 1e6, 1]])
    return values * units[seed // 2 % 3], np.arange(6) == 5


def learned():
    """Return the edges and the score of each graph, by score, search and table."""
    from cutpoint.learners.bge import bge
    from cutpoint.learners.boss import boss
    from cutpoint.learners.conditional_gaussian import conditional_gaussian
    from cutpoint.learners.exact import exact
    from cutpoint.learners.gaussian import gaussian_bic
    from cutpoint.learners.ges import ges
    from cutpoint.learners.greedy import hill_climbing, tabu
    from cutpoint.learners.kgv import kgv
    from cutpoint.learners.normal_scores import degenerate_gaussian
    from cutpoint.learners.order import order_search

    searches = {
        "hill_climbing": partial(hill_climbing, max_steps=200),
        "stable": partial(hill_climbing, max_steps=200, order="stable"),
        "tabu": tabu,
        "order_search": partial(order_search, restarts=2, max_worse=50),
        "boss": boss,
        "ges": ges,
        "exact": exact,
    }
    results = {}
    for score in (kgv, gaussian_bic, degenerate_gaussian, conditional_gaussian, bge):
        for seed in range(SEEDS):
            scorer = score(*table(seed))
            for name, search in searches.items():
                result = search(scorer)
                results[f"{score.__name__}, {name}, {seed}"] = [np.argwhere(result.dag).tolist(), result.score]
    return results


if __name__ == "__main__":
    print(json.dumps(learned()))
