"""Numbers of methods by loops, their differences from a control, and which of them are in bold."""

import numpy as np
import pandas as pd
import pytest
import synthetic
import synthetic_field
import synthetic_growth
import synthetic_mabrouk
import synthetic_missing
import synthetic_own
from scipy import stats
from scipy.stats import t
from synthetic import METHODS, Maker, inputs

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.engine import contests
from cutpoint.bench.engine.contests import declared_contest
from cutpoint.bench.engine.inputs import replicates, typed
from cutpoint.bench.engine.numbers import MEAN, grouped, measure, runs_by_data
from cutpoint.bench.engine.tables import COMPLETE, make_table, unbeaten

SHIFTS = {m.name: 2.0 * k for k, m in enumerate(METHODS)}


@pytest.fixture(scope="module")
def example():
    """Every method is 2 worse than the one before it, but for noise; the last has no runs, the third failed once."""
    maker, rng = Maker().simulated(replicates=3), np.random.default_rng(5)
    for row in maker.rows:
        row["shd_standard"] = 30 + SHIFTS[row["method"]] + float(rng.normal())
    maker.fail(lambda r: r["method"] == METHODS[-1].name, message="over 60 s")
    maker.fail(lambda r: (r["method"], r["network"], r["n"], r["replicate"]) == (METHODS[2].name, "alarm", 500, 0))
    return inputs(maker, replicates=3)


def row(table, method):
    line = next(r for r in table.rows if r.key == method.name)
    return dict(zip(table.columns, line.cells, strict=True))


def test_differences_against_the_best(example):
    table = make_table(example, "table_differences")
    assert row(table, METHODS[0])["Difference"].reproduced == "best"
    for k, method in enumerate(METHODS[1:-1], 1):
        cells = row(table, method)
        assert cells["Difference"].low <= 2 * k + 0.5
        assert cells["Difference"].high >= 2 * k - 0.5
        assert cells["Difference"].low > 0
    assert row(table, METHODS[2])["Wins/ties/losses"].reproduced.endswith("/35")
    shd = row(table, METHODS[2])["SHD (standard)"]
    assert (shd.runs, shd.expected) == (35, 36)
    assert row(table, METHODS[-1])["Difference"].reason == "over 60 s"
    assert float(row(table, METHODS[5])["p, signed ranks"].reproduced) == pytest.approx(78 * 2 / 2**12, rel=0.01)
    assert any("78 tests" in note for note in table.notes)


def test_a_control_is_tested_against_fewer(example):
    contest = declared_contest(example, "shd_standard")
    table = contests.differences(contest, control=METHODS[3].name)
    assert row(table, METHODS[3])["Difference"].reproduced == "control"
    assert row(table, METHODS[0])["Difference"].high < 0
    assert "12 tests" in table.notes[0]
    assert float(row(table, METHODS[0])["p, signed ranks"].reproduced) == pytest.approx(12 * 2 / 2**12, rel=0.01)
    lost = contests.differences(contest, control=METHODS[-1].name)
    assert row(lost, METHODS[0])["Difference"].reproduced == "best"


def test_blocks_of_random_networks_are_the_networks():
    example = synthetic_mabrouk.inputs(synthetic_mabrouk.Maker(1, 0.1).random(replicates=8))
    contest = declared_contest(example, "shd")
    assert contest.blocks.shape == (8, 3)
    runs = example.metrics.query("grid == @contest.spec.grid").pivot_table("shd_standard", "replicate", "method")
    np.testing.assert_allclose(contest.blocks, runs[[m.name for m in example.methods]])
    table = make_table(example, "table_differences")
    assert row(table, synthetic_mabrouk.METHODS[0])["Difference"].reproduced == "control"
    assert row(table, synthetic_mabrouk.METHODS[1])["Wins/ties/losses"].reproduced.count("/") == 2
    assert contest.friedman.ranks.argmin() == 0


def test_a_failed_run_improves_no_rank_and_no_p_value():
    """The second equals the first, but fails on the one hard replicate of every cell."""
    maker, chosen = Maker().simulated(replicates=4, methods=METHODS[:4]), METHODS[:4]
    _, second, third, fourth = (m.name for m in chosen)
    for each in maker.rows:
        each["shd_standard"] = 30.0 + 50 * (each["replicate"] == 0) + {third: 1, fourth: 2}.get(each["method"], 0)
    maker.fail(lambda r: r["method"] == second and r["replicate"] == 0, message="over 60 s")
    contest = declared_contest(inputs(maker, methods=chosen, replicates=4), "shd_standard")
    np.testing.assert_allclose(contest.means, [30, 30, 31, 32])
    np.testing.assert_allclose(contest.friedman.ranks, [1.5, 1.5, 3, 4])
    np.testing.assert_allclose(contest.mean_ranks.rows[0], [1.5, 1.5, 3, 4])
    table = make_table(contest.inputs, "table_differences")
    cells = row(table, METHODS[1])
    assert cells["Wins/ties/losses"].reproduced == "0/36/0"
    assert cells["p, signed ranks"].reproduced == "1"
    assert "over the 36 of 48 data sets" in " ".join(table.notes)


