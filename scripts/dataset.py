"""Fetch a real data set, check it, and write it as a table; where no place has it, write why.

The table has one row group, replicate 0, or none. Its metadata say what a reader of the results needs: status
("ok" or "unavailable") and message, roles, states and cardinalities of the columns, checksums of the files.
"""

import logging
import sys

from cutpoint.base.errors import InputError
from cutpoint.data.datasets import make_entry, parse
from cutpoint.data.downloads import fetch
from cutpoint.data.parquet import write_data


def make(entry, output, *, mirror=None, own=None, timeout=5.0):
    """Write the table of an entry and return its status."""
    fetched = fetch(entry, mirror=mirror, own=own, timeout=timeout)
    about = {"cell": entry.name, "title": entry.title, "target": entry.target, "sha256": fetched.checksums}
    for reason in fetched.reasons:
        logging.warning(reason)
    if not fetched.files:
        message = "; ".join(fetched.reasons)
        write_data(output, [], [], status="unavailable", message=message, cardinalities={}, **about)
        return "unavailable"
    data = parse(entry, fetched.files)
    about |= {
        "cardinalities": {name: len(states) for name, states in data.levels.items()},
        "levels": data.levels,
        "notes": data.notes,
        "uncounted": data.uncounted,
    }
    discrete = [name for name, flag in zip(data.variables, data.discrete, strict=True) if flag]
    blocks = [(0, data.values)]
    write_data(output, data.variables, blocks, discrete=discrete, status="ok", message="", **about)
    return "ok"


if __name__ == "__main__":
    logging.basicConfig(filename=snakemake.log[0], level=logging.INFO, format="%(message)s")
    try:
        status = make(
            make_entry(snakemake.wildcards.dataset, snakemake.params.entry, source="config/datasets.yaml"),
            snakemake.output[0],
            mirror=snakemake.params.get("mirror"),
            own=next(iter(snakemake.input), None),
            timeout=snakemake.params.get("timeout", 5.0),
        )
    except InputError as error:
        logging.error(error)
        sys.exit(f"dataset {snakemake.wildcards.dataset}: {error}")
    logging.info(status)
