"""Posteriors against sums over the joint, and what is made of them for Table 2 of Mabrouk 2015, from files too."""

import numpy as np
import pytest
from batches import of, read_results, write_results
from hypothesis import given
from hypothesis import strategies as st
from references import joint_of
from script_tools import script

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import Runs
from cutpoint.bench.evaluation import prediction
from cutpoint.bench.evaluation.prediction import Predictor, accuracy, estimate, questions
from cutpoint.models import inference as exact
from cutpoint.models.inference import Inference, requisite
from cutpoint.networks.network import Network, network, sample

NAMES = ("a", "b", "c", "d", "e", "f")


def random_net(rng, n=5):
    """A network of n variables with 1 to 3 states, in a random order of declaration."""
    order, levels = rng.permutation(n), rng.integers(1, 4, n)
    parents = [()] * n
    for k, child in enumerate(order):
        parents[child] = tuple(rng.permutation(order[:k])[: rng.integers(0, 4)].tolist())
    tables = []
    for child in range(n):
        shape = [levels[i] for i in (*parents[child], child)]
        table = rng.random(shape) + 0.01
        tables.append(table / table.sum(-1, keepdims=True))
    states = tuple(tuple(map(str, range(r))) for r in levels.tolist())
    return Network("random", NAMES[:n], states, tuple(parents), tuple(tables))


def conditional(joint, target, evidence, states):
    """P(target | evidence) by summing the joint; evidence beyond the levels is left out."""
    for variable, state in zip(evidence, states, strict=True):
        if 0 <= state < joint.shape[variable]:
            joint = joint.take([state], axis=variable)
    others = tuple(i for i in range(joint.ndim) if i != target)
    return joint.sum(others) / joint.sum()


@given(seed=st.integers(0, 2**32), together=st.sampled_from([1, 2**20]))
def test_posteriors_equal_sums_over_the_joint(seed, together):
    rng = np.random.default_rng(seed)
    net = random_net(rng)
    target, *evidence = rng.permutation(5)[: rng.integers(1, 6)].tolist()
    codes = np.column_stack([rng.integers(0, 3, (12, len(evidence))), np.zeros((12, 0), int)])  # some are not levels
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "TOGETHER", together)
        posteriors = Inference(net).posteriors(target, evidence, codes)
    joint = joint_of(net)
    expected = [conditional(joint, target, evidence, states) for states in codes.tolist()]
    np.testing.assert_allclose(posteriors, expected, atol=1e-9)


def test_impossible_evidence_is_named():
    half = np.array([0.5, 0.5])
    copy = Network("copy", ("a", "b", "c"), (("0", "1"),) * 3, ((), (0,), (0,)), (half, np.eye(2), np.eye(2)))
    inference = Inference(copy)
    np.testing.assert_array_equal(inference.posteriors(0, [1, 2], np.array([[0, 0], [1, 1]])), np.eye(2))
    np.testing.assert_array_equal(inference.posteriors(0, [2, 1], np.array([[0, 7], [-1, 1]])), np.eye(2))
    with pytest.raises(InputError, match="probability 0"):
        inference.posteriors(0, [1, 2], np.array([[0, 0], [0, 1]]))


def test_only_what_is_connected_is_asked():
    dag = np.zeros((6, 6), bool)
    for i, j in [(0, 1), (1, 2), (3, 2), (2, 4)]:  # a chain 0 1 2 4, and 3 another cause of 2
        dag[i, j] = True
    assert requisite(dag, 2, [0, 1]) == [1]
    assert requisite(dag, 2, [1, 0]) == [0]
    assert requisite(dag, 1, [3]) == []  # the common effect is not observed
    assert requisite(dag, 1, [4, 3, 5]) == [0, 1]  # what it causes is
    assert requisite(dag, 1, []) == []


def test_laplace_by_hand():
    codes = np.array([[0, 0], [0, 0], [0, 1], [1, 2]])
    dag = np.array([[False, True], [False, False]])
    net = estimate(codes, np.array([3, 3]), dag, ["x", "y"])
    np.testing.assert_allclose(net.tables[0], [4 / 7, 2 / 7, 1 / 7])
    np.testing.assert_allclose(net.tables[1], [[3 / 6, 2 / 6, 1 / 6], [1 / 4, 1 / 4, 2 / 4], [1 / 3, 1 / 3, 1 / 3]])
    assert (net.variables, net.parents) == (("x", "y"), ((), (0,)))
    np.testing.assert_allclose(estimate(codes, np.array([2, 3]), dag.T, ["x", "y"]).tables[0][0], [3 / 4, 1 / 4])


def test_a_table_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(prediction, "MAX_TABLE", 10**6)
    dag = np.zeros((5, 5), bool)
    dag[:4, 4] = True
    with pytest.raises(InputError, match="y: its table given 4 parents has 3200000 cells, over 1000000"):
        estimate(np.zeros((3, 5), int), np.full(5, 20), dag, ["u", "v", "w", "x", "y"])


