"""Find thresholds with each discretizer on every data set of a batch."""

import time

from cutpoint.bench.data.params import DiscretizeJob
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Earlier, Limits, Task, read_discretized, run_all, warm_all, write_discretized
from cutpoint.learners.learned import Learned
from cutpoint.method.method import DiscretizerFunction


def task(discretizer: DiscretizerFunction, code: str) -> Task:
    """Return a discretizer as a task, whose result is one without a graph."""

    def find(values, discrete, _, about):
        mine, start = discretizer.seeded(about.seed) if own else discretizer, time.process_time()
        thresholds = mine.find(values, discrete, about.variables, about.knowledge)
        return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)

    own = not discretizer.is_shipped
    return Task(find, named=True, knowing=True, warm=discretizer.warm, own=own, code=code)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        output, code, limits = snakemake.output[0], snakemake.params.code, Limits.of(snakemake.config)
        todo: DiscretizeJob = snakemake.params.todo
        rows = run_all(
            {name: task(each, f"{code[name]} {each}") for name, each in todo.discretizers.items()},
            snakemake.input.data,
            limits,
            warm=lambda: warm_all(todo.discretizers.values()),
            wanted=todo.runs,
            earlier=Earlier(read_discretized(output)),
        )
        write_discretized(rows, output, todo.limits)
