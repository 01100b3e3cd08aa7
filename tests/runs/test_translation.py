"""Methods see columns without names in random order; what they learn is in those of the truth all the same."""

import json
import sys
from functools import partial

import numpy as np
import pytest
from script_tools import script

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import NoiseJob, ResampleJob, Runs, SampleJob
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.evaluation.run_metrics import metrics_of
from cutpoint.bench.runs import programs
from cutpoint.bench.runs.runner import Limits, Task, run_all
from cutpoint.bench.simulation.noise import code_thresholds
from cutpoint.bench.simulation.values import blur
from cutpoint.discretization.encoding import encode
from cutpoint.learners.learned import Learned
from cutpoint.method.rows import method_of
from cutpoint.networks.network import network, read_all, write_network
from cutpoint.networks.random_networks import random_network

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


NAMES = ["age", "b", "dose", "kind", "V01", "x.y", "Z"]
KINDS = {"all-records": range(1), "bootstrap": range(2), "jackknife": range(2), "cross_validation": range(2)}
OPTIONS = {"jackknife": {"share": 0.1}, "cross_validation": {"folds": 2}}


def table():
    """Return seven columns by name, one of them text: noisy sums, so that many moves are equal."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((300, 7))
    for i in range(1, 7):
        x[:, i] += x[:, i - 1]
    columns = {name: x[:, i].round(2) for i, name in enumerate(NAMES)}
    return columns | {"kind": np.where(x[:, 3] > 0, "high", "low")}


def renamed(columns, rng):
    """Return the columns in another order under other names, and what each was called."""
    names = list(columns)
    others = [f"{chr(97 + int(k))}{i}" for i, k in enumerate(rng.integers(0, 26, len(names)))]
    old = dict(zip(others, [names[i] for i in rng.permutation(len(names))], strict=True))
    return {new: columns[name] for new, name in old.items()}, old


def learned_by_workflow(folder, columns, old, methods):
    """Return the edges and thresholds of all replicates of a table, under the first names."""
    folder.mkdir()
    values = np.column_stack(
        [np.unique(x, return_inverse=True)[1] if x.dtype.kind == "U" else x for x in columns.values()]
    )
    discrete = [name for name, x in columns.items() if x.dtype.kind == "U"]
    about = {"status": "ok", "message": "", "cardinalities": dict.fromkeys(discrete, 2), "cell": "own"}
    parquet.write_data(folder / "own.parquet", [*columns], [(0, values)], discrete=discrete, **about)
    parts = []
    for kind, replicates in KINDS.items():
        options = {"kind": kind} | OPTIONS.get(kind, {})
        about = ResampleJob("own", "own", kind, replicates, options, 3)
        parts.append(script("resample").resampled(parquet.open_data(folder / "own.parquet"), about))
    file = folder / "values.parquet"
    parquet.write_parts(file, parts)
    tasks = {name: Task(method_of(name, {}).learn) for name in methods}
    rows = run_all(tasks, str(file), Limits(60.0, 2000.0))
    assert {row["status"] for row in rows.runs} == {"ok"}
    edges, cuts, names = [], [], {}
    for part in parquet.open_parts(file):
        for r, data in part:
            first_names = [old[name] for name in data.variables]
            names[part.metadata["cell"], r] = dict(zip(data.columns, first_names, strict=True))
    for row in rows.edges:
        name = names[row["cell"], row["replicate"]]
        edges.append((*identity(row), name[row["source"]], name[row["target"]], row["directed"]))
    for row in rows.thresholds:
        cuts.append((*identity(row), names[row["cell"], row["replicate"]][row["variable"]], row["threshold"]))
    return sorted(edges), sorted(cuts)


def identity(row):
    return row["method"], row["cell"], row["replicate"]


def test_the_workflow_takes_no_notice_of_names_and_places(tmp_path):
    columns, rng, methods = table(), np.random.default_rng(1), ("eqfreq3", "steck2", "bach")
    first = learned_by_workflow(tmp_path / "first", columns, {name: name for name in NAMES}, methods)
    assert len(first[1]) > 20
    for k in range(3):
        other, old = renamed(columns, rng)
        assert learned_by_workflow(tmp_path / str(k), other, old, methods) == first
    orders = [data.variables for part in parquet.open_parts(tmp_path / "first" / "values.parquet") for _, data in part]
    assert len({*map(tuple, orders)}) == len(orders) == 7  # each sample has one of its own


START, RECORDS = 7, 400
NETWORKS = [random_network(r, nodes=(6, 6), density=(1.5, 1.5), arcs=(9, 9), name=f"family-{r}") for r in range(3)]
NOISES = {
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
    noise = NoiseJob(SampleJob("s", "family", RECORDS, replicates, START), kind, {**NOISES[kind], "columns": columns})
    parquet.write_parts(codes, [script("sample").draw(networks, noise.sample)])
    parquet.write_parts(output, [blur(parquet.open_data(codes), networks, noise)])
    return parquet.open_data(output)


@pytest.mark.parametrize("kind", NOISES)
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
