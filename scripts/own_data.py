"""Read a user's table and write it in the form of the public data sets."""

from collections.abc import Mapping
from typing import Any

from cutpoint.bench.data.params import OWN
from cutpoint.bench.data.parquet import write_data
from cutpoint.bench.data.status import OK
from cutpoint.bench.runs.jobs import job
from cutpoint.data.user_table import Roles, TextForm, read
from cutpoint.data.worries import worries


def make(
    path: str,
    output: str,
    *,
    reading: Mapping[str, Any],
    truth: str | None = None,
    knowledge: Mapping[str, Any] | None = None,
) -> None:
    """Write the table of a user's file, the types of its columns and what is known of them.

    reading: the arguments of `Roles` and of `TextForm`; knowledge: the plain data of a `cutpoint.Knowledge`.
    """
    table = read(path, Roles(**reading["roles"]), TextForm(**reading["form"]))
    weights, dropped = table.roles.weights, table.dropped_rows
    about = {"cell": OWN, "source": table.source, "types": table.types, "dropped_rows": dropped, "weights": weights}
    found = worries(table.values, table.discrete, table.variables, weights is not None, dropped)
    about["worries"] = [(*each,) for each in found]  # in their order
    about |= table.about | ({"truth": truth} if truth else {}) | ({"knowledge": knowledge} if knowledge else {})
    blocks = [(0, table.values[table.records])]  # so that a file with its rows shuffled is the same data set
    gaps = [name for name, column in zip(table.variables, table.missing.T, strict=True) if column.any()]
    write_data(output, table.variables, blocks, discrete=[*table.levels], gaps=gaps, status=OK, message="", **about)


if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        params = snakemake.params
        about = {"truth": params.truth, "knowledge": params.knowledge}
        make(snakemake.input[0], snakemake.output[0], reading=params.reading, **about)
        log.info(OK)
