"""The experiments behind the explanations, at small sizes."""

import numpy as np
import pytest
from cutpoint.bench.studies.fu2005 import experiments as fu
from cutpoint.bench.studies.mabrouk2015 import experiments as mabrouk
from cutpoint.bench.studies.steck2007 import experiments as steck

from cutpoint.bench.engine.inputs import Data
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.graphs.metrics import metrics
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.kgv import kgv
from cutpoint.learners.scores import bdeu
from cutpoint.method.parsing import check_options
from cutpoint.method.rows import method_of
from cutpoint.networks.network import network

LIMITS = Limits(wall=600, mb=2000)
SMALL = {"networks": ("asia",), "records": (60, 120), "samples": 1}
ROWS = ["bach", "hartemink", "pc_fisherz", "pc_g2", "eqfreq3"]
REFUSED = [
    (fu.readings, {"methods": []}), (fu.readings, {"records": [1]}), (fu.readings, {"sigma": 0}),
    (fu.columns, {"methods": []}), (fu.columns, {"records": 1}),
    (fu.both_families, {"datasets": []}), (mabrouk.levels_given, {"levels": 1}), (mabrouk.levels_given, {"samples": 0}),
]  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    return fu.readings(1, LIMITS, methods=ROWS, **SMALL)


def found(rows, reading, n=120):
    return next(row for row in rows if (row["reading"], row["n"]) == (reading, n))


@pytest.mark.parametrize(("experiment", "options"), REFUSED)
def test_options_out_of_range_are_refused(experiment, options):
    with pytest.raises(Exception, match=next(iter(options))):
        check_options([experiment], options, "here")


def test_readings_are_flat_and_the_same_every_time(rows):
    slips = fu.labels(2, np.random.default_rng(0))
    assert len(rows) == 2 * (len(fu.READINGS) + len(slips))
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert {row["status"] for row in rows} == {"ok"}
    assert fu.readings(1, LIMITS, methods=["bach"], **SMALL) == [row for row in rows if row["reading"] == "bach"]
    assert fu.readings(2, LIMITS, methods=ROWS, **SMALL) != rows


def test_a_reading_compares_what_its_method_learns_with_the_truth(rows):
    data, true = fu.simulate(1, "asia", 0, 120, 0.35), network("asia").dag
    truth = true[np.ix_(data.order, data.order)]  # in the order of the columns
    for name in ("pc, alpha 0.0001", "hartemink, 2 levels"):
        row, options = fu.READINGS[name]
        learned = method_of(row, options).learn(np.asfortranarray(data.values), np.zeros(8, bool))
        counts = metrics(learned.cpdag, truth)
        assert {key: found(rows, name)[key] for key in fu.COUNTS} == {key: counts[key] for key in fu.COUNTS}


def test_the_true_codes_are_learned_from_as_they_are(rows):
    data, true = fu.simulate(1, "asia", 0, 120, 0.35), network("asia").dag
    search = hill_climbing(bdeu(data.codes, data.codes.max(0).astype(np.int64) + 1))
    counts = metrics(search.dag, true[np.ix_(data.order, data.order)])
    assert found(rows, fu.TRUE_CODES)["shd_fu2005"] == counts["shd_fu2005"]


def test_other_labels_change_where_edges_are_but_not_how_many(rows):
    plain = found(rows, fu.MISLABELLED)
    for slip in fu.labels(2, np.random.default_rng(0)):
        other = found(rows, f"{fu.MISLABELLED}, {slip}")
        assert other["extra"] - other["missing"] == plain["extra"] - plain["missing"]


def test_smaller_samples_are_the_first_records_and_columns_stand_in_random_order():
    data = fu.simulate(1, "child", 0, 300, 0.35)
    assert np.array_equal(data.first(50).values, data.values[:50])
    assert sorted(data.order) == list(range(20))
    assert list(data.order) != list(range(20))
    assert abs((data.values - data.codes).std() - 0.35) < 0.02


