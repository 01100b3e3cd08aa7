"""The public functions, as a notebook uses them."""

import numpy as np
import pyarrow as pa
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import cutpoint as cp
from cutpoint.method.method import Method

CODES = np.random.default_rng(2).integers(0, 2, (60, 4))


@pytest.fixture(scope="module")
def values():
    network = cp.network("asia")
    codes = cp.sample(network, n=400, seed=1)
    return codes + 0.3 * np.random.default_rng(1).standard_normal(codes.shape)


def test_every_public_name_can_be_had():
    for name in cp.__all__:
        assert getattr(cp, name) is not None
    assert set(cp.__all__) == set(dir(cp))
    with pytest.raises(AttributeError, match="nothing"):
        cp.nothing  # noqa: B018


def test_methods_lists_the_registry():
    lines = cp.methods()
    assert list(lines)[:2] == ["eqfreq2", "eqfreq3"]
    assert "kgv" in lines["bach"]
    assert repr(lines).splitlines()[0].startswith("eqfreq2 ")
    assert len(str(lines).splitlines()) == len(lines)


def test_methods_use_one_thread_of_blas(values, monkeypatch):
    learn, seen = Method.learn, []
    monkeypatch.setattr(Method, "learn", lambda *given: seen.append(threadpool_info()) or learn(*given))
    with threadpool_limits(2, "blas"):
        cp.learn(values, "eqfreq3")
    assert {each["num_threads"] for each in seen[-1] if each["user_api"] == "blas"} == {1}


def test_results_know_the_names_of_the_columns(values):
    frame = pa.table(dict(zip("hgfedcba", values.T, strict=True)))
    named, plain = cp.learn(frame, "eqwidth2"), cp.learn(values, "eqwidth2")
    assert named.variables == list("hgfedcba")
    assert plain.variables == [f"x{i}" for i in range(8)]
    at = {name: i for i, name in enumerate(named.variables)}
    edges = named.edges()
    assert {(at[a], at[b]) for a, b, directed in edges} <= {tuple(pair) for pair in np.argwhere(named.cpdag).tolist()}
    assert len(edges) == np.triu(named.cpdag | named.cpdag.T).sum() > 0
    assert all(directed != named.cpdag[at[b], at[a]] for a, b, directed in edges)
    assert str(named) == f"<Learned dag: 8 variables, {len(edges)} edges, 8 thresholds, score {named.score:.6g}>"
    assert cp.edge_confidence(frame, "eqwidth2", samples=1).variables == list("hgfedcba")
    assert cp.pc(frame).variables == list("hgfedcba")
    codes = cp.encode(frame, named.thresholds)
    assert cp.hill_climb(codes).variables == plain.variables
    assert cp.Learned().edges() == []
    assert repr(cp.Learned(dag=np.array([[False, True], [False, False]]))) == "<Learned dag: 2 variables, 1 edges>"


def test_discretize_and_encode(values):
    policy = cp.discretize(values, "equal_width", bins=3)
    assert [len(cuts) for cuts in policy] == [2] * 8
    codes = cp.encode(values, policy)
    assert codes.shape == values.shape
    one = cp.discretize(values[:, 0], "equal_frequency", bins=2)
    assert one.shape == (1,)
    assert np.bincount(cp.encode(values[:, 0], one)).tolist() == [200, 200]
    assert cp.encode(np.array([0.0, 1.0, 2.0]), np.array([1.0])).tolist() == [0, 1, 1]


def test_hartemink_starts_from_fewer_levels_in_a_row_too(values):
    thresholds = cp.learn(values, "hartemink", initial=5).thresholds
    for cuts, expected in zip(thresholds, cp.discretize(values, "hartemink", initial=5), strict=True):
        assert np.array_equal(cuts, expected)
    plain = cp.learn(values, "hartemink").thresholds
    assert not all(map(np.array_equal, thresholds, plain))
    with pytest.raises(cp.InputError, match="initial is 2, less than bins = 3"):
        cp.learn(values, "hartemink", initial=2)
    with pytest.raises(cp.InputError, match="eqwidth3: initial: this method makes its own first thresholds"):
        cp.learn(values, "eqwidth3", initial=5)


