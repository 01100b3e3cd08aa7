"""The study of edge confidences: its measures against others', its experiment, and what is made from it."""

from itertools import product

import numpy as np
import pytest
from cutpoint.bench.studies.calibration.experiments import ALL_RECORDS, RESAMPLES, features, levels
from cutpoint.bench.studies.calibration.study import ADJACENCY, BINS, DIRECTION, bin_of, calibration_error, counted
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_calibration import METHODS, inputs, rows, simulated, synthetic

from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inequalities import judge
from cutpoint.bench.statistics.verdicts import CONTRADICTED, INCONCLUSIVE, NO_DATA, PREVIEW, SUPPORTED
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies

CLAIMS = declared("calibration").claims


def columns(rows_of_bins):
    return tuple(np.array([row[key] for row in rows_of_bins]) for key in ("confidence", "pairs", "true"))


def bin_sums(confidence, pairs, true):
    """Features, their confidences and true ones by bin."""
    sums = np.zeros((BINS + 1, 3))
    np.add.at(sums, bin_of(confidence), np.column_stack([pairs, pairs * confidence, true]))
    return sums


def test_a_calibrated_predictor_is_on_the_diagonal():
    rng = np.random.default_rng(3)
    confidence, true = simulated(rng, size=400_000)
    sums_by_bin = columns(levels(confidence, true))
    sums = bin_sums(*sums_by_bin)
    kept = sums[:, 0] > 1000
    np.testing.assert_allclose(sums[kept, 1] / sums[kept, 0], sums[kept, 2] / sums[kept, 0], atol=0.03)
    assert calibration_error(sums) < 0.003


def test_the_error_of_an_overstated_confidence_is_how_much_it_is_overstated():
    confidence, true = simulated(np.random.default_rng(4), overstated=0.2, size=400_000)
    error = calibration_error(bin_sums(*columns(levels(confidence, true))))
    assert error == pytest.approx((confidence - true).mean(), abs=0.003)


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(2, 40))
@settings(max_examples=60, deadline=None)
def test_sums_are_those_of_single_features(seed, resamples, size):
    rng = np.random.default_rng(seed)
    confidence, true = rng.integers(0, resamples + 1, size) / resamples, rng.random(size) < 0.4
    sums_by_bin = columns(levels(confidence, true))
    assert sums_by_bin[1].sum() == size
    assert sums_by_bin[2].sum() == true.sum()
    sums = bin_sums(*sums_by_bin)
    gap = 0.0
    for b in range(BINS + 1):
        inside = (confidence > (b - 1) / 10 + 1e-9) & (confidence <= b / 10 + 1e-9) if b else confidence == 0
        np.testing.assert_allclose(sums[b], [inside.sum(), confidence[inside].sum(), true[inside].sum()])
        gap += abs(confidence[inside].mean() - true[inside].mean()) * inside.mean() if inside.any() else 0
    assert calibration_error(sums) == pytest.approx(gap)


def test_features_of_a_collider():
    truth = np.zeros((4, 4), bool)
    truth[0, 2] = truth[1, 2] = True  # compelled
    truth[2, 3] = truth[3, 2] = True  # taken as undirected here
    one, two = truth.copy(), np.zeros_like(truth)
    two[0, 2] = two[2, 0] = two[0, 1] = two[3, 2] = True
    pairs_of = features(edge_frequencies([one, two]), truth)
    confidence, true = pairs_of[ADJACENCY]
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    assert dict(zip(pairs, confidence.tolist(), strict=True)) == {
        (0, 1): 0.5, (0, 2): 1.0, (0, 3): 0.0, (1, 2): 0.5, (1, 3): 0.0, (2, 3): 1.0,
    }  # fmt: skip
    assert [pair for pair, t in zip(pairs, true, strict=True) if t] == [(0, 2), (1, 2), (2, 3)]
    confidence, true = pairs_of[DIRECTION]  # 0-2, 1-2, 2-0, 2-1, 2-3, 3-2
    assert confidence.tolist() == [0.5, 1.0, 0.0, 0.0, 0.0, 0.5]
    assert true.tolist() == [True, True, False, False, False, False]


