"""What every row of methods.yaml must do on any data; `-k NAME` tests one.

References and external methods run in the workflow alone.
"""

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint import api, encode
from cutpoint.bench.runs.runner import COSTS
from cutpoint.data.frames import read_table
from cutpoint.data.table import Arranged
from cutpoint.discretization.encoding import cardinalities, discrete_thresholds
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import reorder
from cutpoint.method.method import IN_WORKFLOW
from cutpoint.method.rows import check_row, method_rows, parse

INTERNAL = {name: row for name, row in method_rows().items() if row["category"] not in IN_WORKFLOW}
# of large crosses one row for each score, policy or learner: what they cross are parts that other rows test
KEYS = {name: (row.get("group", name), *map(row.get, ("score", "policy", "learner"))) for name, row in INTERNAL.items()}
FIRST = {key: name for name, key in reversed(KEYS.items())}
ROWS = {name: row for name, row in INTERNAL.items() if FIRST[KEYS[name]] == name or row.get("group") == "search"}
# fifty walks through orders cost a hundred times as much as any other method, and do nothing that three do not
OPTIONS = {name: {"restarts": 3} if row.get("learner") == "order_search" else {} for name, row in ROWS.items()}
OPTIONS["posterior"] = {"sweeps": 2, "rounds": 1}
each_method = pytest.mark.parametrize("name", ROWS)
few = settings(max_examples=3, deadline=None, derandomize=True)


def column(rng, kind, records, before):
    """Return one column of a kind; a dependent one follows the column before it."""
    normal = rng.standard_normal(records)
    return {
        "normal": normal,
        "dependent": before + 0.5 * normal,
        "ties": np.round(before + normal),
        "copy": before,
        "codes": rng.permutation(np.arange(records) % 3).astype(float),
    }[kind]


@st.composite
def data_sets(draw):
    """Return values [N, 4] and which columns hold codes."""
    kinds = [draw(st.sampled_from(("normal", "dependent", "ties", "copy", "codes"))) for _ in range(4)]
    rng, records = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.integers(40, 90))
    columns = [rng.standard_normal(records)]
    for kind in kinds:
        columns.append(column(rng, kind, records, columns[-1]))
    discrete = np.array([kind == "codes" for kind in kinds])
    return np.asfortranarray(np.column_stack(columns[1:])), discrete


def facts(learned):
    """Return what a method found, without what is measured."""
    thresholds = None if learned.thresholds is None else [np.asarray(cuts).tolist() for cuts in learned.thresholds]
    graphs = [None if graph is None else np.asarray(graph).tolist() for graph in (learned.dag, learned.cpdag)]
    costs = [getattr(learned, cost) for cost in COSTS if not cost.endswith("seconds")]
    return [learned.kind, thresholds, *graphs, *costs]


@each_method
def test_a_row_passes_its_check(name):
    check_row(ROWS[name], name)
    assert re.fullmatch(r"\S.*\S|\S", ROWS[name]["label"])


@each_method
@few
@given(data=data_sets(), order=st.permutations(range(4)))
def test_a_method_gives_what_it_must_again_and_in_any_order_of_columns(name, data, order):
    values, discrete = data
    before, method = values.copy(), parse(ROWS[name] | OPTIONS[name])
    direct = method.learn(values, discrete)
    assert np.array_equal(values, before), "the method changed the values that it was given"
    check_result(direct, values, discrete)
    assert facts(method.learn(values, discrete)) == facts(direct)
    columns = {f"v{i}": pa.array(values[:, i]) for i in range(4)}
    for i in np.flatnonzero(discrete):
        columns[f"v{i}"] = pa.array([f"level {int(code)}" for code in values[:, i]])
    numbers = [f"v{i}" for i in np.flatnonzero(~discrete)]  # a copy of codes looks like codes
    table = pa.table(columns)
    learned = api.learn(table, name, continuous=numbers, **OPTIONS[name])
    seen = Arranged.of(read_table(table, (), numbers))  # what a method gets of a frame
    same = method.learn(seen.values, seen.discrete)
    thresholds = None if same.thresholds is None else seen.restored(same.thresholds)
    reorder(same, seen.back)
    same.thresholds = thresholds
    assert facts(learned) == facts(same)
    turned = pa.table({f"v{i}": columns[f"v{i}"] for i in order})
    moved = api.learn(turned, name, continuous=numbers, **OPTIONS[name])
    reorder(moved, np.argsort(order))
    assert facts(moved) == facts(learned)


def check_result(learned, values, discrete):
    """Check graphs, costs and thresholds for themselves and against each other."""
    n = len(discrete)
    for graph in (learned.dag, learned.cpdag):
        assert graph is None or (graph.shape == (n, n) and graph.dtype == bool and not graph.diagonal().any())
    assert learned.cpdag is not None
    assert learned.kind == ("pdag" if learned.dag is None else "dag")
    if learned.dag is not None:
        assert is_dag(learned.dag)
        assert np.array_equal(learned.cpdag, cpdag(learned.dag))
    for cost in COSTS:
        value = getattr(learned, cost)
        assert value is None or (np.isfinite(value) and (value >= 0 or cost == "score"))
    if learned.thresholds is not None:
        check_thresholds(learned.thresholds, values, discrete)


def check_thresholds(thresholds, values, discrete):
    """Check that there is one increasing list for each column, that codes stay, and that codes are levels."""
    assert len(thresholds) == values.shape[1]
    for i, cuts in enumerate(thresholds):
        assert np.ndim(cuts) == 1
        assert np.isfinite(cuts).all()
        assert (np.diff(cuts) > 0).all()
        if discrete[i]:
            assert np.array_equal(cuts, discrete_thresholds(values[:, i]))
    assert (encode(values, thresholds) < cardinalities(thresholds)).all()
