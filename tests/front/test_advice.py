"""What is advised follows from the table and the frame, and from too little nothing is."""

import json

import numpy as np
import pyarrow as pa
import pytest
import synthetic_field as made

import cutpoint as cp
from cutpoint import advice
from cutpoint.data.features import FEATURES
from cutpoint.statistics.recommending import LEAST
from cutpoint.studies.field2026.decisions import USUAL, advice_of
from cutpoint.studies.field2026.losses import losses_of


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
    assert {kind["mechanism"] for kind in content["kinds"]} == set(content["centres"])
    rows = {kind["row"] for kind in content["kinds"] if "row" in kind}
    assert rows <= set(cp.methods())
    frame = pa.table({"a": rng.normal(size=200), "b": rng.normal(size=200), "c": ["x", "y"] * 100})
    found = cp.advise(frame)
    assert found.features["discrete_share"] == pytest.approx(1 / 3)
    assert (found.row is None) == bool(found.why)
    assert content["scale"] in str(found)
    with pytest.raises(cp.InputError, match="nothing"):
        cp.advise(frame, discrete=["nothing"])
