"""Decisions, regret and tiers of field2026 on runs whose best rows are known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import synthetic_field as made
from cutpoint.bench.studies.field2026 import advice, study
from cutpoint.bench.studies.field2026.experiments import sampled, tiers
from cutpoint.bench.studies.field2026.losses import by_network, losses_of, without_network

from cutpoint.bench.data.metrics import possible
from cutpoint.bench.engine.claims import inequalities
from cutpoint.bench.engine.inputs import Data, Method
from cutpoint.bench.engine.numbers import grouped, statistic
from cutpoint.bench.engine.show import claims_of, figures_of, tables_of
from cutpoint.bench.report.claims import judge
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.statistics.verdicts import SUPPORTED
from cutpoint.plots import style


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


def test_of_too_few_networks_nothing_is_said():
    inputs = made.inputs(networks=2)
    assert not table(inputs, "table_advice")
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
                if strategy == advice.ADVISED:
                    guess = slow_call(losses, m, s, k, others)
                    are = [true for (true, _, _), called in calls.items() if called == guess]
                    weights = {true: are.count(true) / len(are) for true in kinds} if are else {guess: 1.0}
                expected = sum(share * losses.values[:, true] for true, share in weights.items())  # [M, sizes, K]
                if strategy == advice.ONE:
                    row = losses.values[:, :, :, others].mean((1, 2, 3)).argmin()
                else:
                    row = expected[:, s, others].mean(-1).argmin()
                each.append(losses.values[row, m, s, k] - losses.values[:, m, s, k].min())
        found.append(np.mean(each))
    return found


@pytest.mark.parametrize("strategy", [advice.ADVISED, advice.KNOWN, advice.ONE])
@pytest.mark.parametrize("spread", [0.01, 0.2])  # of a feature whose means are 0.1 apart
def test_regret_is_that_of_a_network_that_took_no_part(strategy, spread):
    inputs = made.inputs(networks=7, jitter=3.0, variables=lambda k: 10 if k < 4 else 20)
    middle = np.where(inputs.metrics["noise"] == "linear", 1.0, 0.9)
    noise = (inputs.metrics["normality"] - middle) * spread / 0.01
    losses = losses_of(inputs.with_metrics(inputs.metrics.assign(normality=middle + noise)))
    expected = np.mean(slow_regret(losses, strategy))
    found = advice.regrets(losses)
    assert found.regret(strategy).value == pytest.approx(expected)
    moved = [np.mean(slow_regret(without_network(losses, k), strategy)) - expected for k in range(7)]
    assert found.regret(strategy).error == pytest.approx(np.sqrt(6 / 7 * np.sum(np.square(moved))))


def test_the_advice_costs_less_than_always_doing_the_same():
    found = advice.regrets(losses_of(made.inputs()))
    rules = [float(found.regret(name).value) for name in advice.RULES]
    assert float(found.regret(advice.ADVISED).value) < min(rules)
    assert found.accuracy == 1


def test_claims_are_judged_on_networks():
    claims = claims_of("field2026")
    verdict = judge("V1", claims["V1"], made.inputs(jitter=0.2))
    by_words = {
        part.text: found for part, found in zip(verdict.judgement.statements, verdict.judgement.verdicts, strict=True)
    }
    assert by_words["Three levels: equal frequencies have a higher SHD than equal widths"] == SUPPORTED
    assert by_words["Three levels: equal frequencies have a higher SHD than k-means"] != SUPPORTED  # it was not run


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


@pytest.mark.parametrize("metric", ["shd_standard", "held_out_splines", "f1_pattern"])
def test_intervals_end_where_a_measure_does(metric):
    inputs = made.inputs(networks=4, jitter=0.5)
    wide = np.random.default_rng(2).choice([0.0, 1.0], len(inputs.metrics["n"]))
    runs = by_network(inputs.with_metrics(inputs.metrics.assign(**{metric: wide})))
    columns = grouped(runs, "factorial", ("noise", "n"), metric, ("n",)).values()
    low, high = np.concatenate([statistic(each.rows).estimate().interval() for each in columns], 1)
    shown = [np.concatenate([each.spread[end].dropna() for each in columns]) for end in ("low", "high")]
    assert (low < 0).any()
    assert (high > 1).any()
    for ends, free in zip(shown, (low, high), strict=True):
        np.testing.assert_array_equal(ends, np.clip(free[np.isfinite(free)], *possible(metric)))
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


def test_the_row_with_the_highest_held_out_likelihood_is_a_strategy():
    inputs = made.inputs(networks=6, jitter=2.0)  # splines judge by SHD alone
    found = advice.regrets(losses_of(inputs))
    assert advice.by_likelihood("tables") not in found.names
    assert found.regret(advice.by_likelihood("splines")).value == pytest.approx(0)
    upside_down = inputs.metrics.assign(held_out_splines=-inputs.metrics["held_out_splines"])
    losses = losses_of(inputs.with_metrics(upside_down))
    worst = advice.regrets(losses).regret(advice.by_likelihood("splines"))
    assert worst.value == pytest.approx((losses.values.max(0) - losses.values.min(0)).mean())


def test_rows_on_additive_equations_have_a_table_of_their_own():
    inputs = made.inputs(networks=4)
    metrics = {name: column.copy() for name, column in inputs.metrics.items()}
    metrics["grid"][metrics["method"] == "pc_fisherz"] = "additive"
    found = study.additive_of(inputs.with_metrics(metrics))
    assert [method.name for method in found.methods] == ["pc_fisherz"]


def with_tiers(counts, lost=()):
    """Return inputs with edges, arcs and arcs that break tiers, by method and data set, in two samples each."""
    rows = [
        {"method": method, "dataset": dataset, "sample": sample, "status": "ok", "message": ""}
        | dict(zip(("edges", "arcs", "breaks"), numbers, strict=True))
        for (method, dataset), numbers in counts.items()
        for sample in (0, 1)
    ]
    nothing = dict.fromkeys(("sample", "edges", "arcs", "breaks"))
    rows += [
        {"method": "pc_fisherz", "dataset": name, "status": "unavailable", "message": "", **nothing} for name in lost
    ]
    return replace(made.inputs(networks=3), experiments={"tiers": rows})


def test_tiers_are_compared_with_a_coin_over_data_sets():
    counts = {("pc_fisherz", "cars1"): (8, 8, 2), ("pc_fisherz", "abalone"): (8, 4, 2), ("bach", "cars1"): (4, 0, 0)}
    inputs = with_tiers(counts, lost=["yacht"])
    cells = table(inputs, "table_tiers")
    coin = cells["pc_fisherz", "Broken, a coin for the rest"]
    assert coin.reproduced == pytest.approx((2 / 8 + 4 / 8) / 2)
    assert 0 <= coin.low < coin.reproduced < coin.high <= 1
    assert cells["pc_fisherz", "Broken"].reproduced == pytest.approx((2 / 8 + 2 / 4) / 2)
    assert cells["pc_fisherz", "Without direction"].reproduced == pytest.approx(1 / 4)
    assert cells["bach", "Broken"].reason == "no such arcs"
    assert cells["bach", "Broken, a coin for the rest"].reproduced == 0.5
    assert study.tiers_failed(inputs) == ["Not available: yacht; config key mirror names a folder with the files."]
    abalone, cars = study.tiers_of_data(inputs)
    assert abalone.startswith("Tiers of abalone: sex, rings (rings count the years of life")
    assert cars.startswith("Tiers of cars1: ")


def yacht(n=120):
    rng = np.random.default_rng(0)
    froude = rng.normal(size=n)
    columns = {"froude": froude, "res-resist": froude**3 + 0.1 * rng.normal(size=n)}
    columns |= {name: rng.normal(size=n) for name in ("cent-boy", "prismatic", "len-disp", "beam-draught", "len-beam")}
    return Data("yacht", [*columns], np.column_stack([*columns.values()]), np.zeros(len(columns), bool))


def test_the_experiment_counts_arcs_in_samples_of_the_data_and_names_what_is_not_available():
    lost = Data("wine", (), np.empty((0, 0)), np.empty(0, bool), status="unavailable", message="no such host")
    about = {"datasets": ["yacht", "wine"], "methods": ["eqfreq3"], "samples": 2, "records": 100}
    rows = tiers(1, {"yacht": yacht(), "wine": lost}, Limits(60.0, 2000.0), **about)
    assert [(row["sample"], row["status"]) for row in rows] == [(0, "ok"), (1, "ok"), (None, "unavailable")]
    assert rows[2]["message"] == "no such host"
    assert all(1 <= row["edges"] >= row["arcs"] >= row["breaks"] for row in rows[:2])
    assert rows == tiers(1, {"yacht": yacht(), "wine": lost}, Limits(60.0, 2000.0), **about)


def test_samples_are_different_records_with_columns_in_another_order():
    whole = yacht()
    one, two = (sampled(whole, 100, np.random.default_rng(seed)) for seed in (0, 1))
    assert one.values.shape == (100, 7)
    assert list(one.variables) != list(two.variables)
    places = [list(one.variables).index(name) for name in whole.variables]
    assert {tuple(row) for row in one.values[:, places]} <= {tuple(row) for row in whole.values}
    assert len(sampled(whole, 1000, np.random.default_rng(0)).values) == 108


def test_each_data_type_has_its_method():
    cells = table(made.inputs(jitter=0.0), "table_advice")
    assert cells["linear_100", "Use"].reproduced == "PC"
    assert cells["codes_1000", "Use"].reproduced.startswith("equal_width 3")
    assert cells["codes_1000", "Use"].reproduced == cells["codes_1000", "With bins"].reproduced
    worse = cells["codes_1000", "Rule of thumb"].reproduced - cells["codes_1000", "SHD / true edges"].reproduced
    assert worse == pytest.approx(8 / made.EDGES)


def test_numbers_of_the_advice_are_paired_means_over_networks():
    losses = losses_of(made.inputs(networks=7, jitter=3.0))
    direct = losses.row("pc_fisherz")
    binned = [i for i in range(len(losses.methods)) if i != direct]
    for kind in advice.kinds_of(losses):
        m, s = losses.mechanisms.index(kind.data_type), losses.sizes.index(kind.n)
        values = losses.values[:, m, s]
        best = min(binned, key=lambda i: values[i].mean())
        gain = values[best] - values[direct]
        assert (kind.binned, kind.best) == (best, values.mean(1).argmin())
        assert kind.difference.value == pytest.approx(gain.mean())
        assert kind.difference.error == pytest.approx(gain.std(ddof=1) / np.sqrt(7))


def test_of_methods_that_are_all_alike_few_are_called_better_or_worse(rng):
    losses = losses_of(made.inputs(networks=8))
    called = 0
    for _ in range(60):  # 5 % of them are 3
        values = rng.normal(1, 0.1, (40, 2, 2, 10)) + 0.1 * rng.normal(size=(1, 2, 2, 10))
        methods = [Method(f"m{i}", f"M{i}", "direct" if i < 4 else "integrated") for i in range(40)]
        alike = replace(losses, methods=tuple(methods), values=values, networks=tuple("abcdefghij"))
        ends = [kind.difference.interval(comparisons=4) for kind in advice.kinds_of(alike)]
        called += any(low > 0 or high < 0 for low, high in ends)
    assert called <= 6


def test_losses_are_averaged_over_what_predicted_types_may_be():
    predicted = np.array([[[0, 0, 1]], [[1, 1, 1]], [[0, 1, 1]]])  # of three types, one size, three networks
    shares = advice.confusion(predicted)
    assert shares[0].tolist() == pytest.approx([2 / 3, 0, 1 / 3])
    assert shares[1].tolist() == pytest.approx([1 / 6, 1 / 2, 1 / 3])
    assert shares[2].tolist() == [0, 0, 1]  # never predicted
    values = losses_of(made.inputs(networks=4)).values
    mixed = advice.expected(values, np.array([[1.0, 0.0], [0.25, 0.75]]))
    assert mixed[:, 0] == pytest.approx(values[:, 0])
    assert mixed[:, 1] == pytest.approx(values[:, 0] / 4 + 3 * values[:, 1] / 4)


def test_references_are_shown_and_neither_advised_nor_compared():
    inputs, best = made.inputs(), made.CROSSED["equal_width", "bdeu", "tabu"]
    runs = inputs.metrics[(inputs.metrics["method"] == best) & (inputs.metrics["noise"] == "codes")]
    known = runs.assign(method="true_codes", shd_standard=1.0)
    shown = [*inputs.methods, Method("true_codes", "True codes", "reference")]
    with_it = inputs.with_metrics(pd.concat([inputs.metrics, known], ignore_index=True), methods=shown)
    assert losses_of(with_it).methods == losses_of(inputs).methods
    before, after = table(inputs, "table_rows"), table(with_it, "table_rows")
    assert all(after[key].best == cell.best for key, cell in before.items())
    loss = {column: after["true_codes", f"SHD per true edge, {column}"] for column in ("codes", "linear")}
    assert loss["codes"].reproduced == 1 / made.EDGES
    assert not loss["codes"].best
    assert np.isnan(loss["linear"].reproduced)
    assert table(with_it, "table_advice").keys() == table(inputs, "table_advice").keys()
    assert "True codes" in style.described(figures_of("field2026")["figure_loss"](with_it))
