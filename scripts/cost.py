"""Print what the selected studies will cost; nothing of them is run or needed."""

from pathlib import Path

from cutpoint.runs.jobs import job
from cutpoint.tools import costs, forecast


def cost(laws, loads, groups, limit, cores):
    """Return the page."""
    return forecast.text(loads, costs.Model(costs.read(Path(laws)), groups, limit), cores)


if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        page = cost(
            snakemake.input.laws,
            snakemake.params.loads,
            snakemake.params.groups,
            snakemake.params.limit,
            snakemake.params.cores,
        )
        print(page)
        log.info("%s", page)
