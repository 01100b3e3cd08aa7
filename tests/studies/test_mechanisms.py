"""Ranks, first places and sortabilities of the study of mechanisms on runs whose best methods are known."""

import numpy as np
import pytest
import synthetic_mechanisms as made
from cutpoint.bench.studies.mechanisms import study
from cutpoint.bench.studies.mechanisms.experiments import sampled, tiers
from scipy.stats import rankdata

from cutpoint.bench.engine.inputs import Data
from cutpoint.bench.engine.show import claims_of, tables_of
from cutpoint.bench.report.claims import judge
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.statistics.verdicts import REPRODUCED


def table(inputs, name):
    """Return the cells of a table by row and column."""
    shown = tables_of("mechanisms")[name](inputs)
    return {
        (row.key, column): cell for row in shown.rows for column, cell in zip(shown.columns, row.cells, strict=True)
    }


def test_ranks_are_those_of_each_network_averaged():
    inputs = made.inputs()
    table_ = inputs.metrics
    mine = (table_["noise"] == "linear") & (table_["n"] == 500)
    shd = table_["shd_standard"][mine].reshape(-1, len(inputs.methods))
    ranks = rankdata(shd, axis=1).mean(0)
    cells = table(inputs, "table_ranks")
    for method, rank in zip(inputs.methods, ranks, strict=True):
        assert cells[method.name, "SHD (standard), linear, N = 500"].reproduced == pytest.approx(rank)


@pytest.mark.parametrize("row", ["shd_fu", "shd", "f1", "parent_aid"])
def test_the_first_of_each_kind_of_data_are_named(row):
    cells = table(made.inputs(replicates=20, jitter=0.0), "table_firsts")
    for n in made.SIZES:
        assert cells[row, f"linear, N = {n}"].reproduced == "PC-FisherZ and Tetrad-PC"
        assert cells[row, f"additive, N = {n}"].reproduced == "Bach"
        assert cells[row, f"codes, N = {n}"].reproduced == "Eqwidth3 and Steck3"


def test_the_answer_names_every_mechanism_and_where_measures_disagree():
    inputs = made.inputs(replicates=20, jitter=0.0)
    before = (
        "Kind of data, noisy codes or linear or additive equations on random networks. No method beats these by any of "
        "SHD (Fu), SHD (standard), F1 of the pattern and AID (parents): Bach at additive, N = 500 and additive, N = "
        "5000; Eqwidth3 and Steck3 at codes, N = 500 and codes, N = 5000; PC-FisherZ and Tetrad-PC at linear, N = 500"
    )
    assert study.data_answer(inputs) == f"{before} and linear, N = 5000."
    table_ = inputs.metrics
    worse = np.isin(table_["method"], ["pc_fisherz", "tetrad_pc"])
    worse &= (table_["noise"] == "linear") & (table_["n"] == 5000)
    inputs = inputs.with_metrics({**table_, "parent_aid": table_["parent_aid"] + 2 * worse})
    assert study.data_answer(inputs) == (
        f"{before}. At linear, N = 5000 the measures disagree on what is best: PC-FisherZ and Tetrad-PC by SHD (Fu), "
        "SHD (standard) and F1 of the pattern; Bach by AID (parents)."
    )


def test_below_three_networks_nothing_is_concluded():
    inputs = made.inputs(replicates=2)
    assert study.data_answer(inputs) is None
    assert {cell.reason for cell in table(inputs, "table_firsts").values()} == {"preview: fewer than 3 replicates"}
    assert study.data_answer(made.nothing()) is None


