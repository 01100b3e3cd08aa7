"""Decisions, effects, regret and failures of field2026 on runs whose best rows are known."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import synthetic_field as made
from cutpoint.bench.studies.field2026 import decisions, study
from cutpoint.bench.studies.field2026.losses import by_network, losses_of, restricted, without_network

from cutpoint.bench.engine.claims import inequalities
from cutpoint.bench.engine.inputs import Method
from cutpoint.bench.engine.numbers import grouped, possible
from cutpoint.bench.engine.show import claims_of, tables_of
from cutpoint.bench.report.claims import judge
from cutpoint.bench.statistics.verdicts import HOLDS


def table(inputs, name):
    """Return the cells of a table by row and column."""
    shown = tables_of("field2026")[name](inputs)
    return {
        (row.key, column): cell for row in shown.rows for column, cell in zip(shown.columns, row.cells, strict=True)
    }


def test_losses_are_distances_over_true_edges_with_a_network_each():
    inputs = made.inputs(networks=5)
    losses = losses_of(inputs)
    assert losses.networks == tuple(f"net{k}-0" for k in range(5))
    assert losses.variables.tolist() == [10] * 5
    table_ = inputs.metrics
    for m, method in enumerate(losses.methods):
        for k in range(5):
            row = (table_["method"] == method.name) & (table_["network"] == f"net{k}")
            row &= (table_["noise"] == "linear") & (table_["n"] == 1000)
            found = losses.values[m, losses.mechanisms.index("linear"), 1, k]
            assert found == pytest.approx(table_["shd_standard"][row].item() / made.EDGES)


def test_a_failed_run_counts_as_the_empty_graph():
    failed = made.CROSSED["equal_width", "bdeu", "tabu"]
    inputs = made.inputs(failed=lambda row: row["method"] == failed and row["network"] == "net1")
    losses = losses_of(inputs)
    row = losses.row(failed)
    assert (losses.values[row, :, :, 1] == 1).all()
    assert np.isnan(by_network(inputs).metrics["f1_pattern"]).sum() == len(made.SIZES) * len(made.MECHANISMS)
    cells = table(inputs, "table_failures")
    (key,) = {key for key, _ in cells if key.startswith("timeout")}
    assert cells[key, "Runs"].reproduced == 4
    assert "of wall time" in key
    assert study.failures_answer(inputs).endswith("4 ran out of time.")


def test_each_kind_of_data_has_its_row():
    cells = table(made.inputs(jitter=0.0), "table_decision")
    assert cells["linear_100_up_to_12", "Take"].reproduced == "PC"
    assert cells["linear_100_up_to_12", "As good"].reproduced == "none"
    assert cells["codes_100_up_to_12", "Take"].reproduced.startswith("equal_width 3")
    assert cells["codes_100_up_to_12", "As good"].reproduced.count("equal_width") == 3  # without jitter all are equal
    above = cells["codes_1000_up_to_12", "Above it: always equal frequency, 3 levels"]
    assert above.reproduced == pytest.approx(8 / made.EDGES)
    assert cells["codes_1000_up_to_12", "Networks"].reproduced == 8


def test_of_too_few_networks_nothing_is_said():
    inputs = made.inputs(networks=2)
    assert table(inputs, "table_decision")["linear_100_up_to_12", "Take"].reproduced is None
    assert study.advice_answer(inputs) is None
    assert study.effects_answer(inputs) is None
    for name, tables in tables_of("field2026").items():
        assert tables(made.nothing()).name == name


def slow_call(losses, m, s, k, others):
    """Return which mechanism the features of a data set are nearest to, as the other networks have them."""
    centres = [losses.features[c][:, others].mean(1) for c in range(len(losses.mechanisms))]
    within = [(losses.features[c][:, others] - centres[c][:, None]) ** 2 for c in range(len(losses.mechanisms))]
    spread = np.sqrt(np.mean(within, axis=(0, 1, 2)))
    kept = spread > 0
    away = [(((losses.features[m, s, k] - c[s])[kept] / spread[kept]) ** 2).sum() for c in centres]
    return int(np.argmin(away))


def slow_regret(losses, strategy):
    """Return the mean regret of a strategy by network, each data set by itself."""
    found, kinds, sizes = [], range(len(losses.mechanisms)), range(len(losses.sizes))
    for k in range(len(losses.networks)):
        others = [j for j in range(len(losses.networks)) if j != k]
        alike = [j for j in others if losses.classes[j] == losses.classes[k]] or others
        calls = {
            (m, s, j): slow_call(losses, m, s, j, [i for i in others if i != j])
            for m in kinds
            for s in sizes
            for j in others
        }
        each = []
        for m in kinds:
            for s in sizes:
                weights = {m: 1.0}
                if strategy == decisions.ADVISED:
                    guess = slow_call(losses, m, s, k, others)
                    are = [true for (true, _, _), called in calls.items() if called == guess]
                    weights = {true: are.count(true) / len(are) for true in kinds} if are else {guess: 1.0}
                expected = sum(share * losses.values[:, true] for true, share in weights.items())  # [M, sizes, K]
                if strategy == decisions.ONE:
                    row = losses.values[:, :, :, others].mean((1, 2, 3)).argmin()
                else:
                    parts = [expected[:, s, alike], expected[:, s, others], expected[:, :, others].mean(1)]
                    row = np.mean([part.mean(-1) for part in parts], 0).argmin()
                each.append(losses.values[row, m, s, k] - losses.values[:, m, s, k].min())
        found.append(np.mean(each))
    return found


@pytest.mark.parametrize("strategy", [decisions.ADVISED, decisions.KNOWN, decisions.ONE])
@pytest.mark.parametrize("spread", [0.01, 0.2])  # of a feature whose means are 0.1 apart
def test_regret_is_that_of_a_network_that_took_no_part(strategy, spread):
    inputs = made.inputs(networks=7, jitter=3.0, variables=lambda k: 10 if k < 4 else 20)
    middle = np.where(inputs.metrics["noise"] == "linear", 1.0, 0.9)
    noise = (inputs.metrics["normality"] - middle) * spread / 0.01
    losses = losses_of(inputs.with_metrics(inputs.metrics | {"normality": middle + noise}))
    expected = np.mean(slow_regret(losses, strategy))
    found = decisions.regrets(losses)
    assert found.regret(strategy).value == pytest.approx(expected)
    moved = [np.mean(slow_regret(without_network(losses, k), strategy)) - expected for k in range(7)]
    assert found.regret(strategy).error == pytest.approx(np.sqrt(6 / 7 * np.sum(np.square(moved))))


def test_the_advice_costs_less_than_always_doing_the_same():
    found = decisions.regrets(losses_of(made.inputs()))
    usual = [float(found.regret(name).value) for name in decisions.USUAL]
    assert float(found.regret(decisions.ADVISED).value) < min(usual)
    assert found.guessed == 1


def test_effects_are_those_that_were_put_in():
    inputs = made.inputs(jitter=0.01)
    names, shares, relative = study.effects(inputs)
    value = dict(zip(names, shares.rows[0], strict=True))
    assert value["discretization",] + value["discretization", "mechanism"] > 10 * value["score",]
    of_choices = dict(zip(names, relative.rows[0], strict=True))
    assert np.nansum(list(of_choices.values())) == pytest.approx(1)
    assert np.isnan(of_choices["network",])
    assert table(inputs, "table_effects")["discretization", "Share of all variance, %"].reproduced > 1


def test_claims_are_judged_on_networks():
    claims = claims_of("field2026")
    verdict = judge("V1", claims["V1"], made.inputs(jitter=0.2))
    by_words = {
        part.text: found for part, found in zip(verdict.judgement.statements, verdict.judgement.verdicts, strict=True)
    }
    assert by_words["Three levels: equal frequencies have a higher SHD than equal widths"] == HOLDS
    assert by_words["Three levels: equal frequencies have a higher SHD than k-means"] != HOLDS  # it was not run


def test_programs_of_others_stand_beside_rows_of_the_factorial_on_the_same_data():
    inputs = made.inputs(networks=4)
    table_ = {name: column.copy() for name, column in inputs.metrics.items()}
    ours = ["field3.equal_frequency.bdeu.hill_climbing", "field3.equal_frequency.bic.tabu"]
    theirs = "field3.equal_width.bic.tabu"
    moved = (table_["method"] == theirs) & (table_["n"] == 100) & (table_["network"] != "net3")
    table_["grid"][moved] = "others"
    found = study.others_of(inputs.with_metrics(table_))
    assert {method.name for method in found.methods} == {*ours, theirs}
    assert set(found.metrics["grid"]) == {"others"}
    for name in (*ours, theirs):
        rows = found.metrics["method"] == name
        assert set(found.metrics["n"][rows]) == {100}
        assert set(found.metrics["unit"][rows]) == {"net0-0", "net1-0", "net2-0"}
    assert not study.others_of(made.nothing()).methods


def test_a_claim_takes_the_rows_that_its_measure_has():
    row = "panel_ess.equal_width.10"
    (one,) = inequalities(made.inputs(networks=4), {"as good as itself": f"{row} <= {row} in panel[mean]"})
    mine = [each["shd_standard"] / made.EDGES for each in made.rows(4, 0.5) if each["method"] == row]
    assert one.numbers == {row: pytest.approx(np.mean(mine))}


def test_the_explorer_has_networks_as_replicates_and_counts_failed_runs_as_empty_graphs():
    names = (
        "grid",
        "network",
        "n",
        "noise",
        "replicate",
        "method",
        "status",
        "shd_standard",
        "true_edges",
        "f1_pattern",
    )
    rows = [{name: row.get(name) for name in names} for row in made.rows(3, 0.5)]
    rows[0] |= {"status": "timeout", "shd_standard": None, "true_edges": None, "f1_pattern": None}
    shown = study.explored(pa.Table.from_pylist(rows)).to_pylist()
    kept = [row for row in rows if (row["grid"] == "factorial" and not row["method"].startswith("field3.")) or
            row["method"].endswith(".bdeu.hill_climbing")]  # fmt: skip
    assert len(shown) == len(kept) < len(rows)
    assert {row["network"] for row in shown} == {"all"}
    assert {row["replicate"] for row in shown} == {0, 1, 2}
    failed, *good = shown
    assert (failed["status"], failed["loss"], failed["f1_pattern"]) == ("ok", 1.0, None)
    for row, whole in zip(good, kept[1:], strict=True):
        assert row["loss"] == pytest.approx(whole["shd_standard"] / made.EDGES)
        assert (row["method"], row["f1_pattern"]) == (whole["method"], whole["f1_pattern"])


def slow_elsewhere(values, out):
    """Return what the row loses that is lowest on the networks kept, the mean over the halves that are left out."""
    found = []
    for part in out:
        kept = [j for j in range(values.shape[-1]) if not part[j]]
        row = values[:, kept].mean(1).argmin()
        found.append(np.mean([values[row, k] for k in range(values.shape[-1]) if part[k]]))
    return np.mean(found)


def slow_estimate(function, values):
    """Return a function of values [M, networks] and halves, and the jackknife's error of it."""
    count = values.shape[-1]
    out = decisions.left_out(count)
    whole = function(values, out)
    moved = [function(np.delete(values, k, 1), np.delete(out, k, 1)) - whole for k in range(count)]
    return whole, np.sqrt((count - 1) / count * np.sum(np.square(moved)))


