"""Compile the kernels of all methods before a large run."""

from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import warm_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        warm_all(snakemake.params.methods)
