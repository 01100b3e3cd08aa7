"""Printed numbers beside ours and ours as supposed: the arithmetic of each explanation on small made-up inputs."""

import numpy as np
import pytest
import synthetic
import synthetic_mabrouk
from cutpoint.bench.studies.fu2005 import explanations as fu
from cutpoint.bench.studies.fu2005.experiments import labels, relabelled
from cutpoint.bench.studies.mabrouk2015 import explanations as mabrouk

from cutpoint.bench.engine import explanations as shared
from cutpoint.bench.engine.declaration import ExplanationsTable
from cutpoint.bench.engine.tables import OTHERS, make_table
from cutpoint.bench.report.artefacts import Cell

CELLS = ("printed", "ours", "ours as supposed", "evidence")
CALLS = {f"calls[{n}]": f"table_V-6_calls[n{n}]" for n in synthetic.SIZES}


def row_of(table, key):
    return dict(zip(CELLS, next(row for row in table.rows if row.key == key).cells, strict=True))


def inputs_of_fu(**experiments):
    return synthetic.inputs(synthetic.Maker().simulated(replicates=1).real(), experiments=experiments)


# What all have in common


@pytest.mark.parametrize(
    ("about", "said"),
    [({"n": 2, "x": 0.5}, "2 and 0.5"), ({"n": "", "x": 0.5}, None), ({"n": 2, "x": np.nan}, None)],
)
def test_the_evidence_is_said_with_all_its_numbers_or_not_at_all(monkeypatch, about, said):
    made = shared.Explanation(1.0, np.nan, 3.0, about)
    monkeypatch.setattr(shared, "function", lambda study, name: lambda inputs, **options: made)
    one = {"a": {"says": "it was so", "make": "f", "evidence": "{n} and {x}", "digits": 1}}
    row = ExplanationsTable(kind="explanations", title="t", rows=one)
    (found,) = shared.content(synthetic.inputs(synthetic.Maker()), row).rows
    cells = dict(zip(CELLS, found.cells, strict=True))
    assert (found.key, found.label) == ("a", "it was so")
    assert (cells["printed"], cells["ours as supposed"].reproduced) == (Cell(1.0, reason="not printed", digits=1), 3.0)
    assert cells["evidence"].reproduced == said
    assert cells["ours"].reason == "no numbers"


def test_agreement_is_shown_with_and_without_the_rows_explained():
    maker = synthetic.Maker().simulated(replicates=2)
    for row in maker.rows:
        if row["method"] == "hartemink":
            row["shd_fu2005"] /= 2
    table = make_table(synthetic.inputs(maker, replicates=2), "table_agreement")
    found = {row.key: [cell.reproduced for cell in row.cells] for row in table.rows}
    rho, rows, difference, _ = found["V-4, N = 500"]
    rest = found[f"V-4, N = 500{OTHERS}"]
    assert rows == 14
    assert rest[:2] == [pytest.approx(1), 12]
    assert rho < 1
    assert difference == pytest.approx(1.77 / 2 / 14)  # of Hartemink alone
    assert rest[2] == pytest.approx(0, abs=1e-12)
    assert f"V-5, N = 500{OTHERS}" not in found


def test_a_printed_number_is_inside_or_outside_an_interval():
    maker = synthetic.Maker(4, 0.2).simulated(replicates=3)
    for row in maker.rows:
        row["shd_fu2005"] *= 3 if row["method"] == "eqfreq2" else 1
    inputs = synthetic.inputs(maker, replicates=3)
    cells = [(row.key, row.cells[0]) for row in make_table(inputs, "table_V-4").rows if row.key != "bach"]
    inside = [cell.low <= cell.published <= cell.high for _, cell in cells]
    agreement = {row.key: row.cells for row in make_table(inputs, "table_agreement").rows}
    assert 0 < np.mean(inside) < 1
    assert agreement["V-4, N = 500"][3].reproduced == pytest.approx(np.mean(inside))  # Bach is 1 by definition


# Fu 2005


@pytest.mark.parametrize(("times", "single", "summed"), [(1, 21, 0), (5, 0, 21)])
def test_sums_over_data_sets_are_told_from_single_runs(times, single, summed):
    maker = synthetic.Maker().simulated(replicates=1)
    for row in maker.rows:  # Bach counts 1.5 times as much in print
        first = row["method"] in ("eqfreq2", "eqfreq3", "eqwidth2", "eqwidth3", "hartemink")
        row["score_calls"] *= 1.5 if first else 1.5 / times if row["method"] != "bach" else 1
    made = fu.sums(synthetic.inputs(maker), measures=CALLS, factor="prediscretizations", rows="integrated, pc_fisherz")
    assert made.about == {
        "factor": pytest.approx(1 / 1.5), "cells": 21, "single": single, "summed": summed, "near": 25.0,
    }  # fmt: skip
    assert made.printed == pytest.approx(made.ours * times)
    assert made.supposed == pytest.approx(5 * made.ours)


