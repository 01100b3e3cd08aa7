"""Knowledge: what is read from files, wrong ones in tests/golden/errors, and the study of own data with it."""

import numpy as np
import pytest
from script_tools import script

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.bench.data.params import ResampleJob
from cutpoint.bench.data.parquet import open_data, write_parts
from cutpoint.bench.engine.datasets import read_data
from cutpoint.bench.evaluation.held_out import filled
from cutpoint.bench.runs.runner import Limits, Task, run_all
from cutpoint.data.roles import Roles
from cutpoint.knowledge.knowledge import knowledge_of
from cutpoint.learners.learned import Learned
from cutpoint.method.rows import method_of

FILE = """
required: [[a, b], b -> c]
forbidden: [[a, d]]
tiers: [[a], [b, c], [d]]
no_arcs_within: [3]
max_parents: 2
thresholds:
  a: [1, 2.5]
  b: {grid: 5, origin: 2.5, least_share: 0.05}
  c: {least_levels: 2, most_levels: 4}
"""
TETRAD = """/knowledge
addtemporal

1 a
2* b c
4 d

forbiddirect
a d

requiredirect
a --> b
a c
"""


def test_a_file_says_what_the_object_says(tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text(FILE)
    knowledge = knowledge_of(path)
    arcs = {"required": [("a", "b"), ("b", "c")], "forbidden": ["a->d"], "tiers": [["a"], ["b", "c"], ["d"]]}
    cuts = {"a": [1, 2.5], "b": {"grid": 5, "origin": 2.5, "least_share": 0.05}}
    cuts["c"] = {"least_levels": 2, "most_levels": 4}
    same = cp.Knowledge(**arcs, no_arcs_within=[3], max_parents=2, thresholds=cuts)
    assert knowledge == same
    assert cp.Knowledge(knowledge.plain(), source="plain") == knowledge
    assert knowledge != cp.Knowledge()
    assert "max_parents=2" in repr(knowledge)


def test_arcs_are_those_that_tiers_and_lists_leave():
    names = ["d", "free", "a", "b", "c"]
    knowledge = cp.Knowledge(
        required=["a -> b"], forbidden=["a -> c"], tiers=[["a"], ["b", "c"], ["d"]], no_arcs_within=[2]
    )
    arcs = knowledge.arcs(names)
    allowed = {(names[i], names[j]) for i, j in np.argwhere(arcs.allowed)}
    timed = {("a", "b"), ("a", "d"), ("b", "d"), ("c", "d")}
    assert allowed == timed | {("free", x) for x in "abcd"} | {(x, "free") for x in "abcd"}
    assert np.argwhere(arcs.required).tolist() == [[2, 3]]
    assert cp.Knowledge(thresholds={"a": [1]}).arcs(["a"]) is None


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("required", "a -> b", "such as [a -> b] or [[a, b]], got 'a -> b'"),
        ("tiers", ["a", "b"], "such as [[a, b], [c]], got ['a', 'b']"),
        ("thresholds", {"a": 30}, "such as [30, 50], or a mapping with grid, least_share, ..., got 30"),
        ("thresholds", {"a": ["2020-01-01"]}, "years with decimals: 2021.5 is 2 July 2021, got ['2020-01-01']"),
    ],
)
def test_what_is_no_list_says_what_to_write(key, value, hint):
    with pytest.raises(cp.InputError) as problem:
        cp.Knowledge({key: value})
    assert str(problem.value).endswith(hint)


def test_the_text_file_of_tetrad(tmp_path):
    path = tmp_path / "known.txt"
    path.write_text(TETRAD)
    same = cp.Knowledge(
        required=["a->b", "a->c"], forbidden=["a->d"], tiers=[["a"], ["b", "c"], ["d"]], no_arcs_within=[2]
    )
    assert knowledge_of(path).content.model_dump() == same.content.model_dump()


def test_columns_are_those_of_the_data():
    knowledge = cp.Knowledge(required=["smoke -> lung"], thresholds={"age": [18]})
    with pytest.raises(cp.InputError, match=r"required: the data have no column 'smoke'; did you mean 'smok'"):
        knowledge.check(["smok", "lung", "age"])
    with pytest.raises(cp.InputError, match=r"thresholds\.age: the column is discrete"):
        knowledge.check(["smoke", "lung", "age"], np.array([False, False, True]))
    knowledge.check(["smoke", "lung", "age"], np.array([True, False, False]))


def test_a_pattern_of_some_columns_gets_the_directions_that_follow():
    knowledge = cp.Knowledge(required=["a -> b"], tiers=[["a", "b"], ["d"]])
    chain = np.zeros((3, 3), bool)  # c - b - a, of which b -> c follows
    chain[[0, 1, 1, 2], [1, 0, 2, 1]] = True
    directed = knowledge.oriented(chain, ["c", "b", "a"])
    assert np.argwhere(directed).tolist() == [[1, 0], [2, 1]]
    runs = [{"cell": "own", "method": "m", "replicate": 0, "status": "ok", "kind": "dag"}]
    rows = [{"cell": "own", "method": "m", "replicate": 0, "source": "a", "target": "b", "directed": True}]
    (share,) = script("edges").edge_shares(runs, rows, knowledge.oriented)
    assert (share["forward"], share["undirected"]) == (1, 0)
    (share,) = script("edges").edge_shares(runs, rows)
    assert (share["forward"], share["undirected"]) == (0, 1)


