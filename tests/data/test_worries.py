"""Reasons to worry, each on data that give it and on data that do not."""

import numpy as np
import pytest

import cutpoint as cp
from cutpoint.data.worries import beyond, twins, worries


def found(columns, discrete=()):
    """Return what is seen of the data by each reason that they give."""
    values = np.column_stack([*columns.values()]).astype(float)
    flags = np.array([name in discrete for name in columns])
    return {each.name: each.seen for each in worries(values, flags, [*columns]) if each.is_one}


def test_noise_is_no_reason(rng):
    columns = {"a": rng.normal(size=500), "b": rng.uniform(size=500), "c": rng.integers(0, 3, 500)}
    assert found(columns, ["c"]) == {}


def test_twins_are_columns_of_the_same_ranks(rng):
    x = rng.normal(size=200)
    assert twins({"a": x, "b": -np.exp(x), "c": rng.normal(size=200), "d": np.ones(200)}) == [("a", "b")]
    assert [beyond(each) for each in (x, np.append(x, 100.0), np.ones(9))] == [False, True, False]


def test_a_code_of_persons_fixes_what_they_keep(rng):
    subject, age, sex = rng.permutation(80) * 7, rng.integers(20, 70, 80), rng.integers(0, 2, 80)
    visits = {"subject": subject, "age": age, "sex": sex}
    columns = {name: np.repeat(x, 5) for name, x in visits.items()} | {"pressure": rng.normal(size=400)}
    assert found(columns, ["sex"]) == {"Codes": "subject fixes age and sex"}


def test_a_function_of_a_column_is_fixed_by_it_and_columns_by_chance_are_not(rng):
    site = rng.integers(0, 30, 300)
    columns = {"site": site, "uranium": rng.normal(size=30)[site], "y": rng.normal(size=300)}
    assert found(columns, ["site"]) == {"Columns that others fix": "site fixes uranium"}
    rare = np.zeros(300)
    rare[:2] = 1
    assert found({"site": np.arange(300) // 2, "rare": np.repeat(rare[:150], 2), "y": columns["y"]}, ["rare"]) == {}


def test_numbers_that_rise_with_the_rows_are_codes(rng):
    columns = {"record": 5 * np.arange(100) + 4 + (np.arange(100) % 2), "y": rng.normal(size=100)}
    assert found(columns) == {"Codes": "record rises in every row"}


def test_counts_of_rows_are_seen():
    cells = np.array([(a, b, c) for a in range(4) for b in range(3) for c in range(5)])
    columns = {"a": cells[:, 0], "b": cells[:, 1], "c": cells[:, 2], "n": np.arange(60) * 7 % 61}
    assert found(columns, ["a", "b", "c"])["Counts of rows"] == "n"


@pytest.mark.parametrize("records", [10, 39])
def test_learn_says_that_records_are_few(rng, records):
    learned = cp.learn(rng.normal(size=(records, 2)))
    told = f"few records: records: {records}; columns: 2. Believe edges with high confidence alone"
    assert learned.warnings[0].startswith(told)
    assert cp.learn(rng.normal(size=(400, 2))).warnings == []