def test_sortabilities_are_those_of_the_data_sets_each_counted_once():
    inputs = made.inputs(failed=lambda row: row["method"] == "bach")
    table_ = inputs.metrics
    mine = (table_["noise"] == "codes") & (table_["n"] == 5000) & (table_["method"] == "steck3")
    values = table_["r2_sortability"][mine]
    cells = table(inputs, "table_sortability")
    found = [cells["codes_5000", f"R2, {kind}"] for kind in ("mean", "least", "greatest")]
    assert [cell.reproduced for cell in found] == pytest.approx([values.mean(), values.min(), values.max()])
    half = 2.364624 * values.std(ddof=1) / np.sqrt(8)  # Student's t with 7 degrees of freedom
    assert (found[0].low, found[0].high) == pytest.approx((values.mean() - half, values.mean() + half), rel=1e-6)
    assert cells["codes_5000", "Variance, mean"].reproduced == 0.5


def test_claims_hold_where_the_runs_are_made_so():
    inputs = made.inputs(replicates=20, jitter=0.01)
    claims = claims_of("mechanisms")
    for name in ("E1", "E3"):
        assert judge(name, claims[name], inputs).judgement.grade == REPRODUCED, name


def test_shares_of_broken_arcs_are_those_of_all_samples_of_a_data_set():
    inputs = made.inputs(experiments={"tiers": list(made.tiers(lost=("yacht",)))})
    rows = {(row["method"], row["dataset"]): row for row in study.tiers_broken(inputs)}
    assert {dataset for _, dataset in rows} == {"abalone", "cars1"}
    labels = {method.name: method.label for method in inputs.methods}
    pc, widths, bach = (rows[labels[name], "cars1"] for name in ("pc_fisherz", "eqwidth3", "bach"))
    assert (pc["broken"], pc["undirected"], pc["edges"]) == (0.25, 0, 8)
    assert (widths["broken"], widths["undirected"], widths["edges"]) == (0.5, 0.5, 12)
    assert np.isnan(bach["broken"])
    assert bach["undirected"] == 1
    cells = table(inputs, "table_tiers")
    assert cells["PC-FisherZ", "arcs that break tiers"].reproduced == 0.25


def directions(shares, datasets=6):
    """Rows of the experiment on tiers: the share of a method's edges with a direction, and of these that break."""
    rng = np.random.default_rng(0)
    for dataset in sorted(study.TIERS)[:datasets]:
        for method, (directed, broken) in shares.items():
            arcs = round(1000 * directed)
            breaks = round(arcs * broken + rng.integers(-20, 21))
            row = {"dataset": dataset, "method": method, "sample": 0, "status": "ok", "message": ""}
            yield row | {"edges": 1000, "arcs": arcs, "breaks": breaks}


def test_directions_are_compared_with_a_coin_and_with_each_other():
    shares = {"pc_fisherz": (0.9, 0.3), "bach": (0.5, 0.3), "eqwidth3": (0.5, 0.5), "steck3": (0.2, 0.9)}
    inputs = made.inputs(experiments={"tiers": list(directions(shares))})
    answer = study.tiers_answer(inputs)
    assert answer.startswith("Directions between tiers of 6 real data sets, edges without one by a coin: PC")
    assert "Bach break surely fewer tiers than a coin alone, Steck3 surely more; PC-FisherZ is the best." in answer
    assert "PC-FisherZ directs 90% of its edges, the others 20% to 50%." in answer
    assert "The lowest share is that of PC-FisherZ, 0.32 [0.3" in answer
    assert "intervals are for all 4 together." in answer
    cells = table(inputs, "table_tiers")
    coin = "the same with a coin for the rest"
    assert cells["PC-FisherZ", coin].reproduced == pytest.approx(0.9 * 0.3 + 0.1 / 2, abs=0.02)
    assert cells["Bach", coin].reproduced == pytest.approx(0.5 * 0.3 + 0.5 / 2, abs=0.02)
    assert [name for name, head in cells if head == coin and cells[name, head].best] == ["PC-FisherZ"]
    assert study.tiers_answer(made.inputs(experiments={"tiers": list(directions(shares, 2))})) is None
    assert study.tiers_answer(made.inputs()) is None


