"""Data of structural equations go the way of all simulated data: columns in random order, no true thresholds."""

import numpy as np
import pytest
from script_tools import script

from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import NoiseJob, SampleJob
from cutpoint.bench.simulation.values import blur
from cutpoint.networks.network import read_all, write_network
from cutpoint.networks.random_networks import random_network

SEED, N = 7, 400
NETWORKS = [random_network(r, nodes=(6, 6), density=(1.5, 1.5), arcs=(9, 9), name=f"family-{r}") for r in range(3)]
KINDS = {
    "linear": {"kind": "linear_sem", "weights": [0.5, 2.0]},
    "additive": {"kind": "additive_sem", "weights": [0.5, 2.0], "length": 1.0},
    "nonadditive": {"kind": "nonadditive_sem", "weights": [0.5, 2.0], "length": 1.0, "spread": 0.5},
}


def drawn(folder, kind, replicates=range(3), columns="shuffled"):
    """Write data of some replicates, each with a network of its own, and return their file."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"family-{r}.bif" for r in replicates]
    for r, path in zip(replicates, paths, strict=True):
        write_network(NETWORKS[r], path)
    codes, output, networks = folder / "codes.parquet", folder / f"{kind}.parquet", read_all(paths)
    noise = NoiseJob(SampleJob("s", "family", N, replicates, SEED), kind, {**KINDS[kind], "columns": columns})
    parquet.write_parts(codes, [script("sample").draw(networks, noise.sample)])
    parquet.write_parts(output, [blur(parquet.open_data(codes), networks, noise)])
    return parquet.open_data(output)


@pytest.mark.parametrize("kind", KINDS)
def test_values_depend_neither_on_the_cut_of_jobs_nor_on_the_order_of_the_columns(tmp_path, kind):
    whole = drawn(tmp_path / "whole", kind)
    for replicates in (range(1), range(1, 3)):
        part = drawn(tmp_path / f"part{replicates.start}", kind, replicates)
        for r in replicates:
            assert part.variables_of(r) == whole.variables_of(r)
            np.testing.assert_array_equal(part.read(r).values, whole.read(r).values)
    declared = drawn(tmp_path / "declared", kind, columns="declared")
    for r in range(3):
        one, other = whole.read(r), declared.read(r)
        places = [one.variables.index(name) for name in other.variables]
        np.testing.assert_array_equal(one.values[:, places], other.values)
        assert one.about["thresholds"] is None
    assert [whole.read(r).variables for r in range(3)] != [declared.read(r).variables for r in range(3)]
