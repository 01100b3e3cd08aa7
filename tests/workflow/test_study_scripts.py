"""From the files of a finished study to its artefacts, as the scripts of the workflow go."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from script_tools import read
from synthetic import Maker, data

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.inputs import replicates, typed
from cutpoint.bench.report.artefacts import Scale

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    maker = Maker(1, 0.1).simulated(replicates=2).real().orders()
    maker.fail(lambda r: r["method"] == "hartemink" and r["n"] == 5000, message="over 60 s")
    whole = ("n", "replicate", "score_calls", "discretization_calls", "shd_fu2005", "shd_standard", "extra", "missing")
    rows = [{k: v for k, v in r.items() if v is not None and v == v} for r in maker.rows]
    rows = [{k: round(v) if k in whole else v for k, v in r.items()} for r in rows]
    parquet.write_records(folder / "metrics.parquet", rows, schemas.METRICS)
    cars = data()
    about = {"target": "mpg", "uncounted": ("acceleration",), "status": "ok", "message": ""}
    names = cars.variables
    parquet.write_data(folder / "cars1.parquet", names, [(0, cars.values)], discrete=["origin"], cell="cars1", **about)
    gone = {"status": "unavailable", "message": "not public"}
    parquet.write_data(folder / "hartemink.parquet", [], [], cell="hartemink", **gone)
    return folder


def test_inputs_from_files(files):
    made = read(files)
    assert made.scale.replicates == 2
    assert made.metrics["seconds"].dtype == float
    failed = made.metrics["status"] == "timeout"
    assert np.isnan(made.metrics["shd_fu2005"][failed]).all()
    assert made.lost() == {"hartemink": "not public"}
    cars = made.datasets["cars1"]
    assert (list(cars.variables), cars.discrete.tolist()) == (sorted(data().variables), [False, False, True, False])
    assert cars.uncounted == ["acceleration"]


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
        str(Scale("published", 1, "70 (a), 25 (c)")) == "Published scale; 70 (a), 25 (c) replicates per cell; seed 1."
    )


def test_what_is_not_there_is_named(files):
    for key in ("metrics", "published", "networks"):
        absent = files / "absent"
        with pytest.raises(InputError, match="absent"):
            read(files, **{key: absent if key == "metrics" else [absent]})