def test_runs_at_their_limit_have_no_counts(monkeypatch):
    slow = supervise.Run("timeout", None, "slow", 1.0, 1.0, 1.0)
    monkeypatch.setattr(supervise, "call", lambda *job, wall, mb: slow)
    rows = fu.readings(1, LIMITS, methods=["bach"], **SMALL)
    assert {(row["status"], row["message"], row["shd_fu2005"]) for row in rows} == {("timeout", "slow", None)}
    rows = mabrouk.levels_given(1, LIMITS, methods=["ruichu"], records=(50,), samples=1)
    assert {(row["status"], row["tpr_mabrouk2015"], row["levels"]) for row in rows} == {("timeout", None, None)}
    rows = steck.graphs(1, LIMITS, methods=["steck2"], samples=2, records=(10,))
    assert [(row["status"], row["independent"]) for row in rows] == [("timeout", None)]


def test_thresholds_of_a_column_are_those_that_its_method_learns():
    rows = fu.columns(1, LIMITS, methods=["eqfreq3", "friedman3"], records=80)
    data, names = fu.simulate(1, fu.SHOWN_OF, 0, 80, 0.35), network(fu.SHOWN_OF).variables
    for name in fu.SHOWN:
        values = data.values[:, list(data.order).index(names.index(name))]
        (row,) = (row for row in rows if row["variable"] == name and row["method"] == "eqfreq3")
        low, high = map(float, row["thresholds"].split())
        assert [(values <= low).sum(), (values > high).sum()] == pytest.approx([80 / 3, 80 / 3], abs=1)
        (true,) = (row for row in rows if row["variable"] == name and row["method"] == fu.TRUE)
        assert np.array(true["values"].split(), float) == pytest.approx(values, rel=1e-5)
        codes = data.codes[:, list(data.order).index(names.index(name))]
        assert len(true["thresholds"].split()) >= codes.max()
    learned = method_of("friedman3", {}).learn(data.values, np.zeros(len(names), bool)).thresholds
    cuts = learned[list(data.order).index(names.index(fu.SHOWN[-1]))]
    found = next(row for row in rows if row["variable"] == fu.SHOWN[-1] and row["method"] == "friedman3")
    assert np.array(found["thresholds"].split(), float) == pytest.approx(cuts, rel=1e-5)


def test_pc_is_scored_as_a_dag_and_with_every_edge_in_both_families():
    rng = np.random.default_rng(3)
    values = rng.standard_normal((150, 4)).cumsum(1)
    here = Data("here", tuple("abcd"), values, np.zeros(4, bool))
    gone = Data("gone", (), np.empty((0, 0)), np.zeros(0, bool), status="unavailable", message="no file")
    data, names = {"here": here, "gone": gone}, ["here", "gone"]
    rows = fu.both_families(1, data, LIMITS, datasets=names, methods=["bach", "pc_fisherz"])
    bach, pc, *lost = rows
    assert [(row["status"], row["message"], row["gain"], row["both"]) for row in lost] == 2 * [
        ("unavailable", "no file", None, None)
    ]
    score = kgv(values, np.zeros(4, bool))
    learned = method_of("bach", {}).learn(np.asfortranarray(values), np.zeros(4, bool))
    assert bach["gain"] == pytest.approx(sum(score.family(i, np.flatnonzero(learned.dag[:, i])) for i in range(4)))
    pattern = method_of("pc_fisherz", {}).learn(np.asfortranarray(values), np.zeros(4, bool)).cpdag
    ends = pattern | pattern.T
    assert pc["both"] == pytest.approx(sum(score.family(i, np.flatnonzero(ends[i])) for i in range(4)))
    assert pc["gain"] <= bach["gain"] + 1e-9
    assert pc["both"] > pc["gain"]


def test_given_levels_are_the_levels_of_every_variable():
    options = {"methods": ["mgcd", "ruichu", "friedman_tabu"], "records": (100,), "samples": 2}
    rows = mabrouk.levels_given(1, LIMITS, **options)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert {row["status"] for row in rows} == {"ok"}
    assert len(rows) == 2 * 6
    given = [row["levels"] for row in rows if "given" in row["method"] or row["method"] == mabrouk.TRUE_CODES]
    assert given == pytest.approx([3.0] * 6)
    assert any(row["levels"] != 3 for row in rows if row["method"] == "mgcd")
    assert mabrouk.levels_given(1, LIMITS, **options) == rows
