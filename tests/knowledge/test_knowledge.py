"""Knowledge: what is read from files; tests/golden/errors has files that are wrong or contradict themselves."""

import numpy as np
import pytest

import cutpoint as cp
from cutpoint.graphs.frequencies import edge_shares
from cutpoint.knowledge.read import knowledge_of

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
    assert cp.Knowledge.of(knowledge.plain(), "plain") == knowledge
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
    (share,) = edge_shares(runs, rows, knowledge.oriented)
    assert (share["forward"], share["undirected"]) == (1, 0)
    (share,) = edge_shares(runs, rows)
    assert (share["forward"], share["undirected"]) == (0, 1)
