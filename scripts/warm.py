"""Compile the kernels of all methods before a large run."""

from cutpoint.method import assembly
from cutpoint.runs.jobs import job
from cutpoint.runs.runner import Limits
from cutpoint.runs.warming import warm_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        warm_all(assembly.warm, snakemake.params.rows.values(), Limits(*snakemake.params.limits))
