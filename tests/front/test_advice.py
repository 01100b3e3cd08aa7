"""What is advised follows from the table and the frame, and from too little nothing is."""

import json

import numpy as np
import pyarrow as pa
import pytest
import synthetic_field as made
from cutpoint.bench.studies.field2026.decisions import USUAL, advice_of
from cutpoint.bench.studies.field2026.losses import losses_of

import cutpoint as cp
from cutpoint import advice
from cutpoint.data.features import FEATURES
from cutpoint.statistics.recommending import LEAST


def table(networks=8, scale="published"):
    """Return a table as it is read from its file, of runs whose best rows are known."""
    content = advice_of(losses_of(made.inputs(networks=networks)), scale=scale, seed=1, version="1")
    # features of the synthetic runs but normality, in which the mechanisms differ, are all alike
    return json.loads(json.dumps(content))


def normal(n, records=90):
    return np.random.default_rng(0).normal(size=(records, n))


def bimodal(n, records=1100):
    rng = np.random.default_rng(0)
    return rng.choice([-2.0, 2.0], (records, n)) + 0.35 * rng.normal(size=(records, n))


@pytest.mark.parametrize(
    ("values", "mechanism", "n", "row"),
    [(normal(8), "linear", 100, "pc_fisherz"), (bimodal(8), "codes", 1000, "field3.equal_width")],
)
def test_the_row_of_the_nearest_kind_is_taken(values, mechanism, n, row):
    found = advice.advice_on(values, np.zeros(8, bool), table())
    assert (found.mechanism, found.n, found.variables) == (mechanism, n, "up to 12")
    assert found.row.startswith(row)
    assert found.networks == 8
    assert found.loss[1] < found.loss[0] < found.loss[2]
    assert set(found.above) == set(USUAL)
    text = str(found)
    assert f"Take {found.row}" in text
    assert "published scale" in text
    assert f"{found.graphs:,} graphs" in text
    assert all(name in text for name in found.regret)
    assert "lowest mean of three losses" in text
    assert "(field3.equal_frequency.bdeu.hill_climbing)" in text
    assert "Always equal frequency, 3 levels, with BDeu and hill climbing" in text
    assert [*found.as_good_loss] == sorted(found.as_good_loss)
    assert all(f"{name} ({loss:.3f})" in text for name, loss in zip(found.as_good, found.as_good_loss, strict=True))
    assert f"called {mechanism} by their features 100% are so." in text
    assert f", each weighed by how often data called {mechanism} are of each kind." in text
    assert "nearly as near" not in text


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (normal(8)[:49], "49 records are fewer than 50"),
        (normal(1), "1 column has no"),
        (normal(1)[:, :0], "no columns"),
    ],
)
def test_no_advice_on_too_few_records_or_columns(values, said):
    found = advice.advice_on(values, np.zeros(values.shape[1], bool), table())
    assert (found.row, found.as_good, found.as_good_loss, found.loss) == (None, (), (), None)
    assert said in found.why
    assert str(found).startswith(f"No advice: {found.why}")
    assert advice.advice_on(normal(2, 50), np.zeros(2, bool), table()).row is not None


def test_a_kind_that_is_nearly_as_near_is_named_with_its_row():
    content, values = table(), normal(8)
    known = advice.advice_on(values, np.zeros(8, bool), content)
    assert (known.mechanism, known.other) == ("linear", "")
    near = content["centres"]["linear"]["100"][FEATURES.index("normality")]
    spread = content["spread"][FEATURES.index("normality")]
    moved = [(advice.NEARLY * share, other) for share, other in ((0.9, "codes"), (1.1, ""))]
    mine = advice.features_of(values, np.zeros(8, bool))["normality"]
    for further, other in moved:
        # as far from the data as linear, on the same side, and some of the spread more
        far = near + np.sign(near - mine) * further * spread
        content["centres"]["codes"]["100"][FEATURES.index("normality")] = far
        found = advice.advice_on(values, np.zeros(8, bool), content)
        assert (found.mechanism, found.other) == ("linear", other)
    content["centres"]["codes"]["100"] = content["centres"]["linear"]["100"]
    found = advice.advice_on(values, np.zeros(8, bool), content)
    assert {found.mechanism, found.other} == {"codes", "linear"}
    assert found.other_row not in (None, found.row)
    assert f"nearly as near to the kind {found.other}; if they are of that kind, take {found.other_row}" in str(found)


def test_rows_with_a_lower_mean_are_apart_from_those_as_good():
    content = table()
    for kind in content["called"]:
        kind |= {"loss": [0.5, 0.4, 0.6], "as_good": ["bach", "miic"], "as_good_loss": [0.49, 0.51]}
        kind |= {"lower": ["bge", "bach"], "lower_loss": [0.41, 0.49], "not_surely_worse": 57}
    text = str(advice.advice_on(normal(8), np.zeros(8, bool), content))
    assert "\nRows with a lower mean there: bge (0.410) and bach (0.490).\n" in text
    assert "above): miic (0.510).\nIn all 57 other rows are not surely worse there.\n" in text
    assert "[0.400, 0.600], an interval that takes no account of the choice among all rows." in text
    for kind in content["called"]:
        kind |= {"as_good": ["bach"], "as_good_loss": [0.49]}
    assert "Nothing but these is as good" in str(advice.advice_on(normal(8), np.zeros(8, bool), content))