def test_a_reading_is_the_mean_of_ratios_over_networks_and_of_edges_over_all_sizes():
    rows = [
        {
            "network": w, "n": n, "sample": s, "reading": name, "shd_fu2005": shd, "extra": 1, "missing": s,
            "true_edges": 4,
        }
        for w, n, s, name, shd in [
            ("child", 500, 0, "bach", 10), ("child", 500, 1, "bach", 30), ("child", 500, 0, "hartemink", 10),
            ("child", 500, 1, "hartemink", 20), ("alarm", 500, 0, "bach", 10), ("alarm", 500, 0, "hartemink", 15),
            ("alarm", 1000, 0, "bach", 10), ("alarm", 1000, 0, "hartemink", None),
        ]
    ]  # fmt: skip
    found = fu.reading(inputs_of_fu(readings=rows), "hartemink")
    assert found.ratios == {500: pytest.approx((15 / 20 + 15 / 10) / 2)}
    assert found.edges == {
        "alarm_extraneous": 0.25, "alarm_missing": 0.0, "child_extraneous": 0.25, "child_missing": 0.125,
    }  # fmt: skip
    assert found.error({"alarm_missing": 0.5, "child_missing": 0.125, "asia_missing": 9.0}) == 0.25
    assert np.isnan(found.error({}))


def test_explanations_of_fu_compare_readings_with_print():
    table = make_table(inputs_of_fu(readings=synthetic.readings(1)), "table_explanations")
    shifted = row_of(table, "hartemink_shifted")
    # the second reading is 5 % worse than Bach, the third 10 %
    assert (shifted["printed"].reproduced, shifted["ours"].reproduced) == (1.82, pytest.approx(1.05))
    assert shifted["ours as supposed"].reproduced == pytest.approx(1.10)
    assert "as supposed 1.10 at N = 500, 1.10 at N = 1000, 1.10 at N = 5000" in shifted["evidence"].reproduced
    # with alpha .05 PC is at 1.45, and 11 methods of the grid are below that
    shd = {name: line["mean"] for name, line in synthetic.printed(synthetic.published(), "table_V-4_shd").items()}
    below = sum(value < 1.45 for name, value in shd.items() if name != "pc_fisherz")
    assert f"with 0.05 it has rank {below + 1}" in row_of(table, "pc_4")["evidence"].reproduced
    assert row_of(table, "ceiling")["ours"].reproduced == pytest.approx(min(shd.values()), abs=0.01)


def test_the_nearest_reading_has_the_smallest_mean_difference_of_edges():
    inputs = inputs_of_fu(readings=synthetic.readings(1))
    printed = synthetic.printed(synthetic.published(), "table_V-9_edges")["tetrad_pc"]
    names = ["pc, alpha 0.05", "pc, alpha 1e-12", "pc, lost"]
    errors = {name: fu.reading(inputs, name).error(printed) for name in names[:2]}
    made = fu.nearest(inputs, row="tetrad_pc", readings=names, network="child")
    assert (made.about["tried"], made.about["best"]) == (2, min(errors, key=errors.get))
    assert made.about["error"] == min(errors.values())
    assert made.supposed == fu.reading(inputs, made.about["best"]).mean


def test_pc_with_every_edge_twice_is_compared_over_the_data_sets_of_both_methods():
    rows = synthetic.both_families(("abalone", "cleve"))
    rows[0]["gain"] = 140.0  # Bach on abalone
    made = fu.both_families(inputs_of_fu(both_families=rows))
    assert made.printed == 1.13
    assert made.ours == pytest.approx((70 / 140 + 70 / 100) / 2)
    assert made.supposed == pytest.approx((110 / 140 + 110 / 100) / 2)
    assert made.about == {"sets": 2, "highest": 0.7, "both": made.supposed}


def test_labels_move_every_edge_to_where_its_ends_would_be_looked_for():
    places = labels(11, np.random.default_rng(0))
    assert places["labels shifted by one"].tolist() == [10, *range(10)]
    assert places["labels sorted as text"].tolist() == [0, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(places["random labels"]) == list(range(11))
    graph = np.random.default_rng(1).random((11, 11)) < 0.3
    for each in places.values():
        moved = relabelled(graph, each)
        assert all(moved[i, j] == graph[each[i], each[j]] for i in range(11) for j in range(11))
        assert moved.sum() == graph.sum()


# The other studies


def test_the_gain_of_mgcd_is_told_as_it_is_and_with_levels_given():
    rows = synthetic_mabrouk.levels_given(1)
    inputs = synthetic_mabrouk.inputs(synthetic_mabrouk.Maker(), experiments={"levels_given": rows})
    made = mabrouk.gain(inputs, other="ruichu", printed=10)
    assert made.ours == pytest.approx(100 * (0.63 / 0.43 - 1))  # TPR grows by .01 and .05
    assert made.supposed == pytest.approx(100 * (0.83 / 0.93 - 1))
    assert mabrouk.gain(inputs, other="friedman_tabu", printed=40).supposed == pytest.approx(100 * (0.83 / 0.78 - 1))
    assert made.about["levels"] == 4.0
    assert mabrouk.ceiling(inputs, best="mgcd", other="true codes").supposed == pytest.approx(0.98)
