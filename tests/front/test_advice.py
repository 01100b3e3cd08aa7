"""What is advised follows from the table and the frame, and from too little nothing is."""

import json

import numpy as np
import pyarrow as pa
import pytest
import synthetic_field as made
from cutpoint.bench.studies.field2026.advice import RULE_OF_THUMB, advice_of
from cutpoint.bench.studies.field2026.losses import losses_of

import cutpoint as cp
from cutpoint import advice
from cutpoint.data.features import FEATURES


def table(networks=8):
    """Return a table as it is read from its file, of runs whose best methods are known."""
    content = advice_of(losses_of(made.inputs(networks=networks)), scale="published", seed=1, version="1")
    # features of the synthetic runs but normality, in which the types differ, are all alike
    return json.loads(json.dumps(content))


def normal(n, records=90):
    return np.random.default_rng(0).normal(size=(records, n))


def bimodal(n, records=1100):
    rng = np.random.default_rng(0)
    return rng.choice([-2.0, 2.0], (records, n)) + 0.35 * rng.normal(size=(records, n))


@pytest.mark.parametrize(
    ("values", "data_type", "n", "method"),
    [(normal(8), "linear", 100, "pc_fisherz"), (bimodal(8), "codes", 1000, "field3.equal_width")],
)
def test_the_best_method_on_the_nearest_data_type_is_advised(values, data_type, n, method):
    found = advice.advice_on(values, np.zeros(8, bool), table())
    assert (found.data_type, found.n, found.networks) == (data_type, n, 8)
    best, binned, rule = found.choices
    assert found.method == best.method
    assert best.method.startswith(method)
    assert binned.method.startswith("field")
    assert rule.method == RULE_OF_THUMB
    assert best.low < best.loss <= min(binned.loss, rule.loss)
    assert found.probabilities[data_type] == 1
    assert [row[0] for row in found.rows()] == ["Data type", "Discretize?", "Use", "With bins", "Rule of thumb"]
    assert all(f"{choice.method}" in str(found) and choice.text in str(found) for choice in found.choices)


@pytest.mark.parametrize(
    ("values", "discrete", "reason"),
    [
        (normal(8)[:49], False, "49 of the 50 records"),
        (normal(1), False, "1 of the 2 columns"),
        (normal(1)[:, :0], False, "0 of the 2 columns"),
        (np.round(normal(3)), True, "all columns are discrete"),
    ],
)
def test_no_advice_on_too_little_data(values, discrete, reason):
    found = advice.advice_on(values, np.full(values.shape[1], discrete), table())
    assert (found.method, found.choices) == (None, ())
    assert reason in found.reason
    assert str(found).startswith("No advice")
    assert advice.advice_on(normal(2, 50), np.zeros(2, bool), table()).method is not None


def test_no_advice_from_too_few_networks():
    assert "2 networks are too few" in advice.advice_on(normal(8), np.zeros(8, bool), table(networks=2)).reason


def test_a_type_that_is_named_is_used_whatever_the_features_say():
    content = table()
    content["confusion"]["linear"] = {"linear": 0.7, "codes": 0.3}
    predicted = advice.advice_on(normal(8), np.zeros(8, bool), content)
    assert "linear equations (70%), discrete states plus Gaussian noise (30%)" in str(predicted)
    named = advice.advice_on(normal(8), np.zeros(8, bool), content, "codes")
    assert (named.data_type, named.probabilities) == ("codes", {"codes": 1.0})
    assert named.method.startswith("field3.equal_width")
    with pytest.raises(cp.InputError, match=r"unknown 'linaer'; did you mean 'linear'\?"):
        cp.advise(normal(8), kind="linaer")


@pytest.mark.parametrize(
    ("ends", "answer"),
    [((-0.2, -0.1), "yes"), ((0.1, 0.2), "no"), ((-0.1, 0.1), "no significant difference")],
)
def test_whether_to_discretize_follows_from_the_interval(ends, answer):
    assert advice.discretize({"difference": [sum(ends) / 2, *ends]}) == answer


def test_records_with_missing_cells_are_left_out_and_counted(tmp_path, rng):
    values = rng.normal(size=(80, 3))
    values[:3, 1] = np.nan
    found = cp.advise(values)
    assert (found.dropped, found.records) == (3, 77)
    assert "3 records with missing cells" in str(found)
    lines = [",".join("" if np.isnan(x) else f"{x}" for x in line) for line in values]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,c", *lines]) + "\n")
    assert cp.advise(cp.read_data(tmp_path / "my.csv", missing="impute")).method == found.method
    assert cp.advise(values[3:]) == cp.advise(values[3:], missing="refuse")
    with pytest.raises(cp.InputError, match="3 in all"):
        cp.advise(values, missing="refuse")


def test_advice_does_not_depend_on_units_order_or_names():
    values, content = bimodal(6), table()
    found = advice.advice_on(values, np.zeros(6, bool), content)
    assert advice.advice_on(10 * values[::-1, ::-1] - 3, np.zeros(6, bool), content) == found


def test_the_shipped_table_is_whole_and_advises_a_frame_of_any_type(rng):
    content = advice.read_advice()
    assert content["features"] == list(FEATURES)
    assert {*content["centres"]} == {*advice.TYPES}
    entries = [*content["known"], *content["predicted"]]
    assert len(entries) == 2 * len(advice.TYPES) * len(content["centres"]["codes"])
    assert {choice.method for entry in entries for choice in advice.choices(entry)} <= {*cp.methods()}
    frame = pa.table({"a": rng.normal(size=200), "b": rng.normal(size=200), "c": ["x", "y"] * 100})
    found = cp.advise(frame)
    assert (found.data_type, found.n) == ("mixed", 250)
    assert found.method == "bach_stable"


def test_the_advice_beats_the_rule_of_thumb_on_networks_that_were_left_out():
    regret = advice.read_advice()["regret"]
    rule, *_ = regret["always three equal-frequency bins"]
    advised, _, high = regret["advice, data type predicted"]
    assert advised < high < rule
    assert regret["advice, data type known"][0] < advised


def test_the_table_by_data_type_has_the_numbers_of_the_shipped_table():
    rows = {row["Data look like"]: row for row in advice.by_type(500)}
    for entry in (each for each in advice.read_advice()["known"] if each["n"] == 500):
        row = rows[advice.TYPES[entry["type"]]]
        assert row["Use"] == entry["best"]["method"]
        assert row["SHD / true edges"].startswith(f"{entry['best']['loss'][0]:.2f} [")
        assert row["Rule of thumb"] == f"{entry['rule']['loss'][0]:.2f}"
