"""Find thresholds with each discretizer on every data set of a batch."""

from cutpoint.bench.data.params import DiscretizeJob
from cutpoint.bench.runs.discretize import discretize, read, write
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Earlier, Limits

if __name__ == "__main__":
    with job(snakemake.log[0]):
        output, code = snakemake.output[0], snakemake.params.code
        todo: DiscretizeJob = snakemake.params.todo
        rows = discretize(
            todo.discretizers,
            snakemake.input.data,
            Limits.of(snakemake.config),
            wanted=todo.runs,
            codes={name: f"{code[name]} {discretizer}" for name, discretizer in todo.discretizers.items()},
            earlier=Earlier(read(output)),
        )
        write(rows, output, todo.limits)