def test_drawing_is_right_as_often_as_expected(rng):
    posteriors = rng.dirichlet([1, 1, 2], 20)
    truth = rng.integers(0, 4, 20)  # a fourth state was never seen in learning
    expected = accuracy(posteriors, truth, rng.random(20))["expected"]
    sampled = [accuracy(posteriors, truth, rng.random(20))["sampled"] for _ in range(4000)]
    error = np.std(sampled) / np.sqrt(len(sampled))
    assert abs(np.mean(sampled) - expected) < 4 * error
    by_hand = sum(p[t] for p, t in zip(posteriors, truth, strict=True) if t < 3) / 20
    assert expected == pytest.approx(by_hand)


def test_a_state_of_probability_0_is_never_drawn_and_the_first_of_equals_is_taken():
    posteriors = np.array([[0.0, 0.5, 0.5], [0.3, 0.7 - 1e-12, 0.0], [0.25, 0.25, 0.5], [0.4, 0.4 + 1e-13, 0.2]])
    shares = accuracy(posteriors, np.array([1, 1, 2, 0]), np.zeros(4))
    assert shares["argmax"] == 1.0
    assert shares["sampled"] == 0.5  # 0 draws the first state that is possible: 1, 0, 0, 0
    last = accuracy(posteriors, np.array([2, 1, 2, 2]), np.full(4, np.nextafter(1, 0)))
    assert last["sampled"] == 1.0


def child():
    net = network("child")
    return net, net.variables.index("Disease"), net.variables.index("CO2")


def test_shares_of_a_blanket_are_nested():
    net, disease, gas = child()
    asks = questions(net.dag, [disease, gas], [0.3, 0.6, 1.0], 5, net.variables, 1, "study", "child", 100, 0)
    assert [(q.target, q.share, len(q.evidence)) for q in asks] == [
        *((disease, 0.3, 3), (disease, 0.6, 5), (disease, 1.0, 8), (gas, 0.3, 1), (gas, 0.6, 2), (gas, 1.0, 2))
    ]
    for small, large in [(0, 1), (1, 2), (3, 4)]:
        assert asks[large].evidence[: len(asks[small].evidence)] == asks[small].evidence
    assert asks[0].uniforms is asks[2].uniforms
    assert not np.array_equal(asks[0].uniforms, asks[3].uniforms)
    other = questions(net.dag, [disease], [1.0], 5, net.variables, 1, "study", "child", 100, 1)
    assert other[0].evidence != asks[2].evidence
    assert set(other[0].evidence) == set(asks[2].evidence)


def test_what_is_observed_does_not_depend_on_the_order_of_columns():
    net, disease, _ = child()
    order = np.random.default_rng(3).permutation(len(net.variables))
    names = [net.variables[i] for i in order]
    (one,) = questions(net.dag, [disease], [0.6], 5, net.variables, 1)
    moved = questions(net.dag[np.ix_(order, order)], [names.index("Disease")], [0.6], 5, names, 1)[0]
    assert [names[i] for i in moved.evidence] == [net.variables[i] for i in one.evidence]
    np.testing.assert_array_equal(moved.uniforms, one.uniforms)


def test_states_that_were_never_seen_in_learning():
    dag = np.array([[False, True], [False, False]])
    learning = np.array([[0, 0.0], [0, 0], [0, 1], [1, 1], [1, 1]])
    discrete, thresholds = np.array([True, True]), [np.array([0.5]), np.array([0.5])]
    model = Predictor(learning, discrete, thresholds, dag, ["x", "y"])
    (question,) = questions(dag, [1], [1.0], 1, ["x", "y"], 0)
    prior = 4 / 7 * 2 / 5 + 3 / 7 * 3 / 4  # of y = 1, by hand; x = 2 tells nothing
    assert model.answer(question, np.array([[1.0, 1]]))["expected"] == pytest.approx(3 / 4)
    assert model.answer(question, np.array([[2.0, 1]]))["expected"] == pytest.approx(prior)
    assert model.answer(question, np.array([[1.0, 2]])) == {"expected": 0.0, "sampled": 0.0, "argmax": 0.0}


CELL, SHARES, LEARNED, HELD = "asia-n900-uniform", [0.3, 1.0], 600, 300
TARGETS = {0: ["either", "lung"], 1: ["dysp"]}  # other ones in each replicate
METHODS = ["truth", "pattern", "direct", "blind", "slow", "cyclic", "absent"]


