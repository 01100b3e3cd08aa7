"""Fetch a real data set, check it, and write it as a table; where no place has it, write why.

The table has one row group, replicate 0, or none. Its metadata say what a reader of the results needs: status
(`OK` or `UNAVAILABLE`) and message, roles, states and cardinalities of the columns, checksums of the files.
"""

import logging
from pathlib import Path
from typing import Any

from cutpoint.bench.data.parquet import write_data
from cutpoint.bench.data.status import OK, UNAVAILABLE
from cutpoint.bench.runs.jobs import job
from cutpoint.data.download import fetch
from cutpoint.data.registry import Entry, make_entry, parse


def make(entry: Entry, output: str | Path, *, mirror: Path | None = None, user_file: Path | None = None) -> str:
    """Write the table of an entry and return its status."""
    download = fetch(entry, mirror=mirror, user_file=user_file)
    about: dict[str, Any] = {"cell": entry.name, "title": entry.title, "target": entry.target}
    about["sha256"] = download.checksums
    for reason in download.reasons:
        logging.warning(reason)
    if not download.files:
        message = "; ".join(download.reasons)
        write_data(output, [], [], status=UNAVAILABLE, message=message, cardinalities={}, **about)
        return UNAVAILABLE
    table = parse(entry, download.files)
    about |= table.about | {"uncounted": sorted(entry.uncounted)}
    blocks = [(0, table.values)]
    write_data(output, table.variables, blocks, discrete=[*table.levels], status=OK, message="", **about)
    return OK


if __name__ == "__main__":
    with job(snakemake.log[0]) as log:
        status = make(
            make_entry(snakemake.wildcards.dataset, snakemake.params.entry, source="config/datasets.yaml"),
            snakemake.output[0],
            mirror=snakemake.params.mirror,
            user_file=next(iter(snakemake.input), None),
        )
        log.info(status)
