"""Print what the selected studies will take; none of their jobs is run."""

from pathlib import Path

from cutpoint.bench.runs.jobs import job
from cutpoint.bench.workflow.forecast import Forecast, Load, read_costs


def cost(costs, loads, groups, limit, cores):
    """Return the page."""
    return Forecast(read_costs(Path(costs)), groups, limit).page([Load(**load) for load in loads], cores)


if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        page = cost(
            snakemake.input.costs,
            snakemake.params.loads,
            snakemake.params.groups,
            snakemake.params.limit,
            snakemake.params.cores,
        )
        print(page)
        log.info("%s", page)
