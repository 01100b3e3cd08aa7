"""Reasons to worry, each on data that give it and on data that do not."""

import numpy as np
import pytest
from scipy.signal import lfilter

import cutpoint as cp
from cutpoint.data.worries import beyond, twins, worries

ROWS = ["Repeated rows", "Rows in a row resemble each other"]


def found(columns, discrete=()):
    """Return what is seen of the data by each reason that they give."""
    values = np.column_stack([*columns.values()]).astype(float)
    flags = np.array([name in discrete for name in columns])
    return {each.name: each.seen for each in worries(values, flags, [*columns]) if each.is_one}


def named(values):
    return {f"x{i}": column for i, column in enumerate(values.T)}


def test_twins_are_columns_of_the_same_ranks(rng):
    x = rng.normal(size=200)
    assert twins({"a": x, "b": -np.exp(x), "c": rng.normal(size=200), "d": np.ones(200)}) == [("a", "b")]
    assert [beyond(each) for each in (x, np.append(x, 100.0), np.ones(9))] == [False, True, False]


def test_a_code_fixes_what_persons_keep_or_rises_with_the_rows(rng):
    subject, age, sex = rng.permutation(80) * 7, rng.integers(20, 70, 80), rng.integers(0, 2, 80)
    visits = {"subject": subject, "age": age, "sex": sex}
    columns = {name: np.repeat(x, 5) for name, x in visits.items()} | {"pressure": rng.normal(size=400)}
    worried = found(columns, ["sex"])
    assert worried["Codes"] == "subject fixes age and sex"
    assert worried[ROWS[1]].startswith("subject (0.")
    columns = {"record": 5 * np.arange(100) + 4 + (np.arange(100) % 2), "y": rng.normal(size=100)}
    assert found(columns) == {"Codes": "record rises in every row"}
    assert "Codes" not in found({"year": 1960 + np.arange(100), "y": columns["y"]})
    assert "Codes" not in found({"year": columns["record"], "y": np.cumsum(columns["y"])})  # that runs on in time


def test_a_function_of_a_column_is_fixed_by_it_and_columns_by_chance_are_not(rng):
    site = rng.integers(0, 30, 300)
    columns = {"site": site, "uranium": rng.normal(size=30)[site], "y": rng.normal(size=300)}
    assert found(columns, ["site"]) == {"Columns that others fix": "site fixes uranium"}
    rare = np.zeros(300)
    rare[:2] = 1
    assert found({"site": np.arange(300) // 2, "rare": np.repeat(rare[:150], 2), "y": columns["y"]}, ["rare"]) == {}


def test_relations_are_judged_on_rows_without_gaps_and_two_values_tell_little(rng):
    genotype, y = rng.integers(0, 25, 300), rng.normal(size=300)
    columns = {"genotype": genotype, "gender": genotype % 2, "y": y, "rare": np.where(np.arange(300) < 6, y, np.nan)}
    assert not [name for name in found(columns, ["genotype", "gender"]) if "fix" in name or name == "Codes"]
    assert found({"a": columns["gender"], "b": 1 - columns["gender"], "y": y}, "ab") == {
        "Columns that say the same": "a and b"
    }
    gaps = np.where(rng.random(300) < 0.6, np.nan, genotype)
    seen = found({"site": gaps, "soil": rng.normal(size=25)[genotype], "y": y}, ["site"])
    assert seen["Columns that others fix"] == "site fixes soil"


def test_of_the_dummies_of_a_column_one_line_is_said(rng):
    """A grant that only later years have fixes none of them, and their dummies have no sum of their own."""
    year = np.arange(300) // 5 % 6
    dummies = {f"y{k}": year == k for k in range(6)}
    grant = np.where(year > 1, rng.integers(0, 40, 300), np.nan)
    columns = {"year": 1993 + year, "grant": grant, "y": rng.normal(size=300)}
    worried = found(columns | dummies, dummies)
    assert worried["Columns that others fix"] == "year fixes y0, y1, y2, y3, y4 and y5"
    assert "Codes" not in worried


def test_sums_are_found_in_one_line_each(rng):
    a, b, c = rng.normal(size=(3, 300)).round(2)
    dummies = {f"d{k}": np.arange(300) * 7 % 3 == k for k in range(3)}
    columns = {"a": a, "b": b, "c": c, "total": a + b, "w": 2 * a - 3 * c, "n": rng.normal(size=300)} | dummies
    seen = found(columns, dummies)["Columns that others fix"]
    assert all(
        text in seen for text in ("total = a + b", "weighted sum of", "d0 + d1 + d2 is the same in every record")
    )
    assert found({name: x + rng.normal(0, 0.01, 300) for name, x in columns.items() if name != "w"}) == {}
    assert "Columns that others fix" not in found(named(rng.normal(size=(30, 12)).round(1)))


def test_counts_of_rows_are_seen():
    cells = np.array([(a, b, c) for a in range(4) for b in range(3) for c in range(5)])
    columns = {"a": cells[:, 0], "b": cells[:, 1], "c": cells[:, 2], "n": np.arange(60) * 7 % 61}
    assert found(columns, ["a", "b", "c"])["Counts of rows"] == "n"


def test_copies_of_rows_and_rows_like_those_above_are_seen_and_independent_rows_are_neither():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(int(50 * 40 ** rng.random()), columns := int(rng.integers(2, 12))))
        x = np.exp(x @ rng.normal(size=(columns, columns)) / 3)
        for rows in (x, np.round(x, 1), np.round(np.maximum(x[:, :1], 1), 1) * [1, *x[0, 1:]]):
            assert not {*ROWS} & {*found(named(rows))}
        if seed % 5:
            continue
        tripled = found(named(rng.permutation(np.tile(rng.normal(size=(50, columns)), (3, 1)))))
        assert [tripled.get(name) for name in ROWS] == ["rows: 150; different ones: 50", None]
        drifting = found(named(lfilter([1], [1, -0.9], rng.normal(size=(len(x), 9)), axis=0)))
        assert ROWS[0] not in drifting
        assert " (0." in drifting[ROWS[1]]
        assert "sorted" not in drifting[ROWS[1]]
        by_first = found(named(np.column_stack([x, x[:, 0] + rng.normal(size=len(x)) / 9])[np.argsort(x[:, 0])]))
        assert by_first[ROWS[1]].endswith("; the table is sorted by x0")


def test_rows_that_a_weight_repeats_are_no_copies(rng):
    x, weights = rng.normal(size=(60, 2)), np.full(60, 3)
    assert cp.learn(x, "eqfreq2", sample_weight=weights).warnings == []
    (warning,) = cp.learn(np.repeat(x, weights, axis=0), "eqfreq2").warnings
    assert warning.startswith("repeated rows: rows: 180; different ones: 60. Keep one of each")


@pytest.mark.parametrize("records", [10, 39])
def test_learn_says_that_records_are_few(rng, records):
    learned = cp.learn(rng.normal(size=(records, 2)))
    told = f"few records: records: {records}; columns: 2. Believe edges with high confidence alone"
    assert learned.warnings[0].startswith(told)
    assert cp.learn(rng.normal(size=(400, 2))).warnings == []


def test_rows_that_were_left_out_for_missing_cells_are_a_reason(rng):
    values, none = rng.normal(size=(295, 2)), np.zeros(2, bool)
    for dropped, seen in ((505, ["rows left out: 63 %"]), (1, []), (0, [])):
        found = worries(values, none, ["a", "b"], dropped=dropped)
        assert [each.seen for each in found if each.name == "Missing cells" and each.is_one] == seen