@pytest.fixture(scope="module")
def two_grids():
    """A simulated study in which a sixth of the runs failed."""
    whole = inputs(Maker(5, 0.2).simulated(replicates=4), replicates=4)
    lost = np.random.default_rng(1).random(len(whole.metrics)) < 1 / 6
    return whole.with_metrics(whole.metrics.assign(status=whole.metrics["status"].mask(lost, "timeout")))


def mean(values):
    return sum(values) / len(values)


def by_loops(runs, method, n):
    """Value and interval of the mean over networks of the SHD over Bach's, both means over their replicates."""
    shd = {}
    for row in runs:
        if row["grid"] == "simulated" and row["n"] == n and row["status"] == "ok":
            shd.setdefault((row["method"], row["network"]), {})[row["replicate"]] = row["shd_fu2005"]
    networks = [w for name, w in shd if name == method and ("bach", w) in shd]

    def ratio(network, without=None):
        parts = [[x for r, x in shd[name, network].items() if r != without] for name in (method, "bach")]
        return mean(parts[0]) / mean(parts[1]) if all(parts) else np.nan

    value, variance, parts = mean([ratio(w) for w in networks]), 0.0, 0.0
    for network in networks:
        both = sorted(shd[method, network].keys() & shd["bach", network].keys())
        moved = [np.log(mean([ratio(w, r if w == network else None) for w in networks])) - np.log(value) for r in both]
        part = (len(both) - 1) / len(both) * sum(x**2 for x in moved) if len(both) > 1 else np.nan
        variance, parts = variance + part, parts + part**2 / (len(both) - 1 or 1)
    reach = t.ppf(0.975, variance**2 / parts) * np.sqrt(variance) if parts else np.nan
    return value, value * np.exp(-reach), value * np.exp(reach)


def test_ratios_are_those_of_loops(two_grids):
    columns, runs = measure(two_grids, "shd"), two_grids.metrics.to_dict("records")
    for method in two_grids.methods:
        if method.name in ("bach", "mine_1"):
            continue
        for n in (500, 1000, 5000):
            ratios = columns[n].spread.loc[method.name].tolist()
            assert ratios == pytest.approx(by_loops(runs, method.name, n), nan_ok=True), (method.name, n)


def test_cells_that_are_not_told_apart_are_an_error(two_grids):
    with pytest.raises(InputError, match=r"fu2005: grid simulated: cells: \[network\]: these columns do not tell"):
        runs_by_data(two_grids, "simulated", "shd_fu2005", ("network",))


def test_replicates_are_counted_by_grid():
    def count(*runs, grids=()):
        rows = [(g, w, r) for g, w, number in runs for r in range(number)]
        names = ("grid", "network", "replicate")
        return replicates(typed(pd.DataFrame(rows, columns=names)), grids)

    assert count(("simulated", "asia", 5), ("sigma", "asia", 5), ("real", None, 1)) == 5
    assert count(("real", None, 1)) == 1
    assert count(("c", "asia", 25), ("b", "random", 70), ("a", "random", 70)) == "70 (a, b), 25 (c)"
    assert count(("c", "asia", 25), ("b", "random", 70), grids=("c",)) == 25
    text = "Published scale; 70 (a), 25 (c) replicates per cell; seed 1."
    assert str(RunScale("published", 1, "70 (a), 25 (c)")) == text


MEASURES = ("shd", "shd_standard", "f1")
BEST = {"shd_fu2005": "steck2", "shd_standard": "bach", "f1_pattern": "hartemink", "parent_aid": "bach"}


def inputs_of(best, *, replicates=3, jitter=0.02, methods=synthetic.METHODS, sizes=(500, 5000)):
    """Runs whose distances are alike but for one method in each metric, at the larger N only."""
    maker, rng = synthetic.Maker().simulated(replicates=replicates, sizes=sizes), np.random.default_rng(2)
    for row in maker.rows:
        for metric in BEST:
            factor = 0.5 if row["n"] == 5000 and row["method"] in best.get(metric, "") else 1.0
            higher = metric == "f1_pattern"
            value = (0.4 / factor if higher else 0.8 * factor) * np.exp(jitter * rng.standard_normal())
            row[metric] = None if row[metric] is None else value
    maker.rows += [{**row, "method": "twin"} for row in maker.rows if row["method"] == "steck2"]
    return synthetic.inputs(maker, methods=methods, replicates=replicates)


