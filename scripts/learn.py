"""Learn a structure with each method of a job from every data set of a batch."""

from cutpoint.bench.data.params import LearnJob
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, run_all, warm_all
from cutpoint.method.method import Method


def task(method: Method, code: str) -> Task:
    """Return a method as a task, with the name of the discretizer from whose thresholds it learns."""

    def learn(values, discrete, thresholds, about):
        mine = method.seeded(about.seed) if own else method
        return mine.learn(values, discrete, thresholds, about.variables, about.knowledge, about.ordered)

    discretizer = method.discretizer.name if method.discretizer else None
    own = any(not each.is_shipped for key, each in method.functions.items() if key != "discretizer")
    warm = method.warm if own or method.is_shipped else method.warm_search
    return Task(learn, discretizer, named=True, knowing=True, warm=warm, own=own, code=f"{code} {method}")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, code, limits = snakemake.input, snakemake.params.code, Limits.of(snakemake.config)
        todo: LearnJob = snakemake.params.todo
        results = run_all(
            {name: task(method, code[name]) for name, method in todo.methods.items()},
            files.data,
            limits,
            Discretizations.read(files.discretized),
            warm=lambda: warm_all(todo.methods.values()),
            wanted=todo.runs,
            earlier=Earlier(Rows.read(**snakemake.output)),
        )
        results.write(**snakemake.output, limits=todo.limits)
