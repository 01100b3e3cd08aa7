"""How many replicates a study has, said in one number or by grid."""

import pandas as pd

from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.engine.inputs import replicates, typed


def test_replicates_are_counted_by_grid():
    def count(*runs, grids=()):
        rows = [(g, w, r) for g, w, number in runs for r in range(number)]
        names = ("grid", "network", "replicate")
        return replicates(typed(pd.DataFrame(rows, columns=names)), grids)

    assert count(("simulated", "asia", 5), ("sigma", "asia", 5), ("real", None, 1)) == 5
    assert count(("real", None, 1)) == 1
    assert count(("c", "asia", 25), ("b", "random", 70), ("a", "random", 70)) == "70 (a, b), 25 (c)"
    assert count(("c", "asia", 25), ("b", "random", 70), grids=("c",)) == 25
    assert (
        str(RunScale("published", 1, "70 (a), 25 (c)"))
        == "Published scale; 70 (a), 25 (c) replicates per cell; seed 1."
    )
