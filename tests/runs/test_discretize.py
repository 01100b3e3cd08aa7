"""Thresholds that are found before methods learn, and the file in which they lie between the two."""

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from script_tools import script

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.parquet import Part
from cutpoint.bench.runs import runner, supervise
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.discretization.binning import equal_frequency, equal_width
from cutpoint.learners.learned import Learned
from cutpoint.method.method import DiscretizerFunction

LIMITS = Limits(60.0, 4000.0)
BINNING = "cutpoint.discretization.binning"
WIDTH = DiscretizerFunction(f"{BINNING}:equal_width", {"bins": 3})
FREQUENCY = DiscretizerFunction(f"{BINNING}:equal_frequency", {"bins": 2})
X0, X1, Y0, GONE = PLACES = [("x", 0), ("x", 1), ("y", 0), ("gone", 0)]
MINE = """
import numpy as np

def fails(values, discrete):
    raise ValueError("no\\nidea")

def none(values, discrete):
    return [np.array([])] * len(discrete)
"""


def discretize(discretizers, path, limits, codes=None, earlier=None):
    task, codes = script("discretize").task, codes or dict.fromkeys(discretizers, "")
    tasks = {name: task(each, codes[name]) for name, each in discretizers.items()}
    return run_all(tasks, path, limits, earlier=earlier)


def key(place):
    return dict(zip(("cell", "replicate"), place, strict=True))


@pytest.fixture
def data(tmp_path):
    """Write a data file of three cells, one of which is not there."""
    rng = np.random.default_rng(2)
    x = Part(["b", "a"], [(r, rng.standard_normal((30, 2))) for r in (0, 1)], about={"cell": "x"})
    y = Part(["a", "c"], [(0, np.column_stack([rng.random(9), [0, 1, 2] * 3]))], discrete=["c"], about={"cell": "y"})
    gone = Part([], [], about={"cell": "gone", "status": "unavailable", "message": "not public"})
    parquet.write_parts(tmp_path / "data.parquet", [x, y, gone])
    return str(tmp_path / "data.parquet")


@pytest.fixture
def mine(tmp_path):
    """Return a discretizer that fails and one that finds no thresholds."""
    (tmp_path / "mine.py").write_text(MINE)
    return {name: DiscretizerFunction(f"{tmp_path / 'mine.py'}:{name}") for name in ("fails", "none")}


def read_sets(path):
    return {(part.metadata["cell"], r): data for part in parquet.open_parts(path) for r, data in part}


def test_thresholds_are_those_of_the_functions(data, tmp_path):
    rows = discretize({"w": WIDTH, "f": FREQUENCY}, data, LIMITS)
    script("discretize").write_discretized(rows, tmp_path / "d.parquet", "some")
    read = Discretizations.read([tmp_path / "d.parquet"])
    for place, one in read_sets(data).items():
        expected_of = {"w": equal_width(one.values, one.discrete, bins=3)}
        expected_of |= {"f": equal_frequency(one.values, one.discrete, bins=2)}
        for name, expected in expected_of.items():
            cuts = read.thresholds(name, key(place), one.columns)
            assert [each.tolist() for each in cuts] == [each.tolist() for each in expected]
            assert read.run(name, key(place))["status"] == "ok"
            assert read.run(name, key(place))["discretize_seconds"] >= 0
    assert read.run("w", key(GONE))["status"] == "unavailable"
    assert not rows.edges


def test_a_discretizer_that_fails_and_one_without_thresholds_come_back(data, mine, tmp_path):
    path = tmp_path / "mine.parquet"
    rows = discretize(mine, data, LIMITS, codes={"fails": "1", "none": "2"})
    script("discretize").write_discretized(rows, path, "60 s, 4000 MB")
    table, about = parquet.read_records(path, schemas.DISCRETIZED)
    assert [row["variable"] for row in table] == [*[None] * 5, "c", "c", None, None]
    assert (about["keys"], about["limits"]) == (rows.keys, "60 s, 4000 MB")
    read, sets = Discretizations.read([path]), read_sets(data)
    for place in (X0, X1):
        run = read.run("fails", key(place))
        assert (run["status"], run["message"]) == ("error", f"ValueError: no idea ({tmp_path / 'mine.py'}, line 5)")
        assert read.run("none", key(place))["status"] == "ok"
        assert [cuts.tolist() for cuts in read.thresholds("none", key(place), sets[place].columns)] == [[], []]
    kept = read.thresholds("none", key(Y0), ["a", "c"])
    assert [cuts.tolist() for cuts in kept] == [[], [0.5, 1.5]]  # what is discrete keeps its codes
    check_same(script("discretize").read_discretized(path), rows)


def check_same(read, rows):
    """Check that rows came back, with None for what a run has not."""
    columns = ("method", *script("discretize").DISCRETIZER_RUN[1:])
    assert read.runs == [{name: run.get(name) for name in columns} for run in rows.runs]
    assert (read.thresholds, read.edges, read.keys) == (rows.thresholds, [], rows.keys)


