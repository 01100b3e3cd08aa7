"""Tables of Fu 2005 from metrics made up from the printed ones."""

import numpy as np
import pytest
from cutpoint.bench.studies.fu2005.examples import BINS, EXAMPLES, FINE, find, information, samples
from synthetic import METHODS, NETWORKS, SETS, SIZES, Maker, inputs

from cutpoint.bench.engine.inputs import grid
from cutpoint.bench.engine.numbers import ratios
from cutpoint.bench.engine.show import figures_of, tables_of
from cutpoint.bench.report.writers import WRITERS
from cutpoint.networks.network import network

TABLES = tables_of("fu2005")
EXACT = ("table_V-4", "table_V-5", "table_V-6", "table_V-7", "table_V-8", "table_V-9", "table_V-11", "table_V-12")


@pytest.fixture(scope="module")
def exact():
    return inputs(Maker().simulated(replicates=2).sigma(replicates=2).real(), replicates=2)


@pytest.fixture(scope="module")
def noisy():
    return inputs(Maker(1, 0.1).simulated().sigma().real())


def cell(table, method, column):
    row = next(r for r in table.rows if r.key == method)
    return row.cells[table.columns.index(column)]


@pytest.mark.parametrize("name", EXACT)
def test_printed_numbers_come_back(exact, name):
    table = TABLES[name](exact)
    compared = 0
    for row in table.rows:
        for c in row.cells:
            if c.published is not None:
                compared += 1
                assert c.reproduced == pytest.approx(c.published, abs=0.012 if c.published < 40 else 2), (row.key, c)
    assert compared >= 12


def test_normalisation_by_hand():
    """Two networks, one N, two replicates: mean over replicates, ratio, then mean over networks."""
    maker = Maker().simulated(replicates=2, sizes=(500,), networks={"alarm": 46, "child": 25})
    shd = {("alarm", "bach"): (10, 30), ("child", "bach"): (5, 5)}
    shd |= {("alarm", "monti2"): (40, 20), ("child", "monti2"): (1, 4)}
    for row in maker.rows:
        pair = shd.get((row["network"], row["method"]))
        if pair:
            row["shd_fu2005"] = float(pair[row["replicate"]])
    table = TABLES["table_V-4"](inputs(maker))
    assert cell(table, "monti2", "N = 500").reproduced == pytest.approx((30 / 20 + 2.5 / 5) / 2)
    assert cell(table, "bach", "N = 500").reproduced == 1


def test_failed_runs_are_left_out_and_counted(noisy):
    maker = Maker(1, 0.1).simulated()
    maker.fail(lambda r: r["method"] == "steck3" and r["network"] == "alarm" and r["n"] == 500 and r["replicate"] < 2)
    maker.fail(lambda r: r["method"] == "hartemink" and r["n"] == 5000, message="over 60 s")
    table = TABLES["table_V-4"](inputs(maker))
    steck, hartemink = cell(table, "steck3", "N = 500"), cell(table, "hartemink", "N = 5000")
    assert (steck.runs, steck.expected) == (18, 20)
    assert np.isfinite(steck.reproduced)
    assert (hartemink.runs, hartemink.expected, hartemink.reason) == (0, 20, "over 60 s")
    assert cell(table, "hartemink", "Mean over N").runs == 40


def test_a_mean_over_failed_replicates_equals_the_mean_of_the_rest():
    maker = Maker(1, 0.1).simulated(replicates=3)
    kept = [r for r in maker.rows if r["method"] == "bach" and (r["network"], r["n"]) == ("child", 500)]
    want = np.mean([r["shd_fu2005"] for r in kept[1:]])
    maker.fail(lambda r: r is kept[0])
    made = inputs(maker)
    runs = grid(made, "simulated", "network", "n")
    c = runs.cells.index(("child", 500.0))
    bach = [m.name for m in METHODS].index("bach")
    found = ratios(made, "simulated", ("network", "n"), "shd_fu2005").rows[0, bach, c]
    assert found == pytest.approx(want)


def test_failed_reference_crashes_nothing():
    maker = Maker().simulated(replicates=2).sigma(replicates=2).real()
    made = inputs(maker.fail(lambda r: r["method"] == "bach", "error", "boom"), replicates=2)
    for make in TABLES.values():
        make(made)
    assert cell(TABLES["table_V-4"](made), "monti3", "N = 500").reason == "no reference: boom"


def test_a_cost_that_a_method_does_not_tell_is_not_the_fault_of_the_reference():
    maker = Maker().simulated(replicates=2)
    for row in maker.rows:
        if row["method"] == "tetrad_pc":
            row["score_calls"] = None
    table = TABLES["table_V-6"](inputs(maker, replicates=2))
    assert cell(table, "tetrad_pc", "N = 500").reason == "not defined for these runs"
    maker.fail(lambda r: r["method"] == "bach", "error", "boom")
    table = TABLES["table_V-6"](inputs(maker, replicates=2))
    assert cell(table, "tetrad_pc", "N = 500").reason == "not defined for these runs"
    assert cell(table, "monti3", "N = 500").reason == "no reference: boom"


def test_intervals_hold_only_what_is_possible():
    maker = Maker(1, 0.1).simulated(replicates=3).sigma(replicates=3).real()
    for row in maker.rows:
        if row["grid"] == "real" and row["method"] == "monti3":
            row["seconds"] *= 1 + 100 * (row["dataset"] == SETS[0])
        if row["grid"] == "simulated":
            row["f1_pattern"] = (1.0, 1.0, 0.4)[row["replicate"]]
    made = inputs(maker, replicates=3)
    time = cell(TABLES["table_V-11"](made), "monti3", "Time")
    assert 0 < time.low < time.reproduced / 2
    shares = [
        each
        for row in TABLES["table_measures"](made).rows
        for head, each in zip(TABLES["table_measures"](made).columns, row.cells, strict=True)
        if head.startswith("F1 of the pattern, N")
    ]
    assert any(each.high == 1 for each in shares)
    assert all(0 <= each.low <= each.high <= 1 for each in shares if np.isfinite(each.low))