def test_a_pair_that_few_resamples_join_has_no_direction():
    truth = np.array([[False, True], [False, False]])
    rare = EdgeFrequencies(np.array([[0, 0.4], [0.4, 0]]), truth * 0.4, np.zeros((2, 2)), 5)
    assert features(rare, truth)[DIRECTION][0].size == 0


def test_counts_of_pairs_add_up():
    totals = {}
    for row in rows():
        assert 0 <= row["true"] <= row["pairs"]
        if row["feature"] == ADJACENCY:
            key = tuple(row[key] for key in ("network", "sample", "records", "method", "resample"))
            total = totals.setdefault(key, [0, 0])
            total[0] += row["pairs"]
            total[1] += row["true"]
    assert len(totals) == 2 * 2 * (2 * len(METHODS) * 4 + 1)  # and the votes of one, on the smaller network
    assert {tuple(total) for key, total in totals.items() if key[0] == "asia"} == {(28, 8)}
    for k in range(2):  # a random network is the same for all sizes, methods and resamples
        assert len({tuple(total) for key, total in totals.items() if key[:2] == ("random", k)}) == 1
    assert {row["confidence"] for row in rows() if row["resample"] == ALL_RECORDS} == {0.0, 1.0}


def test_without_a_data_set_the_others_of_its_network_stand_for_it():
    kept = [
        row for row in rows() if (row["method"], row["resample"], row["feature"]) == ("eqfreq3", "bootstrap", ADJACENCY)
    ]
    density = counted(inputs(rows()), ADJACENCY, "eqfreq3", "bootstrap").numbers["density"]
    expected = []
    for network, k in product(("asia", "random"), range(2)):
        other = [row for row in kept if (row["network"], row["sample"]) == (network, 1 - k)]
        twice = columns([row for row in kept if row["network"] != network] + other + other)
        expected.append((twice[0] * twice[1]).sum() / twice[2].sum())
    np.testing.assert_allclose(sorted(density.rows[1:]), sorted(expected))


def judgement(name, table):
    return judge(inputs(table), name).judgement


def sure(true, pairs=100, method="eqfreq3", kinds=tuple(RESAMPLES)):
    """Features of 12 data sets, all of the confidence 1, of which so many are true in turn."""
    about = {"network": "n", "records": 100, "method": method, "feature": ADJACENCY, "confidence": 1.0, "pairs": pairs}
    return [about | {"sample": k, "resample": kind, "true": true[k % len(true)]} for k in range(12) for kind in kinds]


@pytest.mark.parametrize(
    ("true", "verdict"), [((97, 93), SUPPORTED), ((80, 100, 95), INCONCLUSIVE), ((82, 86), CONTRADICTED)]
)
def test_high_confidences_are_trusted_by_the_share_that_is_true(true, verdict):
    outcome = judgement("C1", sure(true))
    assert set(outcome.verdicts) == {verdict}
    assert outcome.statements[0].numbers["share"] == pytest.approx(np.mean(true) / 100)


def test_where_all_are_true_their_number_decides():
    assert set(judgement("C1", sure((100,))).verdicts) == {SUPPORTED}
    assert set(judgement("C1", sure((1,), pairs=1)).verdicts) == {INCONCLUSIVE}


def test_an_overstated_confidence_is_noticed():
    assert judgement("C6", synthetic(0.3, 500)).grade == CONTRADICTED
    assert judgement("C6", synthetic(0.0, 500)).grade == INCONCLUSIVE


def test_two_data_sets_conclude_nothing():
    assert {judgement(name, rows()).grade for name in CLAIMS} == {PREVIEW}
    assert {judgement(name, []).grade for name in CLAIMS} == {NO_DATA}
