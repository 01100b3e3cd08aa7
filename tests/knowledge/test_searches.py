"""Every search and every row honour what is known of the arcs; the exact one finds the best graph that does."""

import numpy as np
import pyarrow as pa
import pytest
from families import dependent, make
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.knowledge.cells import Cells
from cutpoint.learners import scores
from cutpoint.learners.boss import boss
from cutpoint.learners.constraint import pc_correlations, pc_fisherz, pc_g2
from cutpoint.learners.ges import ges
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.order import exact, order_search
from cutpoint.learners.scores import network_score
from cutpoint.method.method import DiscretizerFunction

SEARCHES = {
    "hill_climbing": lambda score, **more: hill_climbing(score, **more),
    "hc_stable": lambda score, **more: hill_climbing(score, order="stable", **more),
    "tabu": lambda score, **more: tabu(score, **more),
    "tabu_stable": lambda score, **more: tabu(score, order="stable", **more),
    "tabu_graphs": lambda score, **more: tabu(score, tabu_list="graphs", **more),
    "order_search": lambda score, **more: order_search(score, restarts=3, max_worse=50, **more),
    "boss": lambda score, **more: boss(score, restarts=2, **more),
    "boss_columns": lambda score, **more: boss(score, order="columns", **more),
    "ges": lambda score, **more: ges(score, tries=5, **more),
    "exact": exact,
}