KNOWN = cp.Knowledge(required=["dose -> pain"], thresholds={"dose": {"grid": 5}})


@pytest.fixture
def own(tmp_path):
    """Return the data file of a table with missing cells and knowledge of it."""
    rng = np.random.default_rng(0)
    dose = rng.gamma(4.0, 5.0, 150)
    pain, age = dose / 10 + rng.normal(size=150), rng.normal(50, 10, 150)
    pain[rng.random(150) < 0.2] = np.nan
    sex = np.where(rng.random(150) < 0.5, "f", "m")
    sex[::10] = ""
    rows = [f"{d},{p},{a},{s}" for d, p, a, s in zip(dose, pain, age, sex, strict=True)]
    (tmp_path / "own.csv").write_text("\n".join(["dose,pain,age,sex", *rows]))
    path = tmp_path / "own.parquet"
    reading = {"roles": vars(Roles(missing="impute")), "form": {}}
    script("own_data").make(tmp_path / "own.csv", path, reading=reading, knowledge=KNOWN.plain())
    return path


def drawn(own, kind, replicates):
    path = own.with_name(f"{kind}.parquet")
    resample = ResampleJob("own", "own", kind, range(replicates), {"kind": kind}, 1)
    write_parts(path, [script("resample").resampled(open_data(own), resample)])
    return path


def test_missing_cells_are_filled_from_the_records_of_each_resample(own):
    whole = open_data(own).read(0)
    holes = np.isnan(whole.values)
    assert [holes[:, whole.variables.index(name)].any() for name in ("age", "dose", "pain", "sex")] == [0, 0, 1, 1]
    fills = []
    for kind in ("all-records", "bootstrap"):
        for _, data in open_data(drawn(own, kind, 1 if kind == "all-records" else 2)):
            assert np.isfinite(data.values).all()
            for i, name in enumerate(data.variables):
                there = whole.values[:, whole.variables.index(name)]
                assert {*data.values[:, i]} <= {*there[~np.isnan(there)]}
            fills.append(data.values[:, data.variables.index("pain")].tolist())
    assert fills[0] != fills[1] != fills[2]


def test_methods_that_cannot_honour_the_arcs_say_so_and_the_others_do(own):
    path, method = drawn(own, "bootstrap", 2), method_of("steck3", {})

    def knowing(values, discrete, thresholds, about):
        return method.learn(values, discrete, thresholds, about.variables, about.knowledge)

    def other(values, discrete, thresholds):
        return Learned(dag=np.zeros((4, 4), bool))

    tasks = {"steck3": Task(knowing, named=True, knowing=True), "other": Task(other)}
    rows = run_all(tasks, path, Limits(60.0, 4000.0))
    status = {(run["method"], run["replicate"]): (run["status"], run["message"]) for run in rows.runs}
    for r in (0, 1):
        assert status["steck3", r] == ("ok", "")
        assert status["other", r] == ("error", "not run: it cannot honour what is known of the arcs")
        variables = open_data(path).read(r).about["variables"]
        arcs = {(variables[e["source"]], variables[e["target"]]) for e in rows.edges if e["replicate"] == r}
        assert ("dose", "pain") in arcs
        cuts = [t["threshold"] for t in rows.thresholds if t["replicate"] == r and variables[t["variable"]] == "dose"]
        assert cuts
        assert all(cut % 5 == 0 for cut in cuts)


def test_an_own_learner_without_arcs_is_told_so():
    method = method_of("eqfreq3", {"learner": "families:empty_search"})
    values = np.random.default_rng(0).normal(size=(50, 2))
    knowledge = cp.Knowledge(required=["x0 -> x1"])
    with pytest.raises(InputError, match="families:empty_search: takes no option arcs"):
        method.learn(values, np.zeros(2, bool), knowledge=knowledge)
    free = cp.Knowledge(thresholds={"x0": [0.0]})
    assert method.learn(values, np.zeros(2, bool), knowledge=free).thresholds[0].tolist() == [0.0]


def test_a_held_out_record_with_a_missing_cell_is_not_judged(own):
    whole = open_data(own).read(0)
    held = np.arange(150) < 40
    data, kept = filled(whole, held, np.random.default_rng(0))
    complete = ~np.isnan(whole.values).any(axis=1)
    assert kept.sum() == complete[:40].sum()
    assert (~kept).sum() == 110
    np.testing.assert_array_equal(data.values[kept], whole.values[:40][complete[:40]])
    assert np.isfinite(data.values).all()
    with pytest.raises(InputError, match="each record of a fold has a missing cell"):
        filled(whole, ~complete, np.random.default_rng(0))
    again, same = filled(data, kept, np.random.default_rng(0))
    assert again is data
    assert same is kept


def test_rows_are_worried_about_in_the_order_of_the_file(own):
    assert {name: is_one for name, _, is_one, _ in read_data(own).worries}["Rows in a row resemble each other"] is False
