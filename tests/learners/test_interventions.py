"""Records of which variables were set: scores against sums over records, patterns against all graphs."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from references import bdeu, by_class, enumerate_dags, families

import cutpoint as cp
from cutpoint.graphs.patterns import interventional_pattern
from cutpoint.learners.scores import bdeu as fast_bdeu
from cutpoint.learners.scores import network_score
from cutpoint.method.interventions import interventional
from cutpoint.models.effects import mutilated
from cutpoint.models.page import _arcs

SET = [None, "PKC", "PKA", "Mek", "Akt", "PIP2"]


def drawn(seed, records=200, n=4):
    """Codes of a random graph of which some variables were set in some records, one of them in all."""
    rng = np.random.default_rng(seed)
    targets = rng.random((records, n)) < 0.25
    targets[:, seed % n] |= seed % 3 == 0
    codes = rng.integers(0, 3, (records, n))
    codes[:, 1] = np.where(targets[:, 1], codes[:, 1], (codes[:, 0] + (rng.random(records) < 0.2)) % 3)
    codes[:, 3] = np.where(targets[:, 3], codes[:, 3], (codes[:, 1] + codes[:, 2]) % 3)
    return codes, targets


@pytest.mark.parametrize("seed", range(4))
def test_the_term_of_a_family_leaves_out_records_that_set_its_child(seed):
    codes, targets = drawn(seed)
    levels = np.full(4, 3)
    score = interventional(lambda rows: fast_bdeu(codes[rows], levels, ess=2.0), targets)
    for dag in [*enumerate_dags(4)][seed::40]:
        expected = sum(bdeu(codes[~targets[:, i]], levels, i, parents, 2.0) for i, parents in families(dag))
        assert network_score(score, dag) == pytest.approx(expected, abs=1e-8)
        for child, parents in families(dag):
            for x in {*range(4)} - {child}:
                other = sorted({*parents} ^ {x})
                gain = score.family(child, other) - score.family(child, parents)
                assert score.gains(child, np.array(parents, int))[x] == pytest.approx(gain, abs=1e-8)
    order = np.random.default_rng(seed).permutation(4)
    arranged = score.reordered(order)
    assert network_score(arranged, dag[np.ix_(order, order)]) == pytest.approx(network_score(score, dag))
    assert [arranged.content(k) for k in range(4)] == [score.content(i) for i in order]


@pytest.mark.parametrize("seed", range(6))
def test_the_pattern_is_that_of_all_graphs_which_interventions_do_not_tell_apart(seed):
    """Hauser and Bühlmann 2012, theorem 10: each mutilated graph has the same skeleton and the same colliders."""
    rng = np.random.default_rng(seed)
    targets = rng.random((rng.integers(1, 4), 4)) < 0.4
    targets[0] = False  # some records without any

    def class_of(dag):
        graphs = [dag & ~chosen for chosen in targets]  # no arc into what was set
        return tuple(cp.cpdag(graph).tobytes() for graph in graphs)

    classes = by_class(4, class_of)
    for dag in [*enumerate_dags(4)][seed::6]:
        union = np.any(classes[class_of(dag)], axis=0)
        np.testing.assert_array_equal(interventional_pattern(cp.cpdag(dag), dag, targets), union)


@pytest.fixture(scope="module")
def sachs():
    """Records of the network of Sachs et al. with five interventions as there, and which variable was set."""
    network, rng = cp.network("sachs"), np.random.default_rng(0)
    places = [{} if name is None else {network.variables.index(name): 1} for name in SET]
    codes = np.vstack([cp.sample(mutilated(network, place), 300, rng) for place in places])
    names = np.array(["low", "middle", "high"], object)
    return pd.DataFrame(names[codes], columns=network.variables), np.repeat(np.array(SET, object), 300)


@pytest.mark.parametrize("learner", ["hill_climbing", "boss"])
def test_interventions_tell_directions_that_observation_cannot(sachs, learner):
    frame, was_set = sachs
    truth = cp.network("sachs").dag
    assert not (cp.cpdag(truth) & ~cp.cpdag(truth).T).any()  # no arc of the network is told by observation
    learned = cp.learn(frame, "eqfreq3", learner=learner, interventions=was_set)
    arcs = learned.cpdag & ~learned.cpdag.T
    assert (arcs & truth).sum() >= 15
    assert not (arcs & truth.T).any()
    blind = cp.learn(frame, "eqfreq3", learner=learner)
    assert (blind.cpdag & ~blind.cpdag.T & truth).sum() <= 2  # of interventions that it takes for observations
    shuffled = frame[[*frame.columns[::-1]]]
    again = cp.learn(shuffled, "eqfreq3", learner=learner, interventions=was_set)
    np.testing.assert_array_equal(again.cpdag[::-1, ::-1], learned.cpdag)


def test_the_same_interventions_in_all_forms(sachs):
    frame, was_set = sachs
    expected = cp.learn(frame, "eqfreq3", interventions=was_set)
    mask = np.array([[name == one for name in frame.columns] for one in was_set])
    words = ["none" if one is None else one for one in was_set]
    for data, form in [
        (frame, mask),
        (frame, [[] if one is None else [one] for one in was_set]),
        (frame, pd.Series(was_set).where(pd.notna(was_set), np.nan)),
        (frame, pd.Series(was_set, dtype="string")),
        (frame.assign(target=words), "target"),
        (frame.assign(target=was_set), "target"),
    ]:
        learned = cp.learn(data, "eqfreq3", interventions=form)
        np.testing.assert_array_equal(learned.cpdag, expected.cpdag)
        assert learned.variables == [*frame.columns]
        assert learned.score == expected.score


def test_a_file_with_a_column_of_interventions(sachs, tmp_path):
    frame, was_set = sachs
    words = ["none" if one is None else one for one in was_set]
    frame.assign(target=words).to_csv(tmp_path / "my.csv", index=False)
    model = cp.fit(cp.read_data(tmp_path / "my.csv"), "eqfreq3", interventions="target")
    assert {*model.variables} == {*frame.columns}
    rows = frame[was_set != "Mek"]  # the table of Mek rests on records in which it was not set
    place = model.variables.index("Mek")
    parents, states = model.network.parents[place], model.network.states
    for cell in product(*(range(len(states[i])) for i in parents)):
        inside = np.all([rows[model.variables[i]] == states[i][k] for i, k in zip(parents, cell, strict=True)], axis=0)
        counts = np.array([(rows.Mek[inside] == state).sum() for state in states[place]])
        q = np.prod([len(states[i]) for i in parents])
        np.testing.assert_allclose(model.network.tables[place][cell], (counts + 1 / (3 * q)) / (counts.sum() + 1 / q))


def test_values_without_levels():
    rng = np.random.default_rng(4)
    chosen = rng.random((600, 3)) < [0.3, 0.3, 0]
    x = rng.normal(0, 1, 600)
    y = np.where(chosen[:, 1], rng.normal(0, 1, 600), x + rng.normal(0, 1, 600))
    values = np.column_stack([x, y, y + rng.normal(0, 1, 600)])
    for method in ("gaussian_bic", "bge", "degenerate_gaussian"):
        options = {} if method == "gaussian_bic" else {"score": method}
        learned = cp.learn(values, "gaussian_bic", interventions=chosen, **options)
        assert [tuple(edge) for edge in learned.edges()] == [("x0", "x1", True), ("x1", "x2", True)]


@pytest.mark.parametrize("known", [{}, {"required": ["PIP2 -> Akt"], "forbidden": ["Raf -> Mek"]}])
def test_knowledge_and_interventions_settle_the_same_in_graph_network_file_and_page(sachs, known, tmp_path):
    frame, was_set = sachs
    learned = cp.learn(frame, "eqfreq3", interventions=was_set, knowledge=cp.Knowledge(**known))
    edges = {edge[:2] for edge in learned.edges() if edge.directed}
    assert not known or (("PIP2", "Akt") in edges and ("Raf", "Mek") not in edges)
    model = learned.fit(frame, interventions=was_set)
    model.write(tmp_path / "my.json")
    for each in (model, cp.read_model(tmp_path / "my.json"), learned.fit(frame[pd.isna(was_set)])):
        np.testing.assert_array_equal(each.pattern, learned.cpdag)
        drawn = {(each.variables[arc["from"]], each.variables[arc["to"]]) for arc in _arcs(each) if arc["settled"]}
        assert drawn == edges


@pytest.mark.parametrize(
    ("method", "options", "text"),
    [
        ("steck3", {}, "^steck3: interventions: needs a search with a score of codes or values, such as 'eqfreq3'"),
        ("consensus", {}, "consensus: interventions: needs a search"),
        ("pc_fisherz", {}, "pc_fisherz: interventions: needs a search"),
        ("eqfreq3", {"learner": "ges"}, "eqfreq3: interventions: ges searches classes that they split; take boss"),
        ("eqfreq3", {"interventions": ["Mekk"] * 1800}, "interventions, row 1: no column 'Mekk'; did you mean 'Mek'"),
        ("eqfreq3", {"interventions": "target"}, "interventions: no column 'target'"),
        ("eqfreq3", {"interventions": [None] * 9}, "a name or None for each of 1800 records is expected"),
        ("eqfreq3", {"interventions": np.zeros((9, 11), bool)}, r"bool of shape \(1800, 11\) is expected, not \(9"),
        ("eqfreq3", {"interventions": pd.DataFrame({"Mek": [True]})}, "interventions: is a data frame; give its array"),
        ("eqfreq3", {"interventions": 3}, "a name or None for each of 1800 records is expected"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_line(sachs, method, options, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        cp.learn(sachs[0], method, **{"interventions": sachs[1]} | options)
    assert "\n" not in str(raised.value)


def test_dropped_records_are_named(sachs):
    frame = sachs[0].copy()
    frame.loc[3, "Mek"] = None
    with pytest.raises(cp.InputError, match="interventions: of 1800 records and 1799 that are left"):
        cp.learn(frame, "eqfreq3", missing="drop", interventions=sachs[1])
    assert cp.fit(frame, "eqfreq3", missing="impute", interventions=sachs[1]).records == 1800