def test_shares_of_edges_are_not_negative():
    table = TABLES["table_V-9"](inputs(Maker(3, 2.0).simulated(replicates=2), replicates=2))
    lows = [cell.low for row in table.rows for cell in row.cells if cell.low is not None and np.isfinite(cell.low)]
    assert lows
    assert min(lows) == 0


def test_nothing_is_bold_where_a_bad_number_would_be():
    for spread, bold in ((9.0, False), (0.01, True)):
        table = TABLES["table_V-5"](inputs(Maker(2, spread).simulated(replicates=4), replicates=4))
        for k in range(len(table.columns)):
            marked = [row.cells[k].reproduced for row in table.rows if row.cells[k].best]
            assert bool(marked) == bold
            assert not marked or max(marked) <= 2 * min(marked)


def test_means_of_real_data_are_over_the_sets_that_were_run(noisy):
    table, rows = TABLES["table_V-11"](noisy), noisy.metrics
    found = cell(table, "monti3", "Score")
    gains = [
        rows["kgv_gain"][(rows["grid"] == "real") & (rows["method"] == name)].to_numpy() for name in ("monti3", "bach")
    ]
    assert found.expected == len(SETS)
    assert found.reproduced == pytest.approx(np.mean(gains[0] / gains[1]))


def test_other_orders_of_the_columns_have_ratios_of_their_own():
    made = inputs(Maker(4, 0.1).simulated(2).orders())
    rows = made.metrics

    def mean(method, network, n):
        same = (rows["grid"] == "fixed_orders") & (rows["noise"] == "reversed") & (rows["method"] == method)
        return rows["shd_fu2005"][same & (rows["network"] == network) & (rows["n"] == n)].mean()

    ratios_by_hand = [mean("steck3", w, n) / mean("bach", w, n) for w in NETWORKS for n in SIZES]
    assert cell(TABLES["table_orders"](made), "steck3", "Reversed").reproduced == pytest.approx(np.mean(ratios_by_hand))


def test_a_printed_number_is_inside_or_outside_an_interval():
    maker = Maker(4, 0.2).simulated(replicates=3)
    for row in maker.rows:
        row["shd_fu2005"] *= 3 if row["method"] == "eqfreq2" else 1
    made = inputs(maker, replicates=3)
    cells = [(row.key, row.cells[0]) for row in TABLES["table_V-4"](made).rows if row.key != "bach"]
    inside = [cell.low <= cell.published <= cell.high for _, cell in cells]
    agreement = {row.key: row.cells for row in TABLES["table_agreement"](made).rows}
    assert 0 < np.mean(inside) < 1
    assert agreement["V-4, N = 500"][3].reproduced == pytest.approx(np.mean(inside))  # Bach is 1 by definition


def test_networks_agree_with_print(exact):
    for row in TABLES["table_V-1"](exact).rows:
        assert all(c.reproduced == c.published for c in row.cells), row.key


def test_child_table_agrees_number_for_number(exact):
    for row in TABLES["table_V-2"](exact).rows:
        assert all(c.reproduced == pytest.approx(c.published) for c in row.cells)
    nearest = TABLES["table_V-3"](exact)
    assert max(abs(c.reproduced - c.published) for r in nearest.rows for c in r.cells) == pytest.approx(0.04)
    assert "VentMach given MinVolSet" in WRITERS["md"](nearest)


def test_joint_sums_to_one_and_its_parent_is_exact(exact):
    pair = find(exact, EXAMPLES["child"])
    assert pair.joint.sum() == pytest.approx(1)
    child = network("child")
    root, disease = (child.variables.index(name) for name in ("BirthAsphyxia", "Disease"))
    by_hand = child.tables[root] @ child.tables[disease]
    np.testing.assert_allclose(child.marginal([disease]), by_hand)


def test_example_hides_a_dependence():
    (_, dependent), (_, independent) = samples(1)
    assert information(dependent, BINS) < 0.01 < information(independent, FINE)
    assert information(dependent, FINE) > 5 * information(independent, FINE)


def test_cells_that_differ_in_noise_alone_lose_a_replicate_together(noisy):
    """So the difference between noises is paired: its units are those of one of them."""
    simulated = ratios(noisy, "simulated", ("network", "n"), "shd_fu2005")
    sigma = ratios(noisy, "sigma", ("network", "n", "sigma"), "shd_fu2005")
    assert set(sigma.units) == set(simulated.units)
    assert len((sigma[:, 0] - simulated[:, 0]).units) == len(simulated.units)


def test_lines_of_noise_are_differences_of_means_over_networks(noisy):
    rows = noisy.metrics
    for n in (500, 5000):
        (axes,) = figures_of("fu2005")[{500: "figure_V-7", 5000: "figure_V-9"}[n]](noisy).axes
        shown = {container.get_label(): container[0].get_ydata() for container in axes.containers}
        at = (rows["n"] == n) & (rows["method"] == "monti3")
        mean = {
            sigma: rows["shd_fu2005"][at & (rows["grid"] == ("simulated" if sigma == 0.35 else "sigma"))
                                      & (rows["sigma"] == sigma)].mean()
            for sigma in (0.3, 0.35, 0.4)
        }  # fmt: skip
        np.testing.assert_allclose(shown["Monti3"], [mean[sigma] - mean[0.3] for sigma in mean])
