"""Find thresholds with each discretizer on every data set of a batch."""

from cutpoint.bench.data.params import DiscretizeJob
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Earlier, Limits, discretize, read_discretized, write_discretized
from cutpoint.bench.runs.warm import warm_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        output, code, limits = snakemake.output[0], snakemake.params.code, Limits.of(snakemake.config)
        todo: DiscretizeJob = snakemake.params.todo
        rows = discretize(
            todo.discretizers,
            snakemake.input.data,
            limits,
            warm=lambda: warm_all(todo.discretizers.values(), limits),
            wanted=todo.runs,
            codes={name: f"{code[name]} {discretizer}" for name, discretizer in todo.discretizers.items()},
            earlier=Earlier(read_discretized(output)),
        )
        write_discretized(rows, output, todo.limits)
