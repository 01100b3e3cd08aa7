"""Find the thresholds of the discretizers of a job on every data set of a batch."""

import time
from functools import partial

from cutpoint.learners.learned import Learned
from cutpoint.method import assembly
from cutpoint.runs import warming
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits, Task, run_all


def find(values, frozen, policy, row, about):
    """Return the thresholds of one data set and their cost, as a result without a graph."""
    start = time.process_time()
    thresholds = assembly.discretize(values, frozen, row, about.variables)
    return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        rows, limits = snakemake.params.rows, Limits(*snakemake.params.limits)
        results = run_all(
            {name: Task(partial(find, row=row), named=True) for name, row in rows.items()},
            snakemake.input.data,
            limits,
            warm=lambda: warming.warm_all(assembly.warm_discretizer, rows.values(), limits),
        )
        results.write(**snakemake.output)