def names(inputs, measure, column, among=None):
    return set(unbeaten(inputs, measure, column, tuple(inputs.labels) if among is None else among))


def test_a_single_method_is_unbeaten_where_it_beats_all_others_else_those_that_are_tied():
    inputs = inputs_of(BEST)
    assert [names(inputs, m, 5000) for m in MEASURES] == [{"steck2"}, {"bach"}, {"hartemink"}]
    assert all(len(names(inputs, m, 500)) > 5 for m in MEASURES)
    assert names(inputs, "shd", 700) == set()


def test_the_unbeaten_are_those_of_paired_t_tests_written_out():
    """A method is beaten by one that is lower, at 5 % for all comparisons of a method (Bonferroni)."""
    inputs = inputs_of(BEST, jitter=0.3, replicates=5)
    table, means = inputs.metrics, []
    for method in inputs.methods:
        runs = table[(table["method"] == method.name) & (table["grid"] == "simulated") & (table["n"] == 5000)]
        means.append(runs.groupby("replicate")["f1_pattern"].mean().to_numpy())  # over four networks
    level = 0.05 / (len(means) - 1)

    def beats(one, other):
        return one.mean() > other.mean() and stats.ttest_rel(one, other).pvalue < level

    expected = {
        method.name
        for method, mine in zip(inputs.methods, means, strict=True)
        if not any(beats(each, mine) for each in means)
    }
    assert "hartemink" in expected
    assert names(inputs, "f1", 5000) == expected


def marked(inputs, name):
    """The rows that a table marks, by column."""
    table = make_table(inputs, name)
    return {column: {r.key for r in table.rows if r.cells[k].best} for k, column in enumerate(table.columns)}


def test_tables_mark_the_best_of_the_unbeaten_of_each_column():
    inputs, preview = inputs_of(BEST), inputs_of(BEST, replicates=2)
    marks = marked(inputs, "table_measures")
    assert marks["F1 of the pattern, N = 5000"] == {"hartemink"}
    assert {"hartemink"} < marks["F1 of the pattern, N = 500"] < names(inputs, "f1", 500)
    assert not any(marked(preview, "table_measures").values())
    assert names(synthetic_missing.inputs(), "change", "mcar5") == set()  # neither more nor less of it is better


def test_a_table_of_some_methods_compares_these_alone():
    inputs = inputs_of(BEST)
    others = tuple(m.name for m in inputs.methods if m.name != "hartemink")
    assert len(names(inputs, "f1", 5000, others)) > 5
    integrated = {m.name for m in inputs.methods if m.category == "integrated"}
    for name in ("table_V-7", "table_V-8"):
        marks = marked(inputs, name)
        assert all(best <= integrated for best in marks.values())


def test_a_column_without_marks_for_lack_of_the_reference_says_so():
    maker = synthetic.Maker(1, 0.1).simulated(replicates=3)
    lost = {"method": "bach", "network": "child", "n": 5000}
    maker.fail(lambda row: lost.items() <= row.items())
    table = make_table(synthetic.inputs(maker, replicates=3), "table_V-5")
    bold = {head: any(row.cells[k].best for row in table.rows) for k, head in enumerate(table.columns)}
    assert not bold["N = 5000"]
    assert not bold["Mean over N"]
    assert any("N = 5000 and Mean over N: some cells of each row" in note for note in table.notes)


def of_real_data(scores):
    """Runs on real data of three methods, their scores from set to set as given."""
    maker = synthetic.Maker().real()
    for row in maker.rows:
        row["kgv_gain"] = scores[row["method"]][synthetic.SETS.index(row["dataset"])] if row["method"] in scores else 0
    return synthetic.inputs(maker, methods=[m for m in synthetic.METHODS if m.name in scores])


def test_a_number_that_varies_much_is_not_in_bold_beside_a_better_one_that_is_not():
    steady, varied = 0.93 + 0.01 * np.cos(np.arange(9)), 0.7 + 0.5 * np.cos(np.arange(9) * 2.4)
    inputs = of_real_data({"bach": np.ones(9), "monti3": steady, "pc_fisherz": varied})
    assert names(inputs, "score", MEAN) == {"bach", "pc_fisherz"}
    assert marked(inputs, "table_V-11")["Score"] == {"bach"}


