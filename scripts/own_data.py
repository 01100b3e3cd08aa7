"""Read a user's own data and write them as a table like those of the real data sets."""

from cutpoint.base.names import OWN
from cutpoint.data import own_data
from cutpoint.data.parquet import write_data
from cutpoint.runs.jobs import job


def make(path, output, *, roles, truth=None):
    """Write the table of a user's file, and what the columns were taken for; see `cutpoint.data.own_data.read`."""
    data = own_data.read(path, own_data.Roles(**roles))
    about = {
        "cell": OWN,
        "source": data.source,
        "types": data.types,
        "dropped_rows": data.dropped_rows,
        "notes": data.notes,
        "levels": data.levels,
        "cardinalities": {name: len(states) for name, states in data.levels.items()},
        **({"truth": truth} if truth else {}),
    }
    discrete = [name for name, flag in zip(data.variables, data.discrete, strict=True) if flag]
    write_data(output, data.variables, [(0, data.values)], discrete=discrete, status="ok", message="", **about)


if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        make(snakemake.input[0], snakemake.output[0], roles=snakemake.params.roles, truth=snakemake.params.truth)
        log.info("ok")