def test_a_method_learns_from_what_was_found_and_ends_as_its_discretizer(data, mine, tmp_path):
    seen = {}
    for name, methods in {"built_in": {"w": WIDTH}, "mine": mine}.items():
        script("discretize").write_discretized(discretize(methods, data, LIMITS), tmp_path / f"{name}.parquet", "")

    def learn(values, discrete, thresholds):
        n = len(discrete)
        return Learned(dag=np.zeros((n, n), bool), thresholds=thresholds)

    tasks = {name: Task(learn, name) for name in ("w", "fails", "none")} | {"direct": Task(learn)}
    read = Discretizations.read([tmp_path / "built_in.parquet", tmp_path / "mine.parquet"])
    rows = run_all(tasks, data, LIMITS, read)
    for run in rows.runs:
        seen.setdefault(run["method"], {})[run["cell"], run["replicate"]] = run
    assert [seen["fails"][place]["status"] for place in PLACES] == ["error"] * 3 + ["unavailable"]
    assert seen["fails"][X0]["message"].startswith("ValueError: no idea")
    for name in ("w", "direct"):
        assert [seen[name][place]["status"] for place in PLACES] == ["ok"] * 3 + ["unavailable"]
    assert [seen["none"][place]["levels"] for place in (X0, X1)] == [1, 1]
    assert [seen["w"][place]["levels"] for place in PLACES[:3]] == [3, 3, 3]
    assert seen["direct"][X0].get("levels") is None
    before = read.run("w", key(X0))
    assert seen["w"][X0]["discretize_seconds"] == before["discretize_seconds"]
    assert seen["w"][X0]["wall_seconds"] > before["wall_seconds"]


def test_what_was_found_is_kept(data, mine, tmp_path, monkeypatch):
    path, counted, calls = tmp_path / "d.parquet", [], supervise.calls
    monkeypatch.setattr(supervise, "calls", lambda some, **limits: counted.extend(some) or calls(some, **limits))
    methods = {"w": WIDTH} | mine

    def ran(**codes):
        codes = dict.fromkeys(methods, "1") | codes
        earlier = Earlier(script("discretize").read_discretized(path))
        rows = discretize(methods, data, LIMITS, codes=codes, earlier=earlier)
        script("discretize").write_discretized(rows, path, "")
        count = len([f for f in counted if getattr(f, "func", None) is runner._checked])  # not of those that warm
        counted.clear()
        return rows.thresholds, count

    first, count = ran()
    assert count == 9 + 2  # the first data set of each of the user's twice
    assert ran() == (first, 3 + 1)  # what failed; what found no thresholds did not
    assert ran(w="2")[1] == 6 + 1


NUMBERS = st.floats(0, 1e6, allow_nan=False)


@st.composite
def results(draw):
    """Draw runs of discretizers and their thresholds; some failed, some found none."""
    rows = Rows()
    names = st.lists(st.sampled_from(["w(bins=3)", "w(bins=2)", "my/file.py:cut()"]), unique=True)
    for place in draw(st.lists(st.sampled_from(PLACES), unique=True)):
        for name in draw(names):
            run = {"method": name} | key(place)
            ended = {"status": draw(st.sampled_from(["ok", "error", "unavailable"])), "message": draw(st.text())}
            costs = {cost: draw(st.none() | NUMBERS) for cost in script("discretize").DISCRETIZER_RUN[5:]}
            rows.runs.append(run | ended | costs)
            rows.keys.append(draw(st.text("0123456789abcdef", max_size=3)))
            for variable in "ab" if ended["status"] == "ok" else "":
                cuts = sorted({*draw(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=3))})
                cuts_of = [{"variable": variable, "position": k, "threshold": cut} for k, cut in enumerate(cuts)]
                rows.thresholds += [run | each for each in cuts_of]
    return rows


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results())
def test_rows_come_back_from_their_file(tmp_path, rows):
    script("discretize").write_discretized(rows, tmp_path / "d", "some")
    check_same(script("discretize").read_discretized(tmp_path / "d"), rows)
    read = Discretizations(script("discretize").discretized_rows(rows))
    own = parquet.by_identity(rows.thresholds)
    for run in rows.runs:
        place, name = {key: run[key] for key in ("cell", "replicate")}, run["method"]
        assert read.run(name, place)["status"] == run["status"]
        cuts = read.thresholds(name, place, ["a", "b"])
        mine = own.get((name, *place.values()), [])
        assert [cut for each in cuts for cut in each] == [row["threshold"] for row in mine]


OPTIONS = st.dictionaries(
    st.sampled_from(["bins", "order", "x"]),
    st.integers(0, 3) | st.sampled_from(["3", "a, x=1", "stable", ""]) | st.none(),
)


PATHS = st.sampled_from(["cuts.py:f", "my/cuts.py:f", "cuts.py:g", f"{BINNING}:f"])


@example("cuts.py:f", {"bins": 3}, "cuts.py:f", {"bins": "3"})
@example("cuts.py:f", {"bins": "3", "x": 1}, "cuts.py:f", {"bins": "3, x=1"})
@given(PATHS, OPTIONS, PATHS, OPTIONS)
def test_names_differ_where_discretizers_do(path, options, other, others):
    same = (path, options) == (other, others)
    assert (DiscretizerFunction(path, options).name == DiscretizerFunction(other, others).name) == same