def test_intervals_of_shares_end_where_shares_do():
    rows = [row for row in directions({"bach": (0.9, 0.9), "eqwidth3": (0.1, 0.1)}, 3)]
    for row, arcs in zip(rows, (1000, 1000, 600, 0, 0, 400), strict=True):  # with spread
        row |= {"arcs": arcs, "breaks": arcs * (row["method"] == "bach")}
    cells = table(made.inputs(experiments={"tiers": rows}), "table_tiers")
    shares = [cell for (_, head), cell in cells.items() if head != "edges between tiers"]
    assert {cell.low for cell in shares} >= {0.0}
    assert {cell.high for cell in shares} >= {1.0}
    assert all(not cell.low < 0 and not cell.high > 1 for cell in shares)


def test_where_no_method_is_sure_the_answer_says_so():
    shares = {"pc_fisherz": (0.9, 0.5), "bach": (0.5, 0.5)}
    answer = study.tiers_answer(made.inputs(experiments={"tiers": list(directions(shares))}))
    assert "no method breaks surely fewer tiers than a coin alone; all methods are tied for the best" in answer
    assert answer.endswith("PC-FisherZ directs 90% of its edges, the others 50%.")


def test_tiers_are_said_with_their_reasons_of_the_data_sets_that_were_to_be_had():
    inputs = made.inputs(experiments={"tiers": list(made.tiers(lost=("yacht", "cars1")))})
    (said,) = study.tiers_said(inputs)
    assert said.startswith("Tiers of abalone: sex, rings (rings count the years of life")
    assert said.count("; then ") == 1
    assert study.tiers_lost(inputs) == ["Not to be had: cars1, yacht; config key mirror names a folder with the files."]
    rows = [{"dataset": "yacht", "sample": 0, "status": status} for status in ("ok", "timeout", "error")]
    assert study.tiers_lost(made.inputs(experiments={"tiers": rows})) == ["2 runs failed and are left out."]
    assert study.tiers_lost(made.inputs()) == []


def data_of(n=120):
    rng = np.random.default_rng(0)
    froude = rng.normal(size=n)
    columns = {"froude": froude, "res-resist": froude**3 + 0.1 * rng.normal(size=n)}
    columns |= {name: rng.normal(size=n) for name in ("cent-boy", "prismatic", "len-disp", "beam-draught", "len-beam")}
    return Data("yacht", [*columns], np.column_stack([*columns.values()]), np.zeros(len(columns), bool))


def test_the_experiment_counts_arcs_in_samples_of_the_data_and_says_what_could_not_be_had():
    lost = Data("wine", (), np.empty((0, 0)), np.empty(0, bool), status="unavailable", message="no such host")
    data, limits = {"yacht": data_of(), "wine": lost}, Limits(60.0, 2000.0)
    rows = tiers(1, data, limits, datasets=["yacht", "wine"], methods=["eqfreq3"], samples=2, records=100)
    assert [row["sample"] for row in rows] == [0, 1, None]
    assert [row["status"] for row in rows] == ["ok", "ok", "unavailable"]
    assert rows[2]["message"] == "no such host"
    for row in rows[:2]:
        assert row["edges"] >= 1
        assert row["breaks"] <= row["arcs"] <= row["edges"]
    assert rows == tiers(1, data, limits, datasets=["yacht", "wine"], methods=["eqfreq3"], samples=2, records=100)


def test_samples_are_different_records_with_columns_in_another_order():
    whole = data_of()
    one, two = (sampled(whole, 100, np.random.default_rng(seed)) for seed in (0, 1))
    assert one.values.shape == (100, 7)
    assert sorted(one.variables) == sorted(whole.variables)
    assert list(one.variables) != list(two.variables)
    known = {tuple(row) for row in whole.values}
    places = [list(one.variables).index(name) for name in whole.variables]
    assert {tuple(row) for row in one.values[:, places]} <= known
    assert len(sampled(whole, 1000, np.random.default_rng(0)).values) == 108
