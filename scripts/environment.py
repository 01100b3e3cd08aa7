"""Make the environment of an outside program; where that fails, its folder says why."""

import sys

from cutpoint.bench.runs import environments
from cutpoint.bench.runs.jobs import job

if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        folder = snakemake.output[0]
        if reason := environments.make(snakemake.input.requirements, folder):
            log.error(reason)
            end = f"runs that need it will be errors; try again with --forcerun {folder}"
            print(f"cutpoint: {folder}: {reason}; {end}", file=sys.stderr)
