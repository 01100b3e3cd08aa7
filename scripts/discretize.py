"""Find the thresholds of the discretizers of a job on every data set of a batch."""

import time

from cutpoint.learners.learned import Learned
from cutpoint.method.method import Discretizer
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits, Task, run_all
from cutpoint.runs.warm import warm_all


def task(discretizer):
    """Return a discretizer as a task, whose result is one without a graph."""

    def find(values, discrete, _, about):
        start = time.process_time()
        thresholds = discretizer.find(values, discrete, about.variables, about.knowledge)
        return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)

    return Task(find, named=True, knowing=True)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        discretizers = {name: Discretizer(**plain) for name, plain in snakemake.params.discretizers.items()}
        limits = Limits(*snakemake.params.limits)
        results = run_all(
            {name: task(discretizer) for name, discretizer in discretizers.items()},
            snakemake.input.data,
            limits,
            warm=lambda: warm_all(discretizers.values(), limits),
        )
        results.write(**snakemake.output)
