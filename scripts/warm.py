"""Compile the kernels of all methods before a large run."""

from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.warm import warm_all
from cutpoint.method import method

if __name__ == "__main__":
    with job(snakemake.log[0]):
        warm_all(map(method.of, snakemake.params.methods.values()), Limits(*snakemake.params.limits))
