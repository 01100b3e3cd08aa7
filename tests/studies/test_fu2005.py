"""Tables of Fu 2005 from metrics made up from the printed ones."""

import numpy as np
import pytest
from cutpoint.bench.studies.fu2005 import study
from cutpoint.bench.studies.fu2005.examples import BINS, EXAMPLES, FINE, find, information, samples
from synthetic import METHODS, SETS, Maker, cell, inputs

from cutpoint.bench.engine.numbers import SAMPLE, means, runs_by_data, statistic
from cutpoint.bench.engine.tables import make_table
from cutpoint.networks.network import network

EXACT = ("table_V-4", "table_V-5", "table_V-6", "table_V-7", "table_V-8", "table_V-9", "table_V-11", "table_V-12")


@pytest.fixture(scope="module")
def exact():
    return inputs(Maker().simulated(replicates=2).sigma(replicates=2).real(), replicates=2)


@pytest.fixture(scope="module")
def noisy():
    return inputs(Maker(1, 0.1).simulated().sigma().real())


@pytest.mark.parametrize("name", EXACT)
def test_printed_numbers_come_back(exact, name):
    table = make_table(exact, name)
    compared = 0
    for row in table.rows:
        for c in row.cells:
            if c.published is not None:
                compared += 1
                assert c.reproduced == pytest.approx(c.published, abs=0.012 if c.published < 40 else 2), (row.key, c)
    assert compared >= 12


def test_figures_of_noise_show_distances_that_are_not_normalized(exact):
    """In print Bach has 68 to 78 at the sizes of Figures V-7 to V-9: absolute numbers."""
    (axes,) = study.noise(exact, n=500, title="", scale="").axes
    runs = exact.metrics.query("grid == 'sigma' and n == 500 and method == 'bach'")
    wanted = runs.groupby("sigma")["shd_fu2005"].mean()
    drawn = [line.get_ydata() for line in axes.lines if len(line.get_ydata()) == 3]
    assert any(ys[[0, 2]] == pytest.approx(wanted.to_numpy()) for ys in drawn)


def test_normalisation_by_hand():
    """Two networks, one N, two replicates: mean over replicates, ratio, then mean over networks."""
    maker = Maker().simulated(replicates=2, sizes=(500,), networks={"alarm": 46, "child": 25})
    shd = {("alarm", "bach"): (10, 30), ("child", "bach"): (5, 5)}
    shd |= {("alarm", "monti2"): (40, 20), ("child", "monti2"): (1, 4)}
    for row in maker.rows:
        pair = shd.get((row["network"], row["method"]))
        if pair:
            row["shd_fu2005"] = float(pair[row["replicate"]])
    table = make_table(inputs(maker), "table_V-4")
    assert cell(table, "monti2", "N = 500").reproduced == pytest.approx((30 / 20 + 2.5 / 5) / 2)
    assert cell(table, "bach", "N = 500").reproduced == 1


def test_failed_runs_are_left_out_and_counted(noisy):
    maker = Maker(1, 0.1).simulated()
    maker.fail(lambda r: r["method"] == "steck3" and r["network"] == "alarm" and r["n"] == 500 and r["replicate"] < 2)
    maker.fail(lambda r: r["method"] == "hartemink" and r["n"] == 5000, message="over 60 s")
    table = make_table(inputs(maker), "table_V-4")
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
    run = inputs(maker)
    cells = means(run, runs_by_data(run, "simulated", "shd_fu2005", ("network", "n")))
    assert cells.loc[("bach", "child", 500), SAMPLE] == pytest.approx(want)


@pytest.mark.parametrize("why", ["boom", "not among the methods"])
def test_a_reference_that_failed_or_is_no_method_of_the_run_crashes_nothing(why):
    maker = Maker().simulated(replicates=2).sigma(replicates=2).real()
    maker.fail(lambda row: row["method"] == "bach", "error", "boom")
    few = [method for method in METHODS if why == "boom" or method.name not in ("bach", "friedman3")]
    run = inputs(maker, methods=few, replicates=2)
    for name in run.study.tables:
        make_table(run, name)
    assert cell(make_table(run, "table_V-4"), "monti3", "N = 500").reason == f"no reference: {why}"


def test_intervals_hold_only_what_is_possible():
    maker = Maker(1, 0.1).simulated(replicates=3).sigma(replicates=3).real()
    for row in maker.rows:
        if row["grid"] == "real" and row["method"] == "monti3":
            row["seconds"] *= 1 + 100 * (row["dataset"] == SETS[0])
        if row["grid"] == "simulated":
            row["f1_pattern"] = (1.0, 1.0, 0.4)[row["replicate"]]
    run = inputs(maker, replicates=3)
    time = cell(make_table(run, "table_V-11"), "monti3", "Time")
    assert 0 < time.low < time.reproduced / 2
    table = make_table(run, "table_measures")
    places = [k for k, head in enumerate(table.columns) if head.startswith("F1 of the pattern, N")]
    shares = [row.cells[k] for row in table.rows for k in places]
    assert any(each.high == 1 for each in shares)
    assert all(0 <= each.low <= each.high <= 1 for each in shares if np.isfinite(each.low))


def test_shares_of_edges_are_not_negative():
    table = make_table(inputs(Maker(3, 2.0).simulated(replicates=2), replicates=2), "table_V-9")
    lows = [cell.low for row in table.rows for cell in row.cells if cell.low is not None and np.isfinite(cell.low)]
    assert lows
    assert min(lows) == 0


def test_nothing_is_bold_where_a_bad_number_would_be():
    for spread, bold in ((9.0, False), (0.01, True)):
        table = make_table(inputs(Maker(2, spread).simulated(replicates=4), replicates=4), "table_V-5")
        for k in range(len(table.columns)):
            marked = [row.cells[k].reproduced for row in table.rows if row.cells[k].best]
            assert bool(marked) == bold
            assert not marked or max(marked) <= 2 * min(marked)


def test_networks_agree_with_print(exact):
    for row in make_table(exact, "table_V-1").rows:
        assert all(c.reproduced == c.published for c in row.cells), row.key


def test_child_table_agrees_number_for_number(exact):
    for row in make_table(exact, "table_V-2").rows:
        assert all(c.reproduced == pytest.approx(c.published) for c in row.cells)
    nearest = make_table(exact, "table_V-3")
    assert max(abs(c.reproduced - c.published) for r in nearest.rows for c in r.cells) == pytest.approx(0.04)


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
    simulated = means(noisy, runs_by_data(noisy, "simulated", "shd_fu2005", ("network", "n")))
    sigma = means(noisy, runs_by_data(noisy, "sigma", "shd_fu2005", ("network", "n", "sigma")))
    assert set(sigma.columns) == set(simulated.columns)
    assert len((statistic(sigma)[0] - statistic(simulated)[0]).units) == simulated.shape[1] - 1
