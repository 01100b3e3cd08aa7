"""Compile every kernel that the methods use, once, so that the first jobs find them in the cache."""

from cutpoint.assembly import warm
from cutpoint.jobs import job

if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        for name, row in snakemake.params.rows.items():
            warm(row)
            log.info(name)
