"""What is learned from a user's table does not depend on the names of its columns or on where they stand."""

import numpy as np

from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import ResampleJob
from cutpoint.bench.runs.runner import Limits, Task, run_all
from cutpoint.bench.simulation.values import resampled
from cutpoint.method.rows import method_of

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
        parts.append(resampled(parquet.open_data(folder / "own.parquet"), about))
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
