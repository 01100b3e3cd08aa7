"""Learn a structure with each method of a job from every data set of a batch."""

from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.bench.runs.warm import warm_all
from cutpoint.method import method


def task(chosen, code):
    """Return a method as a task, with the name of the discretizer from whose thresholds it learns."""

    def learn(values, discrete, thresholds, about):
        return chosen.learn(values, discrete, thresholds, about.variables, about.knowledge)

    discretizer = chosen.discretizer and chosen.discretizer.name
    warm = chosen.warm if chosen.is_shipped else None
    return Task(learn, discretizer, named=True, knowing=True, warm=warm, code=code)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params, limits = snakemake.input, snakemake.params, Limits.of(snakemake.config)
        methods = {name: method.of(plain) for name, plain in params.methods.items()}
        results = run_all(
            {name: task(chosen, f"{params.code[name]} {params.methods[name]}") for name, chosen in methods.items()},
            files.data,
            limits,
            Discretizations.read(files.discretized),
            warm=lambda: warm_all(methods.values(), limits),
            wanted=params.runs,
            earlier=Earlier(Rows.read(**snakemake.output)),
        )
        results.write(**snakemake.output, limits=params.limits)