def write_batch(folder):
    """Two data sets of a network, split in two parts, and what seven methods made of them."""
    asia = network("asia")
    order = sorted(range(8), key=asia.variables.__getitem__)
    variables = [asia.variables[i] for i in order]
    dag = asia.dag[np.ix_(order, order)]
    codes = {r: sample(asia, LEARNED + HELD, 3 + r)[:, order] for r in TARGETS}
    about = {"study": "mabrouk2015", "network": "asia", "n": LEARNED + HELD, "cell": CELL, "noise": "uniform"}
    same = {name: name for name in variables}
    each = {r: {"variables": same, "truth": "asia", "discrete": t} for r, t in TARGETS.items()}
    values = {}
    for r, targets in TARGETS.items():
        inside = np.random.default_rng(r).random(codes[r].shape) * ~np.isin(variables, targets)
        values[r] = codes[r] + inside
    learned, held = slice(0, LEARNED), slice(LEARNED, None)
    for name, part, rows in (("noise", "noise", learned), ("test", "test", held), ("other", "test", learned)):
        blocks = [(r, values[r][rows]) for r in TARGETS]
        parquet.write_data(folder / f"{name}.parquet", variables, blocks, each=each, part=part, **about)
    metadata = {"discrete": variables, "each": each, "network": "asia", "n": LEARNED + HELD}
    parquet.write_data(folder / "codes.parquet", variables, list(codes.items()), **metadata)
    write_results(folder, CELL, variables, dag, [np.array([1.0])] * 8, TARGETS)
    return variables, dag, codes


def predict(folder, methods=METHODS, seed=1, **other):
    names = {"data": "noise", "tests": "test", "codes": "codes"} | other
    files = [folder / f"{name}.parquet" for name in names.values()]
    runs = [Runs("mabrouk2015", "prediction", CELL, range(2), tuple(methods), seed, SHARES)]
    rows = script("predict").predictions_of(*files, {"asia": network("asia")}, runs, read_results(folder))
    return [dict.fromkeys(schemas.PREDICTIONS.names) | row for row in rows]


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    return folder, *write_batch(folder)


@pytest.fixture(scope="module")
def rows(batch):
    return predict(batch[0])


def test_every_method_has_a_row_for_every_target_and_share(rows):
    expected = [(r, t, share) for r, targets in TARGETS.items() for t in targets for share in SHARES]
    for method in METHODS:
        assert [(row["replicate"], row["target"], row["share"]) for row in of(rows, method)] == expected
    about = {"study": "mabrouk2015", "grid": "prediction", "cell": CELL, "network": "asia", "n": 900, "records": 300}
    assert all(row[key] == value for row in rows for key, value in about.items())
    assert [row["observed"] for row in of(rows, "truth", target="either")] == [2, 5]


def test_the_true_graph_and_its_pattern_predict_about_as_well_as_the_true_network(rows):
    for row in of(rows, "truth") + of(rows, "pattern"):
        assert (row["status"], row["message"]) == ("ok", "")
        assert row["expected"] == pytest.approx(row["ceiling_expected"], abs=0.03)
        assert row["argmax"] == pytest.approx(row["ceiling_argmax"], abs=0.03)
        assert row["sampled"] == pytest.approx(row["expected"], abs=4 * 0.5 / np.sqrt(HELD))
    least, most = of(rows, "truth", target="dysp")
    assert least["expected"] < most["expected"]


@pytest.mark.parametrize(
    ("method", "status", "message"),
    [
        ("slow", "timeout", "over 60 s"),
        ("direct", "error", "no discretization: it cannot predict"),
        ("blind", "error", "no graph: it cannot predict"),
        ("absent", "error", "its job left no run of this data set"),
        ("cyclic", "error", "cyclic: a DAG is expected, and the graph has an undirected edge: dysp -- either"),
    ],
)
def test_what_cannot_predict_says_why(rows, method, status, message):
    for row, true_row in zip(of(rows, method), of(rows, "truth"), strict=True):
        assert (row["status"], row["message"]) == (status, message)
        assert (row["expected"], row["sampled"], row["argmax"]) == (None, None, None)
        for name in ("observed", "ceiling_expected", "ceiling_argmax"):  # of the data set, not of the method
            assert row[name] == true_row[name]


def test_ceilings_are_those_of_the_true_codes(batch, rows):
    _, variables, dag, codes = batch
    held, target = codes[1][LEARNED:], variables.index("dysp")
    assert dag[:, target].sum() == 2  # bronc and either: its whole blanket, so that its table is the posterior
    asia = network("asia")
    bronc, either = (variables.index(name) for name in ("bronc", "either"))
    i = asia.variables.index("dysp")
    table = asia.tables[i].transpose([*np.argsort([asia.variables[p] for p in asia.parents[i]]), 2])
    expected = table[held[:, bronc], held[:, either], held[:, target]].mean()
    assert of(rows, "truth", target="dysp")[1]["ceiling_expected"] == pytest.approx(expected)


def test_what_is_asked_depends_on_the_seed_and_not_on_the_methods(batch, rows):
    alone = predict(batch[0], ["pattern"])
    assert alone == of(rows, "pattern")
    other = predict(batch[0], ["pattern"], seed=2)
    assert [row["expected"] for row in other] != [row["expected"] for row in alone]


def test_parts_that_do_not_belong_together_are_refused(batch):
    for other in ({"tests": "other"}, {"data": "test", "tests": "other"}):
        with pytest.raises(InputError, match="its records are not those that follow the learning records"):
            predict(batch[0], **other)
