"""Print what the selected studies will take; none of their jobs is run."""

from cutpoint.bench.runs.jobs import job

if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        print(snakemake.params.page)
        log.info("%s", snakemake.params.page)