def drawn_arcs(seed, n, limited=True):
    """Return random arcs that some graph honours."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(n)
    ordered = place[:, None] < place
    required = ordered & (rng.random((n, n)) < 0.25)
    required[:, required.sum(axis=0) > 3] = False  # more parents than some searches take
    allowed = (required | (rng.random((n, n)) < 0.6)) & ~required.T
    np.fill_diagonal(allowed, False)
    most = int(required.sum(axis=0).max()) + int(rng.integers(2)) if limited and rng.random() < 0.5 else None
    return Arcs(allowed, required, [f"x{i}" for i in range(n)], most)


def honours(arcs, dag):
    """Return whether a DAG has all that is required, nothing that is not allowed, and not too many parents."""
    few = arcs.max_parents is None or dag.sum(axis=0).max(initial=0) <= arcs.max_parents
    return bool(few and not (dag & ~arcs.allowed).any() and not (arcs.required & ~dag).any())


@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from(["bdeu", "bic", "k2", "kgv", "gaussian"]))
def test_the_exact_search_finds_the_best_graph_that_honours_them(seed, n, kind):
    score = make(kind, seed, 60, np.random.default_rng(seed).integers(2, 4, n))
    arcs = drawn_arcs(seed, n)
    best = max(network_score(score, dag) for dag in enumerate_dags(n) if honours(arcs, dag))
    learned = exact(score, max_parents=None, arcs=arcs)
    assert honours(arcs, learned.dag)
    assert learned.score == pytest.approx(best, abs=n * score.epsilon)
    assert network_score(score, learned.dag) == pytest.approx(learned.score)


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([*SEARCHES]))
def test_no_search_leaves_them(seed, n, search):
    codes, levels = dependent(seed, 80, np.full(n, 2))
    arcs, score = drawn_arcs(seed, n), scores.bdeu(codes, levels)
    learned = SEARCHES[search](score, arcs=arcs)
    assert is_dag(learned.dag)
    assert honours(arcs, learned.dag)
    pattern = arcs.oriented(cpdag(learned.dag))
    assert (learned.dag & ~pattern).sum() == 0  # the graph is one of its pattern
    assert not (pattern & ~pattern.T & ~arcs.allowed).any()
    assert not (arcs.required & pattern.T).any()


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_order_search_finds_what_enumeration_finds_on_few_variables(seed, n):
    codes, levels = dependent(seed, 60, np.full(n, 2))
    arcs, score = drawn_arcs(seed, n), scores.bdeu(codes, levels)
    learned = order_search(score, max_parents=None, arcs=arcs)
    assert learned.score == pytest.approx(exact(score, max_parents=None, arcs=arcs).score, abs=n * score.epsilon)


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_oriented_pattern_is_the_union_of_the_class_that_honours_them(seed, n):
    arcs = drawn_arcs(seed, n, limited=False)
    allowed = [dag for dag in enumerate_dags(n) if honours(arcs, dag)]
    dag = allowed[seed % len(allowed)]
    alike = [other for other in allowed if np.array_equal(cpdag(other), cpdag(dag))]
    np.testing.assert_array_equal(arcs.oriented(cpdag(dag)), np.any(alike, axis=0))


@given(st.integers(0, 10_000), st.integers(2, 7), st.sampled_from(["fisherz", "g2"]))
def test_pc_has_neighbours_and_directions_as_known(seed, n, test):
    codes, levels = dependent(seed, 200, np.full(n, 2))
    arcs = drawn_arcs(seed, n)
    if test == "g2":
        pattern = pc_g2(codes, levels, arcs=arcs).cpdag
    else:
        pattern = pc_fisherz(codes + np.random.default_rng(seed).normal(size=codes.shape), levels > 9, arcs=arcs).cpdag
    edges, directed = pattern | pattern.T, pattern & ~pattern.T
    assert not (edges & ~(arcs.allowed | arcs.allowed.T)).any()
    assert not (arcs.required & ~directed).any()
    assert not (directed & ~arcs.allowed).any()


def test_what_pc_never_tested_makes_no_collider():
    chain = np.array([[1, 0.7, 0.49], [0.7, 1, 0.7], [0.49, 0.7, 1.0]])  # 0 - 1 - 2, the ends dependent
    allowed = ~np.eye(3, dtype=bool)
    allowed[0, 2] = allowed[2, 0] = False
    pattern = pc_correlations(chain, 1000, arcs=Arcs(allowed, np.zeros((3, 3), bool), list("abc"))).cpdag
    assert np.argwhere(pattern).tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


@pytest.mark.parametrize("search", [hill_climbing, tabu, order_search, boss, ges])
def test_a_start_against_them_or_with_a_cycle_is_refused(search):
    codes, levels = dependent(0, 60, (2, 2, 2))
    required = np.zeros((3, 3), bool)
    required[0, 1] = True
    arcs = Arcs(~np.eye(3, dtype=bool) & ~required.T, required, list("abc"))
    with pytest.raises(InputError, match=r"start: the graph lacks the arc a -> b"):
        search(scores.bdeu(codes, levels), start=np.zeros((3, 3), bool), arcs=arcs)
    with pytest.raises(InputError, match="acyclic"):
        search(scores.bdeu(codes, levels), start=~np.eye(3, dtype=bool))
    start = required.copy()
    start[1, 2] = True
    assert search(scores.bdeu(codes, levels), start=start, arcs=arcs).dag[0, 1]


def test_a_limit_below_the_required_parents_is_refused():
    codes, levels = dependent(0, 60, (2, 2, 2))
    required = np.zeros((3, 3), bool)
    required[:2, 2] = True
    arcs = Arcs(~np.eye(3, dtype=bool) & ~required.T, required, list("abc"))
    for search in SEARCHES.values():
        with pytest.raises(InputError, match=r"required: 2 of the parents of c, and max_parents is 1"):
            search(scores.bdeu(codes, levels), max_parents=1, arcs=arcs)


KNOWN = {
    "a": {"grid": 5, "least_share": 0.1, "most_levels": 3},
    "b": [0.0],
    "c": {"least_share": 0.2, "least_levels": 2},
    "d": {"most_levels": 2, "least_levels": 2},
}
ROWS = ["eqwidth3", "eqfreq3", "hartemink", "friedman3", "monti3", "steck3", "mgcd", "ruichu", "steck_exact3"]
ROWS += ["latent", "consensus"]


def frame(seed=0, records=200):
    rng = np.random.default_rng(seed)
    a = rng.normal(40, 15, records)
    b = a / 20 - 2 + rng.normal(size=records)
    c = np.round(rng.gamma(1.0, 2.0, records) + np.abs(b), 1)
    d = c + rng.normal(size=records)
    return pa.table({"a": a, "b": b, "c": c, "d": d, "e": np.where(d > 3, "yes", "no")})


def test_thresholds_are_those_allowed_in_every_row():
    data = frame()
    table = {name: data[name].to_numpy() for name in "abcd"}
    for row in ROWS:
        learned = cp.learn(data, row, knowledge=cp.Knowledge(thresholds=KNOWN))
        cuts = dict(zip(learned.variables, learned.thresholds, strict=True))
        assert (cuts["a"] % 5 == 0).all(), row
        assert len(cuts["a"]) <= 2, row
        assert cuts["b"].tolist() == [0.0], row
        assert len(cuts["d"]) == 1, row
        for name, share in (("a", 0.1), ("c", 0.2)):
            records = np.bincount(encode(table[name][:, None], [cuts[name]])[:, 0], minlength=len(cuts[name]) + 1)
            assert records.min() >= share * 200, (row, name)
        assert len(cuts["c"]) >= 1, row
        assert learned.thresholds.states == {"e": ("no", "yes")}


CODES = ("eqfreq3", "hc_stable", "tabu_stable", "friedman3", "steck3", "mgcd", "latent", "consensus")


@pytest.mark.parametrize("row", [*CODES, "bach", "bach_stable", "pc_fisherz"])
def test_arcs_are_those_allowed_in_every_kind_of_row(row):
    knowledge = cp.Knowledge(required=["d -> a"], forbidden=["b -> c"], tiers=[["e"], ["d", "c"]], max_parents=2)
    learned = cp.learn(frame(), row, knowledge=knowledge)
    place = {name: i for i, name in enumerate(learned.variables)}
    arcs = knowledge.arcs(learned.variables)
    directed = learned.cpdag & ~learned.cpdag.T
    assert directed[place["d"], place["a"]]
    assert not (directed & ~arcs.allowed).any()
    if learned.dag is not None:
        assert not (learned.dag & ~arcs.allowed).any()
        assert learned.dag.sum(axis=0).max() <= 2


def test_direct_functions_and_confidence_take_knowledge_too():
    data, knowledge = frame(), cp.Knowledge(required=["x3 -> x0"], forbidden=["x1 -> x2", "x2 -> x1"])
    values = np.column_stack([data[name].to_numpy() for name in "abcd"])
    codes = cp.encode(values, cp.discretize(values, "equal_frequency"))
    for search in (cp.hill_climb, cp.tabu, cp.order_search, cp.boss, cp.ges, cp.exact):
        learned = search(codes, knowledge=knowledge)
        assert learned.dag[3, 0], search
        assert not learned.dag[1, 2] | learned.dag[2, 1], search
        assert learned.score >= cp.hill_climb(codes, knowledge=knowledge).score - 5, search
        assert learned.cpdag[3, 0] & ~learned.cpdag[0, 3]
    assert cp.pc(values, knowledge=knowledge).cpdag[3, 0]
    shares = cp.edge_confidence(values, "eqfreq3", samples=3, knowledge=knowledge)
    assert shares.directed[3, 0] == 1
    with pytest.raises(cp.InputError, match=r"thresholds\.x0: the column is discrete"):
        cp.exact(codes, knowledge=cp.Knowledge(thresholds={"x0": [1]}))


def test_a_file_and_names_in_any_order_give_the_same(tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text("required: [a -> e]\nthresholds: {a: {grid: 10}}\n")
    data = frame()
    one = cp.learn(data, "steck3", knowledge=path)
    two = cp.learn(data.select(["e", "c", "a", "d", "b"]), "steck3", knowledge=str(path))
    assert {*one.edges()} == {*two.edges()}
    assert ("a", "e", True) in one.edges()


@given(st.integers(0, 10_000), st.floats(0.3, 7), st.floats(0.02, 0.4), st.integers(1, 4))
def test_any_choice_of_cells_comes_back_allowed(seed, step, share, most):
    rng = np.random.default_rng(seed)
    step, values = round(step, 2), np.round(rng.normal(0, 10, (60, 1)), int(rng.integers(4)))
    knowledge = cp.Knowledge(thresholds={"x": {"grid": step, "least_share": round(share, 3), "most_levels": most}})
    try:
        cells = Cells(knowledge, values, np.zeros(1, bool), ["x"])
    except cp.InputError as problem:
        assert "2 levels are needed" in str(problem)  # noqa: PT017
        return
    distinct = np.unique(cells.values)
    chosen = np.sort(rng.choice(distinct[1:], rng.integers(len(distinct)), replace=False))
    (cuts,) = cells.restored([chosen])
    assert len(cuts) < most + 1
    np.testing.assert_allclose(np.rint(cuts / step) * step, cuts, atol=1e-9)
    records = np.bincount(np.searchsorted(cuts, values[:, 0], side="right"), minlength=len(cuts) + 1)
    assert records.min() >= round(share, 3) * 60 - 1e-6
    if len(chosen) < most:
        np.testing.assert_array_equal(encode(values, [cuts]), encode(cells.values, [chosen]))


def test_levels_that_the_values_do_not_allow_are_one_line():
    values = np.column_stack([[1.0, 2, 3, 4] * 5, np.arange(20.0)])
    for bounds in ({"grid": 100}, {"least_levels": 5}):
        with pytest.raises(cp.InputError, match=r"x0: \d levels are needed, and the values allow"):
            cp.learn(values, "eqfreq3", knowledge=cp.Knowledge(thresholds={"x0": bounds}))
    with pytest.raises(cp.InputError, match=r"thresholds\.x1\.grid: 1\d+ multiples of 1e-07 are too many"):
        cp.learn(values, "eqfreq3", knowledge=cp.Knowledge(thresholds={"x1": {"grid": 1e-7}}))


@pytest.mark.parametrize("method", ["consensus", "steck3", "eqfreq3", "latent"])
def test_the_most_levels_of_all_columns(method):
    rng = np.random.default_rng(4)
    values = rng.normal(size=(300, 1)) + 0.3 * rng.normal(size=(300, 4))
    of_columns = {"x1": {"most_levels": 3}, "x2": [-1.0, -0.5, 0.0, 0.5], "x3": {"grid": 0.25}}
    free = cp.learn(values, method).thresholds
    cuts = cp.learn(values, method, knowledge=cp.Knowledge(max_levels=2, thresholds=of_columns)).thresholds
    assert max(map(len, free)) > 1
    assert [len(one) <= most for one, most in zip(cuts, (1, 2, 4, 1), strict=True)] == [True] * 4
    assert len(cuts[2]) == 4


@pytest.mark.parametrize("method", ["consensus", "latent", "posterior"])
def test_no_share_speaks_against_what_is_known(method):
    """Of searches, of states alone, of draws of levels and of a posterior: none has an arrow back in time."""
    cause = np.random.default_rng(1).integers(0, 3, 600)
    blurred = np.column_stack([cause, cause // 2, (cause > 0) * 2]) + np.random.default_rng(2).normal(0, 0.12, (600, 3))
    tables = {"numbers": blurred, "curves": blurred**3, "states": np.rint(blurred).clip(0)}
    for kind, values in tables.items():
        discrete = ["x0", "x1", "x2"] if kind == "states" else []
        known = cp.Knowledge(tiers=[["x2"], ["x0", "x1"]])
        shares = cp.learn(values, method, knowledge=known, discrete=discrete).uncertainty.edges
        if shares is not None:  # of latent levels that do not pay there are none
            assert not shares.directed[:2, 2].any(), kind
            assert not shares.undirected[:2, 2].any(), kind
            assert shares.directed[2].any(), kind


@pytest.mark.parametrize("method", ["eqfreq3", "hartemink", "steck3", "chen"])
def test_a_level_without_records_joins_nothing(method):
    values, graphs = np.random.default_rng(0).normal(size=(300, 3)), []
    for beyond in ([], [9]):
        known = {"x1": {"fixed": [-9, *beyond]}, "x2": {"fixed": [0, *beyond]}}
        learned = cp.learn(values, method, knowledge=cp.Knowledge(thresholds=known))
        assert [*map(list, learned.thresholds[1:])] == [[-9, *beyond], [0, *beyond]]
        graphs.append(learned.edges())
    assert graphs[0] == graphs[1]
    assert not any("x1" in edge for edge in graphs[0])


def test_thresholds_beyond_the_data_are_left_out():
    values = np.random.default_rng(0).normal(size=(300, 2))
    thresholds = DiscretizerFunction("families:beyond").find(values, np.zeros(2, bool))
    assert [*map(list, thresholds)] == [[0], []]