def test_scores_and_searches_agree(values):
    codes = cp.encode(values, cp.discretize(values, "equal_width", bins=2))
    learned = cp.hill_climb(codes, score="bdeu", ess=1.0)
    assert cp.shd(learned, cp.network("asia").dag, "fu2005") <= 40
    assert set(cp.rates(learned, cp.network("asia").dag, "mabrouk2015")) == {"tpr", "fpr"}
    assert learned.score == pytest.approx(cp.score(codes, learned.dag, "bdeu", ess=1.0))
    assert learned.score > cp.score(codes, np.zeros((8, 8), bool), "bdeu")
    assert np.array_equal(learned.cpdag, cp.cpdag(learned.dag))
    assert cp.tabu(codes, score="bic", tabu_length=5).score >= cp.hill_climb(codes, score="bic").score - 1e-6
    wider = cp.score(codes, learned.dag, "bdeu", cardinalities=np.full(8, 3))
    assert wider != pytest.approx(learned.score)


def test_frames_of_pandas_with_numbered_columns_and_series(values):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(values)
    assert np.array_equal(cp.learn(frame, "eqwidth3").cpdag, cp.learn(values, "eqwidth3").cpdag)
    one = cp.discretize(pandas.Series(values[:, 0]), "equal_width", bins=3)
    assert np.array_equal(one, cp.discretize(values[:, 0], "equal_width", bins=3))
    assert np.array_equal(one, cp.discretize(values[:, 0].tolist(), "equal_width", bins=3))


def test_a_frame_with_a_discrete_column_is_scored_as_it_was_learned(values):
    frame = pa.table({"z": values[:, 0], "b": np.where(values[:, 5] > 0.5, "yes", "no"), "a": values[:, 5]})
    for method, sign in (("steck2", 1), ("monti2", 1), ("friedman2", -1)):
        learned = cp.learn(frame, method)
        score = cp.policy_score(frame, learned.thresholds, learned.dag, method[:-1])
        assert sign * score == pytest.approx(learned.score)
        assert cp.encode(frame, learned.thresholds)[:, 1].tolist() == (values[:, 5] > 0.5).astype(int).tolist()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda v: cp.learn(v, "steck3", ess="x"), "ess"),
        (lambda v: cp.learn(v, "tetrad_pc"), "external"),
        (
            lambda v: cp.score(np.zeros((5, 3), int), np.roll(np.eye(3), 1, axis=1), "bic"),
            "cycle: x0 -> x1 -> x2 -> x0",
        ),
        (
            lambda v: cp.discretize(v, "eqfreq3"),
            r"row of methods.yaml.*: cp.discretize\(values, 'equal_frequency', bins=3\)",
        ),
        (lambda v: cp.discretize(v, "steck3"), r"as it learns: cp.learn\(values, 'steck3'\).thresholds"),
        (lambda v: cp.score(np.zeros((5, 2), int), np.zeros((3, 3), bool), "bic"), "shape"),
        (lambda v: cp.policy_score(v, [np.array([1.0])], cp.network("asia").dag, "steck"), "1 lists"),
        (lambda v: cp.score(v, np.zeros((8, 8), bool), "bdeu"), "integers"),
        (lambda v: cp.hill_climb(np.zeros((5, 2), int), score="bdu"), "did you mean 'bdeu'"),
        (lambda v: cp.exact(CODES, max_parents="2"), "exact: max_parents: Input should be a valid integer, got '2'"),
        (lambda v: cp.exact(np.zeros((10, 1100), int)), "1100 variables need"),
        (lambda v: cp.order_search(CODES, start=np.ones((4, 4), bool)), "undirected edge: x0 -- x1"),
        (lambda v: cp.tabu(CODES, cardinalities=2), "cardinalities: one integer per column"),
    ],
)
def test_bad_input_is_named_in_one_line(values, call, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        call(values)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("shape", [(0, 3), (5, 0), (0, 0)])
@pytest.mark.parametrize("search", ["boss", "ges", "exact", "order_search", "hill_climb", "tabu", "score"])
def test_data_without_records_or_variables_are_refused(search, shape):
    codes, graph = np.zeros(shape, int), np.zeros((shape[1], shape[1]), bool)
    with pytest.raises(cp.InputError, match="codes: at least one record and one variable are expected"):
        cp.score(codes, graph, "mdl") if search == "score" else getattr(cp, search)(codes, "mdl")


def test_numbers_of_numpy_and_first_graphs_are_options_too():
    climbed = cp.hill_climb(CODES, ess=np.int64(2), max_parents=np.int32(1))
    assert np.array_equal(climbed.dag, cp.hill_climb(CODES, ess=2.0, max_parents=1).dag)
    assert cp.hill_climb(CODES, start=climbed.dag, ess=2.0, max_parents=1).iterations == 0


def test_rows_that_only_the_workflow_runs_say_so(values):
    lines = cp.methods()
    for name in ("tetrad_pc", "pgmpy"):
        assert lines[name].endswith("(runs in the workflow only)")
    assert "workflow" not in lines["steck3"]
