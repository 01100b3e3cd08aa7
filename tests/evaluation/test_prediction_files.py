"""Predictions from the files of a batch, as the script of the workflow makes them."""

import numpy as np
import pytest
from batches import of, read_results, write_results

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.params import Runs
from cutpoint.bench.evaluation.prediction import predictions_of
from cutpoint.networks.network import network, sample

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
    rows = predictions_of(*files, {"asia": network("asia")}, runs, read_results(folder))
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
