"""Graphs and distances between them against NetworkX, pyAgrum, enumerations and what they promise."""

import math

import networkx
import numpy as np
import pyagrum as gum
import pytest
from cutpoint.bench.studies.tran2013.study import count_dags
from hypothesis import given
from hypothesis import strategies as st
from references import by_class, enumerate_dags, random_dag

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import find_cycle, is_dag, skeleton, topological_order
from cutpoint.graphs.metrics import SHD_CONVENTIONS, compare, metrics, rates, shd
from cutpoint.graphs.patterns import consistent_extension, cpdag, meek
from cutpoint.kernels import classes
from cutpoint.learners.learned import Learned
from cutpoint.networks.network import network


def dags(largest=9):
    densities = st.sampled_from([0.15, 0.3, 0.5, 0.8])
    seeds = st.integers(0, 10**6).map(np.random.default_rng)
    return st.builds(random_dag, seeds, st.integers(1, largest), densities)


def colliders(graph):
    """The set of (parent, child, parent) with parents not adjacent."""
    arcs, nodes = graph & ~graph.T, range(len(graph))
    pairs = [(i, j) for i in nodes for j in nodes[i + 1 :] if not graph[i, j] and not graph[j, i]]
    return frozenset((i, k, j) for i, j in pairs for k in nodes if arcs[i, k] and arcs[j, k])


def class_of(dag):
    """Verma and Pearl 1990: equivalent DAGs have the same skeleton and the same colliders."""
    return skeleton(dag).tobytes(), colliders(dag)


@pytest.mark.parametrize(("n", "classes"), [(0, 1), (2, 2), (3, 11), (4, 185)])
def test_cpdag_is_the_union_of_the_class(n, classes):
    members = by_class(n, class_of)
    assert len(members) == classes
    for dag in enumerate_dags(n):
        np.testing.assert_array_equal(cpdag(dag), np.any(members[class_of(dag)], axis=0))


@pytest.mark.parametrize("seed", range(8))
def test_cpdag_equals_pyagrum_essential_graph(seed):
    # sparse only: pyAgrum 3.3.1 directs too much in some dense graphs, and raises in others
    dag = random_dag(np.random.default_rng(seed), 15, (0.1, 0.2, 0.3, 0.4)[seed % 4])
    names = [f"x{i}" for i in range(15)]
    essential = gum.EssentialGraph(gum.fastBN(";".join([*names, *(f"x{i}->x{j}" for i, j in np.argwhere(dag))])))
    expected = np.zeros_like(dag)
    for i, j in essential.arcs():
        expected[i, j] = True
    for i, j in essential.edges():
        expected[i, j] = expected[j, i] = True
    np.testing.assert_array_equal(cpdag(dag), expected)


@given(dags(12))
def test_both_directions_of_undirected_edges_occur_in_the_class(dag):
    pattern = cpdag(dag)
    extension, exact = consistent_extension(pattern)
    assert exact
    assert class_of(extension) == class_of(dag)
    for i, j in np.argwhere(pattern & pattern.T):
        directed = pattern.copy()
        directed[j, i] = False
        member, _ = consistent_extension(directed)
        assert member[i, j]
        assert class_of(member) == class_of(dag)


@given(dags(12), st.integers(0, 10**6))
def test_kernels_of_a_search_give_the_same(dag, seed):
    pattern = cpdag(dag)
    np.testing.assert_array_equal(classes.cpdag(dag), pattern)
    changed = pattern.copy()
    for i, j in np.random.default_rng(seed).integers(len(dag), size=(2, 2)):
        changed[i, j] ^= i != j
    for pdag in (pattern, changed):
        expected, exact = consistent_extension(pdag)
        extension, found, order = classes.extension(pdag)
        assert found == exact
        if exact:
            np.testing.assert_array_equal(extension, expected)
            assert not np.triu(extension[np.ix_(order, order)]).any()


