"""Methods see columns without names in random order, and what they learn is compared with the truth all the same."""

import json
import sys
from functools import partial

import numpy as np
import pytest
from script_tools import script

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import NoiseJob, Runs, SampleJob
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.evaluation.run_metrics import metrics_of
from cutpoint.bench.runs import programs
from cutpoint.bench.runs.runner import Limits, Task, run_all
from cutpoint.bench.simulation.noise import code_thresholds
from cutpoint.bench.simulation.values import blur
from cutpoint.discretization.encoding import encode
from cutpoint.learners.learned import Learned
from cutpoint.networks.network import network

SEED, N, STUDY, EMPTY = 7, 1500, "s", dict.fromkeys(schemas.METRICS.names)
CHILD = network("child")
ORDERS = ("shuffled", "declared", "alphabetical", "topological", "reversed")
PROGRAM = """
import csv, json, sys
truth = json.load(open(sys.argv[1]))
names = {}
for name, *cells in zip(*csv.reader(open("data.csv"))):
    names[truth["codes"].index([round(float(x)) for x in cells])] = name
with open("edges.csv", "w") as file:
    file.write("source,target,directed\\n")
    file.writelines(f"{names[i]},{names[j]},true\\n" for i, j in truth["arcs"])
with open("seen", "w") as file:
    file.write(" ".join(sorted(names.values())))
"""


def blurred(folder, name, replicates=range(2), part="noise", columns="shuffled", seed=SEED, **options):
    """Write data of Child whose noise is too small to change a code, and return their file."""
    records = sorted(replicates)
    source = folder / f"codes{records[0]}-{records[-1]}.parquet"
    sample = SampleJob(STUDY, "child", N, records, seed)
    parquet.write_parts(source, [script("sample").draw({"child": CHILD}, sample)])
    options = {"kind": "gaussian", "sigma": 1e-4, "columns": columns} | options
    output = folder / f"{name}-{replicates[0]}-{part}.parquet"
    noise = NoiseJob(sample._replace(replicates=replicates), name, options, part)
    parquet.write_parts(output, [blur(parquet.open_data(source), {"child": CHILD}, noise)])
    return parquet.open_data(output)


def codes_of(folder, replicate, first=0, last=1):
    """Return the codes of a replicate, columns in the order of the variables of the network."""
    data = parquet.open_data(folder / f"codes{first}-{last}.parquet").read(replicate)
    return data.values[:, [data.variables.index(name) for name in CHILD.variables]]


def know(values, discrete, thresholds, *, codes, truth=True):
    """Learn the true graph and thresholds by telling the columns from their codes."""
    place = [next(i for i, c in enumerate(codes.T) if np.array_equal(c, x.round())) for x in values.T]
    assert len({*place}) == len(place)
    cuts = code_thresholds(CHILD.cardinalities)
    place = place if truth else range(len(place))
    return Learned(dag=CHILD.dag[np.ix_(place, place)], thresholds=[cuts[i] for i in place])


def metrics(folder, file, rows):
    """Return the metrics of some runs by method."""
    for kind, schema in (("runs", schemas.RUNS), ("edges", schemas.EDGES), ("thresholds", schemas.THRESHOLDS)):
        parquet.write_records(folder / f"{kind}.parquet", getattr(rows, kind), schema)
    results = Results(*([folder / f"{kind}.parquet"] for kind in ("runs", "edges", "thresholds")), (), [file.path])
    methods = sorted({row["method"] for row in rows.runs})
    runs = [Runs(STUDY, "g", file.metadata["cell"], file.replicates, methods)]
    measured = [*metrics_of(file.path, {"child": CHILD}, [], runs, results)]
    return {name: [EMPTY | row for row in measured if row["method"] == name] for name in methods}


def program(folder, codes):
    """Return a task that starts a program which knows what stands in the columns, but not their names."""
    (folder / "known.py").write_text(PROGRAM)
    truth = {"codes": codes.T.astype(int).tolist(), "arcs": np.argwhere(CHILD.dag).tolist()}
    (folder / "known.json").write_text(json.dumps(truth))
    command = [sys.executable, str(folder / "known.py"), str(folder / "known.json")]
    return Task(partial(programs.learn, command=command, options={}, folder=str(folder / "data")), named=True)


@pytest.mark.parametrize("columns", ORDERS)
def test_what_knows_the_truth_is_right_in_every_order(tmp_path, columns):
    file = blurred(tmp_path, "noise", range(1), columns=columns)
    codes = codes_of(tmp_path, 0, 0, 0)
    tasks = {
        "inside": Task(partial(know, codes=codes)),
        "program": program(tmp_path, codes),
        "naive": Task(partial(know, codes=codes, truth=False)),
    }
    by_kind = metrics(tmp_path, file, run_all(tasks, str(file.path), Limits(60.0, 2000.0)))
    for (run,) in (by_kind["inside"], by_kind["program"]):
        assert (run["status"], run["shd_fu2005"], run["missing"], run["extra"]) == ("ok", 0, 0, 0)
    assert by_kind["inside"][0]["adjusted_rand"] == 1
    assert by_kind["inside"][0]["threshold_error"] < 1e-6
    assert (tmp_path / "data" / "seen").read_text().split() == [f"V{i:02}" for i in range(1, 21)]
    (naive,) = by_kind["naive"]  # takes the columns for the variables as they are declared
    assert (naive["shd_fu2005"] == 0) == (columns == "declared")


def test_true_thresholds_recover_the_codes_by_column(tmp_path):
    for part in ("noise", "test"):
        file = blurred(tmp_path, "wide", part=part, kind="uniform", lengths=[0.5, 2.0], targets=3, test=0.2)
        for r, data in file:
            cuts = [np.array(data.about["thresholds"][column]) for column in data.columns]
            codes = codes_of(tmp_path, r)[:, [CHILD.variables.index(name) for name in data.variables]]
            codes = codes[: len(data.values)] if part == "noise" else codes[-len(data.values) :]
            assert np.array_equal(encode(data.values, cuts), codes)
            assert data.discrete.sum() == 3
            assert np.array_equal(data.values[:, data.discrete], codes[:, data.discrete])


def orders_of(file):
    return {r: data.variables for r, data in file}


def values_of(file):
    """Return the values of each replicate, columns in alphabetical order of the variables."""
    return {r: data.values[:, np.argsort(data.variables)] for r, data in file}


def test_the_order_depends_on_the_seed_and_the_replicate_alone(tmp_path):
    whole = blurred(tmp_path, "noise", range(4))
    part, other = (blurred(tmp_path, name, range(2, 4)) for name in ("noise", "louder"))
    assert orders_of(part) == orders_of(other) == {r: orders_of(whole)[r] for r in (2, 3)}
    assert orders_of(blurred(tmp_path, "noise", range(4), part="test", test=0.1)) == orders_of(whole)
    assert orders_of(blurred(tmp_path, "noise", range(4), seed=8)) != orders_of(whole)
    assert len({*map(tuple, orders_of(whole).values())}) == 4
    assert len({*map(tuple, orders_of(blurred(tmp_path, "d", range(2), columns="declared")).values())}) == 1
