import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.graphs.metrics import RATE_CONVENTIONS, SHD_CONVENTIONS, compare, metrics, precision_recall, rates, shd
from cutpoint.graphs.patterns import cpdag


def graph(n, text):
    """Graph from such as "0>1 1-2"."""
    adjacency = np.zeros((n, n), bool)
    for edge in text.split():
        i, mark, j = int(edge[0]), edge[1], int(edge[2])
        adjacency[i, j] = True
        adjacency[j, i] = mark == "-"
    return adjacency


def random_dag(n, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    return np.triu(rng.random((n, n)) < 0.4, 1)[np.ix_(order, order)]


def pairs_of_dags():
    return st.builds(
        lambda n, a, b: (random_dag(n, a), random_dag(n, b)),
        st.integers(1, 8),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    )


# learned, true, fu2005, standard; patterns of three or four nodes
HAND_MADE = [
    ("", "", 0, 0),
    ("0-1", "", 1, 1),  # Fu's first example: an undirected edge where none is
    ("", "0-1", 1, 1),
    ("0>2 1>2", "", 4, 2),  # his third: extra directed edges count 2 each
    ("", "0>2 1>2", 4, 2),
    ("0-2 2-1", "0>2 1>2", 2, 2),  # his second: undirected for directed, 1 each
    ("0>2 1>2", "0-2 2-1", 2, 2),
    ("2>0 2-1", "0>2 1>2", 2, 2),  # reversed, and undirected for directed
    ("0>2 1>2", "0>3 1>3", 8, 4),
    ("0-1 1-2", "0-1 1-3", 2, 2),
    ("0>2 1>2 2>3", "0>2 1>2 2>3 0>3", 2, 1),
]


@pytest.mark.parametrize(("learned", "true", "fu", "standard"), HAND_MADE)
def test_distance_by_hand(learned, true, fu, standard):
    pair = graph(4, learned), graph(4, true)
    assert shd(*pair) == shd(*pair, "fu2005") == fu
    assert shd(*pair, "standard") == standard


def test_equivalent_dags_are_at_distance_zero():
    chain, fork = graph(3, "0>1 1>2"), graph(3, "1>0 1>2")
    assert shd(chain, fork) == shd(cpdag(chain), fork, "standard") == 0
    assert shd(chain, graph(3, "0>1 2>1")) == 2


def test_counts_by_hand():
    learned, true = graph(5, "0>2 1>2 2>3 3-4"), graph(5, "0>2 1-2 3>2 0>4")
    assert compare(learned, true) == {
        "true_edges": 4,
        "learned_edges": 4,
        "right": 1,
        "reversed": 2,
        "extra": 1,
        "missing": 1,
        "extra_directed": 0,
        "missing_directed": 1,
        "absent": 6,
    }
    assert rates(learned, true) == {"tpr": 1 / 4, "fpr": 3 / 4}
    assert rates(learned, true, "standard") == {"tpr": 1 / 4, "fpr": 1 / 6}
    assert rates(learned, true, "skeleton") == {"tpr": 3 / 4, "fpr": 1 / 6}
    assert precision_recall(learned, true) == {"precision": 0.75, "recall": 0.75, "f1": 0.75}
    assert precision_recall(learned, true, "pattern")["f1"] == 0.25


def test_rates_of_the_empty_graph_are_undefined():
    empty, edge, full = graph(2, ""), graph(2, "0-1"), graph(2, "0>1")
    assert all(math.isnan(v) for v in rates(empty, edge).values())
    assert rates(empty, edge, "standard")["tpr"] == 0
    assert math.isnan(rates(empty, edge, "standard")["fpr"])
    assert math.isnan(rates(full, empty, "skeleton")["tpr"])
    assert math.isnan(precision_recall(empty, edge)["precision"])
    assert math.isnan(precision_recall(empty, empty)["f1"])


@settings(max_examples=50, deadline=None)
@given(pairs_of_dags())
def test_counts_agree_with_a_loop_over_pairs(pair):
    found, truth = map(cpdag, pair)
    fu = standard = right = 0
    for i in range(len(truth)):
        for j in range(i):
            a, b = (found[i, j], found[j, i]), (truth[i, j], truth[j, i])
            right += a == b and any(a)
            standard += a != b
            if a != b:
                fu += 1 if any(a) == any(b) else 1 + (sum(a) + sum(b) == 1)
    counts = compare(*pair)
    assert (shd(*pair), shd(*pair, "standard"), counts["right"]) == (fu, standard, right)
    assert counts["learned_edges"] == counts["right"] + counts["reversed"] + counts["extra"]
    assert counts["true_edges"] == counts["right"] + counts["reversed"] + counts["missing"]
    assert counts["true_edges"] + counts["absent"] == len(truth) * (len(truth) - 1) // 2


@settings(max_examples=30, deadline=None)
@given(pairs_of_dags(), st.integers(0, 10**6))
def test_symmetry_identity_and_relabelling(pair, seed):
    a, b = pair
    order = np.random.default_rng(seed).permutation(len(a))
    relabel = np.ix_(order, order)
    for convention in SHD_CONVENTIONS:
        assert shd(a, b, convention) == shd(b, a, convention)
        assert shd(a, cpdag(a), convention) == 0
    np.testing.assert_equal(metrics(a[relabel], b[relabel]), metrics(a, b))


@settings(max_examples=20, deadline=None)
@given(pairs_of_dags())
def test_metrics_gathers_what_the_single_functions_return(pair):
    expected = dict(compare(*pair))
    expected |= {f"shd_{c}": shd(*pair, c) for c in SHD_CONVENTIONS}
    for c in RATE_CONVENTIONS:
        expected |= {f"{k}_{c}": v for k, v in rates(*pair, c).items()}
    for m in ("skeleton", "pattern"):
        expected |= {f"{k}_{m}": v for k, v in precision_recall(*pair, m).items()}
    np.testing.assert_equal(metrics(*pair), expected)


def test_objects_with_a_pattern_and_integer_matrices_are_taken():
    dag = graph(3, "0>1 1>2")
    learned = SimpleNamespace(cpdag=cpdag(dag))
    assert shd(learned, dag.astype(int)) == 0
    assert rates(learned, learned) == {"tpr": 1, "fpr": 0}


def test_a_pattern_with_a_cycle_is_compared_as_it_stands():
    cycle = graph(3, "0>1 1>2 2>0")
    assert shd(cycle, graph(3, "0>1 1>2"), "standard") == 3
    assert shd(cycle, cycle) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: shd(g, g, "tetrad"), "unknown convention 'tetrad': use one of fu2005, standard$"),
        (lambda g: rates(g, g, "fu"), "'fu': use one of mabrouk2015, standard, skeleton$"),
        (lambda g: precision_recall(g, g, "arcs"), "'arcs': use one of skeleton, pattern$"),
        (lambda g: shd(g, g[:2, :2]), "the learned graph has 3 nodes and the true one 2$"),
        (
            lambda g: shd(g[:2], g),
            r"the learned graph must be a square matrix, not of shape \(2, 3\)$",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call(graph(3, "0>1"))
