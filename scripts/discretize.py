"""Find thresholds with each discretizer on every data set of a batch."""

from cutpoint.bench.runs.discretize import discretize, read, write
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Earlier, Limits
from cutpoint.method.method import Discretizer

if __name__ == "__main__":
    with job(snakemake.log[0]):
        params, output = snakemake.params, snakemake.output[0]
        rows = discretize(
            {name: Discretizer(**plain) for name, plain in params.discretizers.items()},
            snakemake.input.data,
            Limits.of(snakemake.config),
            wanted=params.runs,
            codes={name: f"{code} {params.discretizers[name]}" for name, code in params.code.items()},
            earlier=Earlier(read(output)),
        )
        write(rows, output, params.limits)
