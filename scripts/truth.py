"""Write the codes that references learn from: those behind simulated values, or these cut at the true thresholds."""

from typing import TYPE_CHECKING

from cutpoint.bench.data.parquet import DataFile, DataSet, Part, open_parts, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.discretization.encoding import encode

if TYPE_CHECKING:
    import numpy as np


def states(data: DataSet, codes: DataSet | None) -> "np.ndarray":
    """Return the codes of a data set, [N, n], the columns in its order.

    Args:
        data: the values, of `DataFile.read`.
        codes: the data set from which they were made, by the names of the network; None to cut the values.
    """
    if codes is None:
        return encode(data.values, [data.about["thresholds"][column] for column in data.columns])
    place = {name: i for i, name in enumerate(codes.variables)}
    return codes.values[: len(data.values), [place[name] for name in data.variables]]


def part_of(file: DataFile, codes: DataFile | None) -> Part:
    """Return the codes of the data sets of a cell, under the names that its columns have for methods."""
    blocks, each = [], {}
    for replicate, data in file:
        blocks.append((replicate, states(data, codes.read(replicate) if codes else None)))
        each[replicate] = {"variables": dict(zip(data.columns, data.variables, strict=True))}
    about = {key: file.metadata[key] for key in ("cell", "study", "network", "n", "noise", "seed")}
    return Part(file.metadata["columns"], blocks, discrete=file.metadata["columns"], each=each, about=about)


def write(values: str, codes: str, truth: str, path: str) -> None:
    """Write the codes of the cells that have levels; truth: "codes", or "thresholds" to cut the values."""
    behind = {(part.metadata["network"], part.metadata["n"]): part for part in open_parts(codes)}
    parts = []
    for file in open_parts(values):
        about = file.about(file.replicates[0])
        if about["thresholds"] is not None:  # else the values come from equations
            parts.append(part_of(file, behind[about["network"], about["n"]] if truth == "codes" else None))
    write_parts(path, parts)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files = snakemake.input
        write(files.data, files.codes, snakemake.wildcards.truth, snakemake.output[0])
