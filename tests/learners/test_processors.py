"""Graphs do not depend on the processor: not on the order in which its linear algebra adds up.

OpenBLAS has kernels of its own for each family of processors; OPENBLAS_CORETYPE names the family, and this file run as
a program learns on it. Columns that are nearly equal leave few digits of a score, so that the last must decide nothing.
"""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

RECORDS, SEEDS = 300, 12
FAMILIES = {"Haswell": "avx2", "SkylakeX": "avx512f"}  # of processors, with an instruction that they need


def lacking(family):
    """Return why OpenBLAS cannot run here as on a family of processors, or None where it can."""
    facts = Path("/proc/cpuinfo")
    if not facts.exists():
        return "needs /proc/cpuinfo"
    return None if FAMILIES[family] in facts.read_text().split() else f"needs a processor with {FAMILIES[family]}"


def learned_on(family):
    """Return what `learn_all` gives in a process of its own, as on a family of processors."""
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


def learn_all():
    """Return the edges and the score of each graph, by score, search and table."""
    from cutpoint.learners.boss import boss
    from cutpoint.learners.conditional_gaussian import conditional_gaussian
    from cutpoint.learners.ges import ges
    from cutpoint.learners.greedy import hill_climbing, tabu
    from cutpoint.learners.kgv import kgv
    from cutpoint.learners.normal_scores import bge, degenerate_gaussian, gaussian_bic
    from cutpoint.learners.order import exact, order_search

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


# What rounding may change in a family at most: 1e-6 a record.
ABSOLUTE = 1e-6 * RECORDS


@pytest.fixture(scope="module")
def learned():
    """What is learned on each family of processors that can be had here."""
    families = FAMILIES
    if reason := next(filter(None, map(lacking, families)), None):
        pytest.skip(f"{reason}, to compare what is learned on {' and '.join(families)}")
    return [learned_on(family) for family in families]


@pytest.mark.parametrize("score", ["kgv", "gaussian_bic", "degenerate_gaussian", "conditional_gaussian", "bge"])
def test_two_processors_learn_one_graph(learned, score):
    one, other = ({k: v for k, v in each.items() if k.startswith(f"{score},")} for each in learned)
    assert one
    assert {k: graph for k, (graph, _) in one.items()} == {k: graph for k, (graph, _) in other.items()}
    assert [total for _, total in one.values()] == pytest.approx(
        [total for _, total in other.values()], abs=6 * ABSOLUTE
    )


if __name__ == "__main__":
    print(json.dumps(learn_all()))
