"""The same data give the same answer: what no order, name, unit, sign, weight or last digit may change."""

import numpy as np
import pyarrow as pa
import pytest
from script_tools import script

from cutpoint import api
from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import ALL_RECORDS, ResampleJob
from cutpoint.bench.evaluation.rows import graph_of_rows, thresholds_of_rows
from cutpoint.bench.runs.runner import Discretizations, Limits, Task, run_all
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned
from cutpoint.method.method import IN_WORKFLOW
from cutpoint.method.rows import method_of, method_rows

ROWS = {name: row for name, row in method_rows().items() if row["category"] not in IN_WORKFLOW}
WHOLE = {"kind": ALL_RECORDS}
RECORDS, NAMES = 120, ["a", "b", "c", "d", "e"]
STATES = np.array(["low", "middle", "high"])


def frame(values, names=NAMES, states=STATES):
    """A frame of numbers, but for the column d, whose states are texts."""
    columns = [states[x.astype(int)] if name[-1] == "d" else x for name, x in zip(names, values.T, strict=True)]
    return pa.table(dict(zip(names, columns, strict=True)))


def data(seed):
    """Values of which each column follows those before it; d has three states, e has ties."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((RECORDS, 5))
    for j in range(1, 5):
        values[:, j] += values[:, :j] @ rng.choice([-1, 0, 1], j)
    values[:, 0] **= 3
    values[:, 3] = np.digitize(values[:, 3], [-1, 1])
    values[:, 4] = np.round(values[:, 4], 1)
    return values, rng


def changed(values, weights, rng):
    """The same data: a frame, its weights, how its columns are called by those of the first, and their units."""
    numbers = np.array([name != "d" for name in NAMES])
    ones, zeros = np.ones(5), np.zeros(5)
    scales, shifts = np.where(numbers, 10.0 ** rng.integers(-3, 4, 5), 1), np.where(numbers, rng.normal(0, 9, 5), 0)
    signs, digit = np.where(numbers, -1.0, 1.0), values.copy()
    digit[7, numbers] *= 1 + 1e-12
    rows, order = rng.permutation(weights.sum()), rng.permutation(5)
    others = [f"{k}{name}" for k, name in zip("zyxwv", NAMES, strict=True)]
    moved = frame(values[:, order], [others[i] for i in order], STATES[[0, 2, 1]])  # sorted, the mirror
    yield "repeated rows in any order", frame(np.repeat(values, weights, axis=0)[rows]), None, NAMES, ones, zeros
    yield "names, order of columns, states in reverse", moved, weights, others, ones, zeros
    yield "units", frame(values * scales + shifts), weights, NAMES, scales, shifts
    yield "signs and a last digit", frame(digit * signs), weights, NAMES, signs, zeros


def differences(name, seed):
    """What of a method's answer another order, name, unit, sign, weight or digit changes."""
    values, rng = data(seed)
    x, weights = values.T, rng.integers(1, 4, RECORDS)
    first = api.learn(frame(values), name, sample_weight=weights)
    for change, other, counts, names, scales, shifts in changed(values, weights, rng):
        again = api.learn(other, name, sample_weight=counts)
        places = [again.variables.index(each) for each in names]
        if not np.array_equal(again.cpdag[np.ix_(places, places)], first.cpdag):
            yield f"{change}: graph"
        for i, (cuts, scale, shift) in enumerate(zip(first.thresholds or (), scales, shifts, strict=False)):
            found = np.asarray(again.thresholds[places[i]])
            if scale > 0:
                expected = np.asarray(cuts) * scale + shift
                same = len(found) == len(expected) and np.allclose(found, expected, rtol=1e-6, atol=1e-7 * scale)
            else:  # a level begins with its threshold, so that one at a value is beside it in the mirror
                codes, mirrored = (np.searchsorted(t, x, side="right") for t, x in ((cuts, x[i]), (found, -x[i])))
                same = np.array_equal(codes, len(found) - mirrored)
            if not same:
                yield f"{change}: thresholds of {NAMES[i]}"


# What cannot be: docs/methods.md says why.
EXCEPTIONS = {"bge": ["units: graph"]}


@pytest.mark.parametrize("name", ROWS)
def test_the_same_data_give_the_same_answer(name):
    assert [*differences(name, 1)] == EXCEPTIONS.get(name, [])


def report_of(name, values, folder):
    """What a report makes of a method: its run, its class of graphs and its thresholds, in the order of NAMES."""
    codes = np.argsort(np.argsort(STATES))  # in order of name
    columns = [codes[x.astype(int)] if each == "d" else x for each, x in zip(NAMES, values.T, strict=True)]
    about = {"status": "ok", "message": "", "cardinalities": {"d": 3}, "cell": "own"}
    parquet.write_data(folder / "own", NAMES, [(0, np.column_stack(columns))], discrete=["d"], **about)
    resample = ResampleJob("own", "own", ALL_RECORDS, [0], WHOLE, 1)
    drawn = script("resample").resampled(parquet.open_data(folder / "own"), resample)
    parquet.write_parts(folder / "values", [drawn])
    method, limits, before = method_of(name, {}), Limits(60.0, 4000.0), None
    if method.discretizer:
        find = {method.discretizer.name: Task(lambda *data: Learned(thresholds=method.discretizer.find(*data[:2])))}
        before = Discretizations(script("discretize").discretized_rows(run_all(find, folder / "values", limits)))
    learner = Task(method.learn, method.discretizer and method.discretizer.name)
    rows = run_all({name: learner}, folder / "values", limits, before)
    (run,) = rows.runs
    names = drawn.each[0]["variables"]
    places = [[*names.values()].index(each) for each in NAMES]
    graph = graph_of_rows(rows.edges, [*names], name)[np.ix_(places, places)]
    cuts = thresholds_of_rows(rows.thresholds, [*names], name)
    return run, cpdag(graph) if run["kind"] == "dag" else graph, [cuts[i] for i in places]


@pytest.mark.parametrize("name", ROWS)
def test_a_report_gives_the_answer_of_the_api(name, tmp_path):
    values = data(3)[0]
    low = values * np.where(np.arange(5) == 3, 1, np.sign(-(values**3).mean(axis=0)))  # long tails below
    learned = api.learn(frame(low), name)
    run, graph, thresholds = report_of(name, low, tmp_path)
    assert run["status"] == "ok", run["message"]
    assert np.array_equal(graph, learned.cpdag)
    for i in [0, 1, 2, 4] if learned.thresholds else []:
        np.testing.assert_allclose(thresholds[i], learned.thresholds[i], rtol=1e-9)
