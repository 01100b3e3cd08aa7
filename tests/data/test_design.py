"""Weights: a data set of which records count several times is the one that repeats them."""

import numpy as np
import pandas as pd
import pytest

import cutpoint as cp
from cutpoint.data.design import designed


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (150, 4)) @ np.triu(rng.normal(0, 1, (4, 4)))
    frame = pd.DataFrame(values, columns=[*"dcba"]).assign(
        group=np.where(values[:, 0] > rng.normal(0, 1, 150), "u", "v")
    )
    return frame, rng.integers(0, 4, 150)


def same(one, other):
    for name in ("dag", "cpdag", "thresholds", "score", "variables"):
        a, b = getattr(one, name), getattr(other, name)
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, name


METHODS = ["eqfreq3", "eqwidth2", "steck3", "gaussian_bic", "pc_fisherz", "consensus"]


@pytest.mark.parametrize("method", METHODS)
def test_learning_with_weights_is_learning_from_repeated_records(data, method):
    frame, weights = data
    again = frame.loc[frame.index.repeat(weights)]
    expected = cp.learn(again, method)
    same(cp.learn(frame, method, sample_weight=weights), expected)
    same(cp.learn(frame.assign(count=weights), method, sample_weight="count"), expected)
    array = frame[[*"dcba"]].to_numpy()
    same(cp.learn(array, method, sample_weight=[*weights]), cp.learn(array.repeat(weights, axis=0), method))


def test_models_and_tables_too(data, tmp_path):
    frame, weights = data
    chosen = np.where(weights % 2, "a", None)
    again = frame.loc[frame.index.repeat(weights)].reset_index(drop=True)
    frame.assign(count=weights).to_csv(tmp_path / "my.csv", index=False)
    table = cp.read_data(tmp_path / "my.csv")
    for one, other in [
        (cp.fit(frame, "eqfreq3", sample_weight=weights), cp.fit(again, "eqfreq3")),
        (cp.fit(table, "eqfreq3", sample_weight="count"), cp.fit(again[sorted(again)], "eqfreq3")),
        (
            cp.fit(frame, "eqfreq3", sample_weight=weights, interventions=chosen),
            cp.fit(again, "eqfreq3", interventions=chosen.repeat(weights)),
        ),
    ]:
        assert one.records == other.records == weights.sum()
        assert one.thresholds == other.thresholds
        for a, b in zip(one.network.tables, other.network.tables, strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(one.log_likelihood(frame), other.log_likelihood(frame))
    gaps = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.02)
    dropped = cp.fit(gaps, "eqfreq3", sample_weight=weights, missing="drop")
    assert dropped.records == weights[gaps.notna().all(axis=1)].sum()


@pytest.mark.parametrize("name", ["equal_frequency", "equal_width", "hartemink", "kmeans", "bayesian_blocks"])
def test_discretizers_too(data, name):
    values = data[0][[*"abcd"]].to_numpy()
    expected = cp.discretize(values.repeat(data[1], axis=0), name)
    assert cp.discretize(values, name, sample_weight=data[1]) == expected
    alone = cp.discretize(values[:, 0], "equal_frequency", bins=3, sample_weight=data[1])
    np.testing.assert_array_equal(alone, cp.discretize(values[:, 0].repeat(data[1]), "equal_frequency", bins=3))


def test_scores_and_searches_too(data):
    frame, weights = data
    cuts = cp.discretize(frame, "equal_frequency", bins=3)
    codes = cp.encode(frame, cuts)
    again = codes.repeat(weights, axis=0)
    dag = np.triu(np.ones((5, 5), bool), 1)
    for name in ("bdeu", "bic", "k2", "fnml", "aic"):
        sizes = {"cardinalities": cp.cardinalities(cuts)}
        one, other = cp.score(codes, dag, name, sample_weight=weights, **sizes), cp.score(again, dag, name, **sizes)
        assert one == other
    values = frame.loc[frame.index.repeat(weights)]
    one = cp.policy_score(frame, cuts, dag, "steck", sample_weight=weights)
    assert one == cp.policy_score(values, cuts, dag, "steck")
    codes[weights == 0] = 5  # a level of records that do not count
    for search in (cp.hill_climb, cp.tabu, cp.boss, cp.ges, cp.exact, cp.order_search):
        one, other = search(codes, "bic", sample_weight=weights), search(again, "bic")
        assert (one.score, one.dag.tolist()) == (other.score, other.dag.tolist())


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([1.0] * 149 + [0.5], "^sample_weight, row 150: 0.5; a weight is how many equal records a record stands for"),
        ([1] * 149 + [-1], "sample_weight, row 150: -1; a weight"),
        ([1] * 149 + [np.nan], "sample_weight, row 150: nan; a weight"),
        ([1] * 9, "sample_weight: one number for each of 150 records is expected"),
        (["a"] * 150, "sample_weight: one number for each of 150 records"),
        ([0] * 150, "sample_weight: every weight is zero, so that no record is left"),
        ([10**9] * 150, "sample_weight: 1.5e.11 records in all, and 429496729 is the most"),
        ("counts", "sample_weight: no column 'counts'"),
    ],
)
def test_bad_weights_are_named_in_one_line(data, weights, text):
    with pytest.raises(cp.InputError, match=text) as raised:
        cp.fit(data[0], "eqfreq3", sample_weight=weights)
    assert "\n" not in str(raised.value)


def test_without_either_data_stay_what_they_are(data):
    records, targets = designed(data[0], None, None)
    assert records is data[0]
    assert targets is None
    with pytest.raises(cp.InputError, match=r"an array \[N, n\] of N records and n variables is expected"):
        cp.learn([1.0, 2.0], "eqfreq3", sample_weight=[1, 1])
