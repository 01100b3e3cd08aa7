import math

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import random_dag

from cutpoint.base.errors import InputError
from cutpoint.graphs.metrics import SHD_CONVENTIONS, compare, metrics, rates, shd
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned
from cutpoint.networks.network import network


def graph(n, text):
    """Graph from such as "0>1 1-2"."""
    adjacency = np.zeros((n, n), bool)
    for edge in text.split():
        i, mark, j = int(edge[0]), edge[1], int(edge[2])
        adjacency[i, j] = True
        adjacency[j, i] = mark == "-"
    return adjacency


def pairs_of_dags():
    seeds = st.integers(0, 10**6).map(np.random.default_rng)
    return st.builds(lambda n, rng: (random_dag(rng, n), random_dag(rng, n)), st.integers(1, 8), seeds)


# learned, true, fu2005, standard; patterns of three or four nodes
HAND_MADE = [
    ("", "", 0, 0),
    ("0-1", "", 1, 1),  # Fu's first example: an undirected edge where none is
    ("0>2 1>2", "", 4, 2),  # his third: extra directed edges count 2 each
    ("0-2 2-1", "0>2 1>2", 2, 2),  # his second: undirected for directed, 1 each
    ("2>0 2-1", "0>2 1>2", 2, 2),  # reversed, and undirected for directed
    ("0>2 1>2 2>3", "0>2 1>2 2>3 0>3", 2, 1),
    ("0>1 1>2 2>0", "0-1 1-2", 4, 3),  # a cycle is compared as it stands
]


@pytest.mark.parametrize(("learned", "true", "fu", "standard"), HAND_MADE)
def test_distance_by_hand(learned, true, fu, standard):
    pair = graph(4, learned), graph(4, true)
    assert shd(*pair) == shd(*pair, "fu2005") == fu
    assert shd(*pair, "standard") == standard


@pytest.mark.parametrize(
    "other",
    [
        np.array([[0, 0, -1], [0, 0, -1], [1, 1, 0]]),  # endpoint marks of causal-learn: 0 -> 2 <- 1
        networkx.DiGraph([(1, 2), (0, 2)]),
    ],
)
def test_graphs_of_other_packages(other):
    collider = graph(3, "0>2 1>2")
    assert shd(other, collider) == 0
    assert rates(collider, other)["tpr"] == 1
    assert shd(np.array([[0, -1], [-1, 0]]), graph(2, "0-1")) == 0


@pytest.mark.parametrize("entry", [2, np.nan, -1, 0.5])
def test_other_entries_are_refused(entry):
    with pytest.raises(InputError, match=f"entries of the learned graph are 0 and 1, .* not {entry}"):
        shd(np.array([[0, 1, 0], [1, 0, entry], [0, 0, 0]]), graph(3, "0>1"))


def test_counts_by_hand():
    learned, true = graph(5, "0>2 1>2 2>3 3-4"), graph(5, "0>2 1-2 3>2 0>4")
    counts = {"true_edges": 4, "learned_edges": 4, "right": 1, "reversed": 2, "extra": 1, "missing": 1}
    assert compare(learned, true) == counts | {"extra_directed": 0, "missing_directed": 1, "absent": 6}
    assert rates(learned, true) == {"tpr": 1 / 4, "fpr": 3 / 4}
    assert rates(learned, true, "standard") == {"tpr": 1 / 4, "fpr": 1 / 6}
    assert rates(learned, true, "skeleton") == {"tpr": 3 / 4, "fpr": 1 / 6}
    gathered = metrics(learned, true)
    assert [gathered[f"{name}_skeleton"] for name in ("precision", "recall", "f1")] == [0.75] * 3
    assert gathered["f1_pattern"] == 0.25
    assert gathered.items() >= compare(learned, true).items()
    assert (gathered["shd_fu2005"], gathered["shd_standard"]) == (shd(learned, true), shd(learned, true, "standard"))
    assert (gathered["tpr_skeleton"], gathered["fpr_mabrouk2015"], gathered["f1_pattern"]) == (3 / 4, 3 / 4, 1 / 4)


def test_rates_of_the_empty_graph_are_undefined():
    empty, edge, full = graph(2, ""), graph(2, "0-1"), graph(2, "0>1")
    assert all(math.isnan(v) for v in rates(empty, edge).values())
    assert rates(empty, edge, "standard")["tpr"] == 0
    assert math.isnan(rates(empty, edge, "standard")["fpr"])
    assert math.isnan(rates(full, empty, "skeleton")["tpr"])
    assert math.isnan(metrics(empty, edge)["precision_skeleton"])
    assert math.isnan(metrics(empty, empty)["f1_skeleton"])


@given(pairs_of_dags())
def test_counts_agree_with_a_loop_over_pairs(pair):
    learned, truth = map(cpdag, pair)
    fu = standard = right = 0
    for i in range(len(truth)):
        for j in range(i):
            a, b = (learned[i, j], learned[j, i]), (truth[i, j], truth[j, i])
            right += a == b and any(a)
            standard += a != b
            if a != b:
                fu += 1 if any(a) == any(b) else 1 + (sum(a) + sum(b) == 1)
    counts = compare(*pair)
    assert (shd(*pair), shd(*pair, "standard"), counts["right"]) == (fu, standard, right)
    assert counts["learned_edges"] == counts["right"] + counts["reversed"] + counts["extra"]
    assert counts["true_edges"] == counts["right"] + counts["reversed"] + counts["missing"]
    assert counts["true_edges"] + counts["absent"] == len(truth) * (len(truth) - 1) // 2


@given(pairs_of_dags(), st.integers(0, 10**6))
def test_symmetry_identity_and_relabelling(pair, seed):
    a, b = pair
    order = np.random.default_rng(seed).permutation(len(a))
    relabel = np.ix_(order, order)
    for convention in SHD_CONVENTIONS:
        assert shd(a, b, convention) == shd(b, a, convention)
        assert shd(a, cpdag(a), convention) == 0
    np.testing.assert_equal(metrics(a[relabel], b[relabel]), metrics(a, b))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: shd(g, g, "tetrad"), "unknown convention 'tetrad': use one of fu2005, standard$"),
        (lambda g: shd(g, g[:2, :2]), "the learned graph has 3 nodes and the true one 2$"),
        (lambda g: shd(g[:2], g), r"the learned graph must be a square matrix, not of shape \(2, 3\)$"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call(graph(3, "0>1"))


def test_graphs_with_names_are_matched_by_name():
    pandas = pytest.importorskip("pandas")
    asia = network("asia")
    order = [3, 1, 0, 2, 7, 6, 5, 4]
    names = [asia.variables[i] for i in order]
    mixed = asia.dag[np.ix_(order, order)]
    assert shd(pandas.DataFrame(mixed, index=names, columns=names), asia) == 0
    assert shd(Learned(dag=mixed, cpdag=cpdag(mixed), variables=names), asia) == 0
    assert shd(Learned(dag=asia.dag, cpdag=cpdag(asia.dag), variables=[f"x{i}" for i in range(8)]), asia) == 0
    assert shd(mixed, asia) == shd(mixed, asia.dag) > 0  # by position
    with pytest.raises(InputError, match="only the learned graph has a variable 'smokes'"):
        shd(pandas.DataFrame(mixed, columns=["smokes" if name == "smoke" else name for name in names]), asia)
