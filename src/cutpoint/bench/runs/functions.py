"""Run the function ``learn`` of Python files on every data set of a batch, here or in an environment of its own.

In an environment of its own, see `environments`, one process runs the whole batch, so that its start is paid once:
``python -m cutpoint.bench.runs.functions JOB.json`` there does what `run` does here.
"""

import json
import logging
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.bench.data.params import Wanted
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import About, Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.learners.learned import Learned
from cutpoint.method import checks
from cutpoint.method.functions import accepted, resolve

log = logging.getLogger("cutpoint")


@dataclass(frozen=True)
class FunctionRuns:
    """What is run: methods with limits of CPU time and memory on the data sets of a file."""

    methods: Mapping[str, tuple[str, Mapping[str, Any]]]  # file and options by name
    discretizers: Mapping[str, str]  # of the methods that learn from codes
    data: str
    discretized: Sequence[str]  # files of thresholds
    seconds: float
    mb: float
    ours: bool = False  # whether a rule of the workflow names the file, not a user's row
    wanted: Wanted | None = None  # on which data sets which methods run; all on all without
    codes: Mapping[str, str] = field(default_factory=dict)  # a digest of what each method computes
    earlier: Rows = field(default_factory=Rows)  # runs that are kept


def learn(
    values: np.ndarray,
    discrete: np.ndarray,
    thresholds: Sequence[np.ndarray] | None,
    *,
    about: About,
    file: str,
    options: Mapping,
    seeded: bool = True,
) -> Learned:
    """Return what the function of a file learns; in a child process, which also imports it.

    With thresholds it is called as ``learn(codes, cardinalities, **options)``, without as ``learn(values, discrete,
    **options)``; seeded: a keyword-only parameter ``seed`` that options leave out is that of the run.
    """
    name = f"{file}:learn"
    function = resolve(name)
    data = (values, discrete) if thresholds is None else (encode(values, thresholds), cardinalities(thresholds))
    start = time.process_time()
    seed = accepted(function, {"seed": about.seed}) if seeded else {}
    learned = checks.structure(function(*data, **{**seed, **options}), about.variables, name)
    if learned.learn_seconds is None:
        learned.learn_seconds = time.process_time() - start
    if thresholds is not None:
        learned.thresholds = list(thresholds)
    return learned


def _refuse(values, discrete, thresholds, *, why: Exception) -> Learned:
    raise why


def run(batch: FunctionRuns, refusal: Exception | None = None) -> Rows:
    """Run a batch in this process and its children; with a refusal every run that is not kept ends with this."""

    def task(name: str) -> Task:
        file, options = batch.methods[name]
        function: Any = partial(learn, file=file, options=options, seeded=not batch.ours)
        if refusal:
            function = partial(_refuse, why=refusal)
        warm = None if refusal or batch.ours else partial(_load, file)
        code, own = batch.codes.get(name, ""), not batch.ours
        return Task(function, batch.discretizers.get(name), named=not refusal, warm=warm, own=own, code=code)

    return run_all(
        {name: task(name) for name in batch.methods},
        batch.data,
        Limits(batch.seconds, batch.mb),
        Discretizations.read(batch.discretized),
        warm=partial(_warm, batch) if batch.ours and not refusal else None,
        wanted=batch.wanted,
        earlier=Earlier(batch.earlier),
    )


def _warm(batch: FunctionRuns) -> None:
    """Import files that are ours in this process and call their ``load``."""
    for file in {file for file, _ in batch.methods.values()}:
        try:
            _load(file)
        except Exception as problem:  # each of its runs gets a status
            log.info("not warm: %s", problem)


def _load(file: str) -> None:
    module = user_code.module_of(file)
    if hasattr(module, "load"):
        module.load()


def main(path: str) -> None:
    """Run the batch of a JSON file in this process."""
    content = json.loads(Path(path).read_text())
    output, log_file, earlier = (content.pop(key) for key in ("output", "log", "earlier"))
    with job(log_file):
        batch = FunctionRuns(**content, earlier=Rows(**earlier))
        Path(output).write_text(json.dumps(asdict(run(batch)), default=np.generic.item))


if __name__ == "__main__":
    main(sys.argv[1])
