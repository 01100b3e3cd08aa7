"""Learn a structure with each method of a job from every data set of a batch."""

from cutpoint.bench.runs.discretize import discretize, shared
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Limits, Task, run_all
from cutpoint.bench.runs.warm import warm_all
from cutpoint.method import method


def task(made, discretizer):
    """Return a method as a task, with the name of the discretization that it learns from."""

    def learn(values, discrete, thresholds, about):
        return made.learn(values, discrete, thresholds, about.variables, about.knowledge)

    return Task(learn, discretizer, named=True, knowing=True)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        data, limits = snakemake.input.data, Limits(*snakemake.params.limits)
        methods = {name: method.of(plain) for name, plain in snakemake.params.methods.items()}
        discretizers, name_of = shared(methods, least=2)  # to start a process takes longer than most discretizations
        results = run_all(
            {name: task(made, name_of.get(name)) for name, made in methods.items()},
            data,
            limits,
            Discretizations(discretize(discretizers, data, limits)),
            warm=lambda: warm_all(methods.values(), limits),
        )
        results.write(**snakemake.output)
