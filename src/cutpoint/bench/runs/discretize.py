"""Find the thresholds from which methods learn before these start: once for all methods of a job that share them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cutpoint.bench.runs.runner import Limits, Rows, Task, run_all
from cutpoint.bench.runs.warm import warm_all
from cutpoint.learners.learned import Learned
from cutpoint.method.method import Discretizer, Method


def shared(methods: Mapping[str, Method], least: int = 1) -> tuple[dict[str, Discretizer], dict[str, str]]:
    """Return each discretizer by the first method that has it, and by method the name of its own there.

    Args:
        methods: of a job.
        least: how many methods must have one; what is left out a method finds in its own run.
    """
    discretizers, name_of = dict[str, Discretizer](), dict[str, str]()
    for name, method in methods.items():
        if discretizer := method.discretizer:
            same = next((known for known, other in discretizers.items() if other == discretizer), name)
            discretizers.setdefault(same, discretizer)
            name_of[name] = same
    users = Counter(name_of.values())
    name_of = {name: same for name, same in name_of.items() if users[same] >= least}
    return {name: discretizers[name] for name in dict.fromkeys(name_of.values())}, name_of


def discretize(discretizers: Mapping[str, Discretizer], paths: Sequence[str], limits: Limits) -> Rows:
    """Return the runs and thresholds of discretizers on all data sets of some files, each run under limits."""
    if not discretizers:
        return Rows()
    tasks = {name: _task(discretizer) for name, discretizer in discretizers.items()}
    return run_all(tasks, paths, limits, warm=lambda: warm_all(discretizers.values(), limits))


def _task(discretizer: Discretizer) -> Task:
    """Return a discretizer as a task, whose result is one without a graph."""

    def find(values: Any, discrete: Any, _: Any, about: Any) -> Learned:
        start = time.process_time()
        thresholds = discretizer.find(values, discrete, about.variables, about.knowledge)
        return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)

    return Task(find, named=True, knowing=True)