def test_a_kind_that_features_tell_is_weighed_by_what_it_may_be():
    content = table() | {"told": {"linear": 0.934, "codes": 0.5}}
    for kind in content["called"]:
        kind["row"] = "bge"
    found = advice.advice_on(normal(8), np.zeros(8, bool), content)
    assert (found.row, found.mechanism) == ("bge", "linear")
    assert "sets that are called linear by their features 93% are so." in str(found)
    assert "called so by their features" in str(found)
    assert advice.advice_on(normal(8), np.zeros(8, bool), content, "linear").row == "pc_fisherz"


def test_a_kind_that_is_said_is_taken_whatever_the_features_say():
    content, values = table(), normal(8)
    found = advice.advice_on(values, np.zeros(8, bool), content, "codes")
    assert (found.mechanism, found.n, found.said, found.other) == ("codes", 100, True, "")
    assert found.row.startswith("field3.equal_width")
    assert "of this kind, as said (codes, N = 100, up to 12 variables)" in str(found)
    assert "called" not in str(found)
    with pytest.raises(cp.InputError, match=r"unknown 'linaer'; did you mean 'linear'\?"):
        cp.advise(values, kind="linaer")


def test_records_with_missing_cells_are_left_out_and_counted(tmp_path, rng):
    values = rng.normal(size=(80, 3))
    values[:3, 1] = np.nan
    found = cp.advise(values)
    assert found.left_out == 3
    assert "Records with missing cells, which were left out: 3." in str(found)
    lines = [",".join("" if np.isnan(x) else f"{x}" for x in line) for line in values]
    (tmp_path / "my.csv").write_text("\n".join(["a,b,c", *lines]) + "\n")
    assert cp.advise(cp.read_data(tmp_path / "my.csv", missing="impute")).row == found.row
    assert cp.advise(values[3:]) == cp.advise(values[3:], missing="refuse")
    with pytest.raises(cp.InputError, match="3 in all"):
        cp.advise(values, missing="refuse")
    text = str(cp.advise(values[:40]))
    assert text.startswith("No advice: 37 records")
    assert "left out: 3." in text


@pytest.mark.parametrize(("high", "said"), [(0.999, False), (1.0, True), (1.2, True)])
def test_a_row_that_may_be_no_better_than_the_empty_graph_is_said_to_be(high, said):
    content = table()
    for kind in content["called"]:
        kind["loss"] = [0.8, 0.6, high]
    text = str(advice.advice_on(normal(8), np.zeros(8, bool), content))
    assert ("not surely better than the empty graph" in text) == said


def test_no_advice_from_too_few_networks_or_for_a_size_that_was_not_run():
    few = advice.advice_on(normal(8), np.zeros(8, bool), table(networks=LEAST - 1, scale="quick"))
    assert few.row is None
    assert str(few).startswith("No advice")
    assert "quick scale" in str(few)
    large = advice.advice_on(normal(40), np.zeros(40, bool), table())
    assert large.row is None
    assert large.variables == "more than 30"
    assert large.networks == 0


def test_advice_does_not_depend_on_units_order_or_names():
    values, content = bimodal(6), table()
    found = advice.advice_on(values, np.zeros(6, bool), content)
    moved = advice.advice_on(10 * values[::-1, ::-1] - 3, np.zeros(6, bool), content)
    assert (moved.row, moved.as_good, moved.mechanism) == (found.row, found.as_good, found.mechanism)


def test_the_shipped_table_is_whole_and_advises_a_frame_of_any_kind(rng):
    content = advice.read_advice()
    assert content["features"] == list(FEATURES)
    kinds = [*content["kinds"], *content["called"]]
    assert {kind["mechanism"] for kind in kinds} == set(content["centres"]) == set(content["told"])
    rows = {kind["row"] for kind in kinds if "row" in kind} | {row for kind in kinds for row in kind.get("lower", ())}
    assert rows | set(content["usual"].values()) <= set(cp.methods())
    assert all(len(kind["as_good"]) == len(kind["as_good_loss"]) for kind in kinds if "row" in kind)
    frame = pa.table({"a": rng.normal(size=200), "b": rng.normal(size=200), "c": ["x", "y"] * 100})
    found = cp.advise(frame)
    assert found.features["discrete_share"] == pytest.approx(1 / 3)
    assert (found.row is None) == bool(found.why)
    assert content["scale"] in str(found)
    with pytest.raises(cp.InputError, match="nothing"):
        cp.advise(frame, discrete=["nothing"])


def test_what_the_study_has_nothing_of_is_said():
    content = table()
    many = advice.advice_on(np.tile(normal(8), (60, 1)), np.zeros(8, bool), content)
    assert f"The study's nearest number of records is 1000; these are {many.records}." in str(many)
    assert "nearest number of records" not in str(advice.advice_on(normal(8), np.zeros(8, bool), content))
    codes = advice.advice_on(np.round(normal(8)), np.ones(8, bool), content)
    assert codes.row is None
    assert "discrete columns alone" in str(codes)