MADE = {
    "fu2005": lambda seed, jitter: synthetic.inputs(synthetic.Maker(seed, jitter).simulated().orders(3).real()),
    "mabrouk2015": lambda seed, jitter: synthetic_mabrouk.inputs(synthetic_mabrouk.Maker(seed, jitter).all(5)),
    "field2026": lambda _, jitter: synthetic_field.inputs(jitter=jitter),
    "growth": lambda _, jitter: synthetic_growth.inputs(jitter=jitter),
    "missing": lambda _, jitter: synthetic_missing.inputs(jitter=jitter),
    "own": lambda seed, _: synthetic_own.inputs(6 + seed),
}


@pytest.mark.parametrize(("seed", "jitter"), [(0, 0.05), (1, 0.5)])
@pytest.mark.parametrize("study", MADE)
def test_no_number_in_bold_is_worse_than_one_that_is_not(study, seed, jitter):
    inputs = MADE[study](seed, jitter)
    competing = {method.name for method in inputs.methods if method.competes}
    for table in (make_table(inputs, name) for name in inputs.study.tables):
        for k, column in enumerate(table.columns):
            cells = [row.cells[k] for row in table.rows if row.key in competing]
            bold = [cell.reproduced for cell in cells if cell.best]
            plain = [c.reproduced for c in cells if not c.best and c.runs and c.runs >= COMPLETE * c.expected]
            if bold and plain:
                better = inputs.study.measures[table.keys[k]["measure"]].better
                ahead = min(plain) >= max(bold) if better == "lower" else max(plain) <= min(bold)
                assert ahead, (table.name, column)


def without_errors(*methods, network="alarm", n=5000, errors=0):
    """Runs in which some methods have distance 0 in one cell, or a number of errors in its first replicate."""
    maker, rng = synthetic.Maker().simulated(replicates=3), np.random.default_rng(3)
    for row in maker.rows:
        row["shd_fu2005"] = float(rng.integers(8, 12))
        if row["method"] in methods and (row["network"], row["n"]) == (network, n):
            row["shd_fu2005"] = float(errors * (row["replicate"] == 0))
    return synthetic.inputs(maker, replicates=3)


def logs(inputs):
    """The measure as a mean of log ratios to Bach, in which no network weighs more than another."""
    return grouped(inputs, "simulated", ("network", "n"), "shd_fu2005", ("n",), "bach", True)


def geometric(inputs, method, n):
    """The geometric mean over networks of ratios to Bach, written out; a mean of 0 is half an error in one run."""
    table, logs = inputs.metrics, []
    for network in synthetic.NETWORKS:
        means = [
            table["shd_fu2005"][(table["method"] == m) & (table["network"] == network) & (table["n"] == n)].sum() / 3
            for m in (method, "bach")
        ]
        ours, bach = (mean or 0.5 / 3 for mean in means)
        logs.append(np.log(ours / bach))
    return np.exp(np.mean(logs))


def test_a_method_without_errors_in_a_cell_keeps_its_place():
    for methods in (["steck2"], ["bach"], ["steck2", "bach"]):
        inputs = without_errors(*methods)
        numbers = logs(inputs)[5000]
        assert numbers.coverage["whole"].all()
        for name, value in numbers.sample.items():
            assert value == pytest.approx(geometric(inputs, name, 5000))


def test_no_error_is_less_than_one():
    least, one = (logs(without_errors("steck2", errors=k)) for k in (0, 1))
    assert least[MEAN].sample["steck2"] < one[MEAN].sample["steck2"]


def test_the_order_of_methods_plays_no_part_and_equal_ones_share_their_fate():
    twin = synthetic.MethodLabel("twin", "Twin", "other")
    methods = [*synthetic.METHODS, twin]
    inputs, turned = inputs_of(BEST, methods=methods), inputs_of(BEST, methods=methods[::-1])
    assert names(inputs, "shd", 5000) == names(turned, "shd", 5000) == {"steck2", "twin"}
    for name in MEASURES:
        assert names(inputs, name, 500) == names(turned, name, 500)


def test_costs_are_compared_within_cells_as_ratios():
    """A method that takes 100 times as long is not tied with the cheapest, though one network has most of the time."""
    maker, rng = synthetic.Maker().simulated(replicates=3), np.random.default_rng(5)
    for row in maker.rows:
        size = 1000 if row["network"] == "hailfinder" else 1
        slow = 100 if row["method"] == "steck3" else 1
        noise = np.exp((2 if size > 1 else 0.05) * rng.standard_normal())
        row["seconds"] = 0.01 * size * slow * noise
    inputs = synthetic.inputs(maker, replicates=3)
    assert "steck3" not in names(inputs, "seconds_by_n", 5000)
    assert len(names(inputs, "seconds_by_n", 5000)) > 5