def test_halves_of_the_networks_are_left_out():
    for count in (4, 9, 23):
        out = decisions.left_out(count)
        assert set(out.sum(1)) == {count // 2}
        assert out.any(0).all()


def test_discretizing_is_judged_on_networks_that_chose_neither_row():
    inputs = made.inputs(networks=7, jitter=3.0)
    losses = losses_of(inputs)
    found = {each.mechanism: each for each in decisions.discretize_or_not(losses)}
    direct = losses.row("pc_fisherz")
    cut = [i for i in range(len(losses.methods)) if i != direct]
    for m, mechanism in enumerate(losses.mechanisms):
        parts = [losses.values[:, m].mean(1), *(losses.values[:, m, s] for s in range(len(losses.sizes)))]
        for gain, values in zip(found[mechanism].gain, parts, strict=True):

            def slow(values, out):
                return slow_elsewhere(values[cut], out) - slow_elsewhere(values[[direct]], out)

            assert (gain.value, gain.error) == pytest.approx(slow_estimate(slow, values))
    shown = table(inputs, "table_discretize")
    assert shown["codes", "With levels"].reproduced.startswith("equal_width")
    assert shown["linear", "Difference, all N"].reproduced == pytest.approx(12 / made.EDGES, abs=0.1)
    said = study.discretize_answer(inputs)
    assert "surely better on codes (−0." in said
    assert "surely worse on linear (+0." in said


def test_where_rows_are_alike_they_are_not_told_apart():
    inputs, said = made.inputs(networks=8, jitter=2.0), []
    for seed in range(40):  # 5 % of 40 is 2
        shd = np.random.default_rng(seed).normal(20, 2, len(inputs.metrics["n"]))
        said.append(study.discretize_answer(inputs.with_metrics(inputs.metrics | {"shd_standard": shd})))
    start = "Discretize or not? Over all N, rows with levels are not told apart from those without on codes"
    told_apart = sum("surely" in each for each in said)
    assert told_apart <= 5
    assert sum(each.startswith(start) for each in said) >= len(said) - told_apart


def test_of_rows_that_are_all_alike_few_are_called_better_or_worse(rng):
    """Rows that are nearly tied make what is chosen on other networks depend on these: 5 % of 60 is 3."""
    losses = losses_of(made.inputs(networks=8))
    called = 0
    for _ in range(60):
        values = rng.normal(1, 0.1, (40, 2, 2, 10)) + 0.1 * rng.normal(size=(1, 2, 2, 10))
        methods = [Method(f"m{i}", f"M{i}", "direct" if i < 4 else "integrated") for i in range(40)]
        alike = replace(losses, methods=tuple(methods), values=values, networks=tuple("abcdefghij"))
        ends = [each.gain[0].interval(comparisons=2) for each in decisions.discretize_or_not(alike)]
        called += any(low > 0 or high < 0 for low, high in ends)
    assert called <= 6


def test_the_answer_names_what_to_take_and_says_whether_the_advice_helps():
    inputs = made.inputs(networks=9, jitter=0.5)
    taken = study.taken_answer(inputs)
    assert "N up to 500: all " in taken
    assert "linear PC (0.4" in taken
    assert "codes equal_width 3" in taken
    advice = study.advice_answer(inputs)
    assert "it saves wrong pairs per true edge against " in advice
    assert "always equal frequency, 3 levels (+0." in advice
    assert "the best row of all other networks" in advice
    assert "9 networks" in advice
    assert study.taken_answer(made.nothing()) is study.discretize_answer(made.nothing()) is None


def test_the_first_page_names_what_to_take_by_kind_of_data_and_number_of_records():
    inputs = made.inputs(networks=9, jitter=2.5)
    shown, losses = table(inputs, "table_answer"), losses_of(inputs)
    few, many = "up to 500", "above 500"
    assert shown["linear", f"Take, {few}"].reproduced == "PC"
    assert shown["codes", f"Take, {many}"].reproduced.startswith("equal_width 3")
    m, levels = losses.mechanisms.index("codes"), list(decisions.discretize_or_not(restricted(losses, [1000])))
    for s, words in enumerate((few, many)):
        values = losses.values[:, m, s]
        cell = shown["codes", f"Wrong pairs, {words}"]
        mean, error = slow_estimate(slow_elsewhere, values)
        assert cell.reproduced == pytest.approx(mean)
        assert cell.high - cell.reproduced == pytest.approx(2.306004135 * error)
        assert shown["codes", f"Seconds, {words}"].reproduced == pytest.approx(0.01)
    gain = table(inputs, "table_discretize")["codes", f"Difference, {many}"]
    assert gain.reproduced == pytest.approx(levels[m].gain[0].value)
    assert gain.low == pytest.approx(levels[m].gain[0].interval(comparisons=4)[0])
    found = decisions.best_of(restricted(losses, [100]), m)
    assert shown["codes", f"As good, {few}"].reproduced == len(found.as_good)
    assert not table(made.inputs(networks=2), "table_answer")


def test_what_data_that_are_called_so_are_weighs_the_losses():
    called = np.array([[[0, 0, 1]], [[1, 1, 1]], [[0, 1, 1]]])  # of three kinds, one size, three networks
    told = decisions.told_of(called)
    assert told[0].tolist() == pytest.approx([2 / 3, 0, 1 / 3])
    assert told[1].tolist() == pytest.approx([1 / 6, 1 / 2, 1 / 3])
    assert told[2].tolist() == [0, 0, 1]  # nothing is called so
    losses = losses_of(made.inputs(networks=4))
    mixed = decisions.as_called(losses, np.array([[1.0, 0.0], [0.25, 0.75]]))
    assert mixed.values[:, 0] == pytest.approx(losses.values[:, 0])
    assert mixed.values[:, 1] == pytest.approx(losses.values[:, 0] / 4 + 3 * losses.values[:, 1] / 4)


def test_the_table_of_the_advice_says_what_is_lower_and_how_much_is_not_told_apart():
    losses = losses_of(made.inputs(networks=7, jitter=4.0))
    advice = decisions.advice_of(losses, scale="published", seed=1, version="0")
    assert advice["told"] == {"codes": 1.0, "linear": 1.0}
    assert advice["called"] == advice["kinds"]  # as every kind is told
    for entry, kind in zip(advice["kinds"], decisions.kinds_of(losses), strict=True):
        loss, above = kind.found.loss.value, kind.found.above
        lower = [i for i in np.argsort(loss) if loss[i] < loss[kind.found.best]][:3]
        assert entry["lower"] == [losses.methods[i].name for i in lower]
        low, _ = above.interval()
        assert entry["not_surely_worse"] == sum(
            not low[i] > 0 for i in range(len(losses.methods)) if i != kind.found.best
        )


def test_programs_of_others_that_are_better_on_the_same_data_are_named_beside_the_row_to_take():
    inputs = made.inputs(networks=6, jitter=0.5)
    assert study.others_answer(inputs) is None
    table_ = {name: column.copy() for name, column in inputs.metrics.items()}
    theirs = made.CROSSED["equal_width", "bic", "tabu"]
    moved = (table_["method"] == theirs) & (table_["n"] == 100) & (table_["network"] != "net3")
    kept = (table_["method"] != theirs) | moved
    table_["grid"][moved] = "others"
    linear = moved & (table_["noise"] == "linear")
    codes = moved & (table_["noise"] == "codes")
    best = {
        (table_["network"][i], table_["noise"][i]): table_["shd_standard"][i]
        for i in np.flatnonzero((table_["n"] == 100) & (table_["method"] == "pc_fisherz"))
    }
    gains = np.array([-1.0, -2.0, -3.0, -1.5, -2.5])
    table_["shd_standard"][linear] = [best[name, "linear"] for name in table_["network"][linear]] + gains
    table_["shd_standard"][codes] = 30
    others = inputs.with_metrics({name: column[kept] for name, column in table_.items()})
    said = study.others_answer(others)
    assert said.startswith(
        "Of 1 rows of other programs, run on 5 of these networks (table_others), these have a lower mean"
    )
    assert "data: equal_width 3, bic, tabu on linear (−0.10 [" in said
    (one, other) = decisions.beside(losses_of(others), losses_of(others, "others"))
    assert [one.mechanism, other.mechanism, one.networks] == ["codes", "linear", 5]
    assert other.gain.value == pytest.approx(gains.mean() / made.EDGES)
    assert other.gain.error == pytest.approx(gains.std(ddof=1) / np.sqrt(5) / made.EDGES)
    table_["shd_standard"][linear] = 30
    others = inputs.with_metrics({name: column[kept] for name, column in table_.items()})
    assert study.others_answer(others).startswith("None of 1 rows of other programs")


@pytest.mark.parametrize("metric", ["shd_standard", "held_out_splines", "f1_pattern"])
def test_intervals_end_where_a_measure_does(metric):
    inputs = made.inputs(networks=4, jitter=0.5)
    wide = np.random.default_rng(2).choice([0.0, 1.0], len(inputs.metrics["n"]))
    runs = by_network(inputs.with_metrics(inputs.metrics | {metric: wide}))
    found = grouped(runs, "factorial", ("noise", "n"), metric, ("n",))
    low, high = found.values.estimate().interval()
    least, most = possible(metric)
    shown = [end[np.isfinite(end)] for end in found.ends]
    assert (low < 0).any()
    assert (high > 1).any()
    assert [ends.tolist() for ends in shown] == [
        np.clip(end[np.isfinite(end)], least, most).tolist() for end in (low, high)
    ]
    assert (shown[0].min() < 0) == (metric == "held_out_splines")
    assert (shown[1].max() > 1) == (metric != "f1_pattern")


def test_means_of_levels_are_over_all_that_is_crossed():
    inputs = made.inputs(networks=6, jitter=2.0)
    losses, shown = losses_of(inputs), table(inputs, "table_means")
    for factor, place in (("discretization", 0), ("score", 1), ("search", 2)):
        for level in {key[place] for key in made.CROSSED}:
            mine = [losses.row(name) for key, name in made.CROSSED.items() if key[place] == level]
            row = f"{factor}.{level} 3" if place == 0 else f"{factor}.{level}"
            assert shown[row, "All"].reproduced == pytest.approx(losses.values[mine].mean())
            by_network = losses.values[mine][:, 1].mean((0, 1))
            cell = shown[row, losses.mechanisms[1].capitalize()]
            assert cell.reproduced == pytest.approx(by_network.mean())
            assert cell.high - cell.low == pytest.approx(
                2 * 2.570581836 * np.std(by_network, ddof=1) / np.sqrt(6), rel=1e-6
            )


def test_what_matters_names_what_depends_on_the_data():
    said = study.effects_answer(made.inputs(networks=8, jitter=0.1))
    # equal widths are better on codes alone: half of it is their mean over both mechanisms, half the interaction
    assert [int(x) for x in re.findall(r"(\d+) % (?:is the|depends|comes|is of three)", said)] == pytest.approx(
        [50, 50, 0, 0], abs=1
    )
    same = re.search(r"The same on all data: discretization (.*?) %, score 0.0 % and search 0.0 %", said)
    assert float(same[1]) == pytest.approx(50, abs=1)
    assert "in turns" not in said  # no such rows were run


def test_what_choices_make_holds_all_that_is_not_of_the_data():
    inputs = made.inputs(networks=6, jitter=4.0)
    losses = losses_of(inputs)
    values = np.array([losses.values[losses.row(name)] for name in made.CROSSED.values()])
    within = values.var(0).mean() / values.var()  # between rows on one data set
    names, shares, relative = study.effects(inputs)
    value, mine = (dict(zip(names, each.rows[0], strict=True)) for each in (shares, relative))
    assert mine["discretization",] == pytest.approx(value["discretization",] / within)
    others = sum(share for name, share in mine.items() if name != ("rest",) and np.isfinite(share))
    assert mine["rest",] == pytest.approx(1 - others)
    assert 0.3 < mine["rest",] < 1  # noise is in no pair of factors


def with_miic(inputs, shift):
    """Return inputs in which a row that cuts pair by pair has the SHD of PC and something more."""
    table_ = {name: column.copy() for name, column in inputs.metrics.items()}
    mine = table_["method"] == made.CROSSED["equal_frequency", "bic", "tabu"]
    pc = (table_["method"] == "pc_fisherz") & (table_["grid"] == "factorial")
    noise = np.random.default_rng(0).normal(size=mine.sum())
    table_["shd_standard"][mine] = table_["shd_standard"][pc] + shift + 0.2 * noise
    table_["method"][mine] = "miic"
    miic = Method("miic", "MIIC", "direct")
    return inputs.with_metrics(table_, methods=[*inputs.methods, miic])


def test_miic_is_left_out_of_both_sides_and_what_that_changes_is_said():
    inputs = made.inputs(networks=8, jitter=0.2)
    plain = with_miic(inputs, 30.0)
    assert study.miic_answer(plain).startswith("MIIC, which cuts each pair of variables by itself, has no part in this")
    assert study.miic_answer(plain).count("nothing changes") == 2
    best = with_miic(inputs, -8.0)  # better than all others but equal widths on codes
    assert "surely worse on linear" in study.discretize_answer(best)
    assert "counted as with levels, linear is surely better" in study.miic_answer(best)
    losses = losses_of(best)
    found = {counted: list(decisions.discretize_or_not(losses, counted)) for counted in study.READINGS}
    for counted, each in found.items():
        cut, uncut = (losses.methods[each[1].cut].name, losses.methods[each[1].uncut].name)  # on linear equations
        assert (cut == "miic") == (counted == decisions.CUT)
        assert (uncut == "miic") == (counted == decisions.UNCUT)
    shown = table(best, "table_discretize")
    cell = shown["linear", "MIIC counted as with levels"]
    gain = found[decisions.CUT][1].gain[0]
    assert (cell.reproduced, cell.low) == (gain.value, gain.interval(comparisons=2)[0])
    assert study.miic_answer(inputs) is None


def test_a_row_that_recovers_no_more_than_the_empty_graph_is_told():
    inputs = made.inputs(networks=8, jitter=0.5)
    useless = [kind for kind in decisions.kinds_of(losses_of(inputs)) if not kind.recovers]
    assert useless == []
    assert "surely below it on 4 of 4 kinds (not" in study.taken_answer(inputs)
    worse = inputs.metrics | {"shd_standard": inputs.metrics["shd_standard"] + 12 * (inputs.metrics["n"] == 100)}
    said = study.taken_answer(inputs.with_metrics(worse))
    assert "surely below it on 2 of 4 kinds; the others are of " in said


def test_the_row_with_the_highest_held_out_likelihood_is_a_strategy():
    inputs = made.inputs(networks=6, jitter=2.0)  # splines judge by SHD alone
    found = decisions.regrets(losses_of(inputs))
    assert decisions.judged("tables") not in found.loss
    assert found.loss[decisions.judged("splines")] == pytest.approx(found.best)
    upside_down = inputs.metrics | {"held_out_splines": -inputs.metrics["held_out_splines"]}
    losses = losses_of(inputs.with_metrics(upside_down))
    worst = decisions.regrets(losses).loss[decisions.judged("splines")]
    assert worst == pytest.approx(losses.values.max(0).mean(0))


@pytest.mark.parametrize("jitter", [4.0, 8.0, 12.0, 16.0, 24.0])
def test_what_is_surely_better_is_so_for_all_kinds_of_data_together(jitter):
    inputs = made.inputs(networks=7, jitter=jitter)
    found = list(decisions.discretize_or_not(losses_of(inputs)))
    sure = study.discretize_answer(inputs).partition("The numbers")[0].partition("not told apart")[0]
    for each in found:
        low, high = each.gain[0].interval(comparisons=len(found))
        assert (each.mechanism in sure) == (low > 0 or high < 0)
