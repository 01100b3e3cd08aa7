"""Compile the kernels of all methods before a large run."""

from cutpoint.method import method
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits
from cutpoint.runs.warm import warm_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        warm_all(map(method.of, snakemake.params.methods.values()), Limits(*snakemake.params.limits))