@given(dags())
def test_meek_completes_skeleton_and_colliders(dag):
    pdag = skeleton(dag)
    for i, k, j in colliders(dag):
        pdag[k, [i, j]] = False
    np.testing.assert_array_equal(meek(pdag), cpdag(dag))


def test_meek_with_background_knowledge_keeps_what_all_extensions_share():
    # rule 4 matters only here: orient one undirected edge of every pattern on 4 nodes
    for members in by_class(4, class_of).values():
        pattern = np.any(members, axis=0)
        for i, j in np.argwhere(pattern & pattern.T):
            directed = pattern.copy()
            directed[j, i] = False
            expected = np.any([d for d in members if d[i, j]], axis=0)
            np.testing.assert_array_equal(meek(directed), expected)


def test_meek_gives_a_contested_edge_to_the_lower_index():
    pdag = np.zeros((4, 4), bool)
    pdag[2, 0] = pdag[3, 1] = pdag[0, 1] = pdag[1, 0] = True
    assert meek(pdag)[0, 1]
    assert not meek(pdag)[1, 0]


@given(st.integers(1, 7), st.integers(0, 10**6))
def test_extension_of_any_pattern_is_a_dag_on_its_skeleton(n, seed):
    pdag = np.random.default_rng(seed).random((n, n)) < 0.4
    np.fill_diagonal(pdag, False)
    extension, exact = consistent_extension(pdag)
    assert is_dag(extension)
    np.testing.assert_array_equal(skeleton(extension), skeleton(pdag))
    closed = meek(pdag)
    np.testing.assert_array_equal(skeleton(closed), skeleton(pdag))
    assert not (closed & ~pdag).any()
    np.testing.assert_array_equal(meek(closed), closed)
    arcs = pdag & ~pdag.T
    keeps = (extension | ~arcs).all() and colliders(extension) == colliders(pdag)
    assert exact == keeps


def test_exactness_agrees_with_enumeration_on_all_patterns_of_three_nodes():
    pairs = [(0, 1), (0, 2), (1, 2)]
    for code in range(4**3):
        pdag = np.zeros((3, 3), bool)
        for k, (i, j) in enumerate(pairs):
            pdag[i, j], pdag[j, i] = code >> 2 * k & 1, code >> 2 * k + 1 & 1
        arcs = pdag & ~pdag.T
        exists = any(
            (skeleton(d) == skeleton(pdag)).all() and (d | ~arcs).all() and colliders(d) == colliders(pdag)
            for d in enumerate_dags(3)
        )
        assert consistent_extension(pdag)[1] == exists


@pytest.mark.parametrize(("n", "robinson"), [(0, 1), (1, 1), (2, 3), (3, 25), (4, 543)])
def test_enumeration_is_complete_and_without_repetition(n, robinson):
    dags = list(enumerate_dags(n))
    assert len({dag.tobytes() for dag in dags}) == len(dags) == count_dags(n) == robinson
    assert all(is_dag(dag) for dag in dags)
    assert count_dags(10) == 4175098976430598143


@given(dags())
def test_topological_order_puts_parents_first(dag):
    order = topological_order(dag)
    assert sorted(order) == list(range(len(dag)))
    assert not np.tril(dag[np.ix_(order, order)]).any()
    assert find_cycle(dag) == []


def test_cycles_are_found_and_named():
    graph = np.zeros((6, 6), bool)
    graph[[0, 1, 2, 3, 3], [1, 2, 3, 1, 4]] = True
    cycle = find_cycle(graph)
    assert {tuple(cycle[k:] + cycle[:k]) for k in range(3)} == {(1, 2, 3), (2, 3, 1), (3, 1, 2)}
    assert not is_dag(graph)
    for function in (topological_order, cpdag):
        with pytest.raises(InputError, match=r"cycle: (1 -> 2 -> 3 -> 1|2 -> 3 -> 1 -> 2|3 -> 1 -> 2 -> 3)$"):
            function(graph)


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
