"""Methods of the registry honour what is known of thresholds and arcs."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.discretization.encoding import encode
from cutpoint.knowledge.cells import Cells

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
    for search in (cp.hill_climb, cp.tabu, cp.order_search, cp.boss, cp.exact):
        learned = search(codes, knowledge=knowledge)
        assert learned.dag[3, 0], search
        assert not learned.dag[1, 2] | learned.dag[2, 1], search
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
