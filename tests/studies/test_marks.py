"""Which numbers of a column are in bold: the best and those next to it that are not significantly worse."""

import numpy as np
import pytest
import synthetic
import synthetic_field
import synthetic_growth
import synthetic_mabrouk
import synthetic_missing
import synthetic_own
from scipy import stats

from cutpoint.bench.engine.numbers import MEAN, grouped
from cutpoint.bench.engine.tables import COMPLETE, make_table, unbeaten

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
