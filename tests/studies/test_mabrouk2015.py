"""Tables and figures of the Mabrouk study against numbers computed from the rows alone."""

import numpy as np
import pytest
from synthetic_mabrouk import METHODS, PREDICTION_SIZES, SHARES, SIZES, Maker, inputs, levels_given

from cutpoint.base.errors import InputError
from cutpoint.bench.data import schemas
from cutpoint.bench.data.parquet import write_records
from cutpoint.bench.engine.declaration import printed_files
from cutpoint.bench.engine.inputs import Method, grid
from cutpoint.bench.engine.numbers import inputs_of
from cutpoint.bench.engine.reading import read_inputs
from cutpoint.bench.engine.show import figures_of, tables_of
from cutpoint.bench.report.writers import WRITERS

TABLES, FIGURES = tables_of("mabrouk2015"), figures_of("mabrouk2015")
NAMES = [m.name for m in METHODS]
USER = [*METHODS, Method("mine", "Mine", "other"), Method("second", "Second", "direct")]


@pytest.fixture(scope="module")
def exact():
    return inputs(Maker().all(2))


@pytest.fixture(scope="module")
def made():
    maker = Maker(3, 0.1).all(5)
    # An empty learned graph has no rates although the run went well.
    empty = [r for r in maker.rows if r["grid"] == "structure" and r["method"] == "ruichu" and r["n"] == 1000][:2]
    for row in empty:
        row.update(tpr_mabrouk2015=None, fpr_mabrouk2015=None, fpr_standard=0.0)
    return maker, inputs(maker)


def cell(table, key, column):
    (row,) = [r for r in table.rows if r.key == key]
    return row.cells[table.columns.index(column)]


def values(rows, metric, **which):
    found = [r[metric] for r in rows if all(r[k] == v for k, v in which.items())]
    return [v for v in found if v is not None]


@pytest.mark.parametrize("metric", ["tpr_mabrouk2015", "fpr_standard", "tpr_skeleton"])
def test_rates_are_means_over_the_networks_that_have_them(made, metric):
    maker, made = made
    table, (kind, name) = TABLES["table_rates"](made), metric.split("_")
    name = {"mabrouk2015": "as in the paper"}.get(name, name) + " (extra / absent)" * (kind == "fpr")
    means = {m: [] for m in NAMES}
    for n in SIZES:
        for m in NAMES:
            want = values(maker.rows, metric, grid="structure", method=m, n=n)
            found = cell(table, m, f"{kind.upper()} {name}, N = {n}")
            assert found.reproduced == pytest.approx(np.mean(want))
            assert (found.runs, found.expected) == (len(want), 5)
            assert found.low < found.reproduced < found.high
            means[m].append(np.mean(want))
    for m in NAMES:
        found = cell(table, m, f"{kind.upper()} {name}, mean over N")
        assert found.reproduced == pytest.approx(np.mean(means[m]))


def test_printed_ratios_of_time_come_back(exact):
    table = TABLES["table_1"](exact)
    compared = [c for row in table.rows for c in row.cells if c.published is not None]
    assert len(compared) == 8
    assert all(c.reproduced == pytest.approx(c.published) for c in compared)
    assert [row.key for row in table.rows] == ["ruichu", "friedman_tabu"]
    assert cell(table, "ruichu", "N = 2000").published is None


def test_ratios_of_time_are_ratios_of_means(made):
    maker, made = made
    by = {m: np.mean(values(maker.rows, "seconds", grid="structure", method=m, n=5000)) for m in NAMES}
    found = cell(TABLES["table_1"](made), "friedman_tabu", "N = 5000")
    assert found.reproduced == pytest.approx(by["friedman_tabu"] / by["mgcd"])


def test_printed_accuracies_come_back(exact):
    compared = [c for row in TABLES["table_2"](exact).rows for c in row.cells]
    assert len(compared) == 72
    assert all(c.reproduced == pytest.approx(c.published) for c in compared)


@pytest.mark.parametrize("kind", ["sampled", "expected", "argmax"])
def test_accuracies_are_means_over_targets_then_replicates(made, kind):
    maker, made = made
    table = TABLES["table_2" + (f"_{kind}" if kind != "sampled" else "")](made)
    for w in ("child", "sachs"):
        for n in PREDICTION_SIZES[:2]:
            for s in SHARES:
                column = f"{w.capitalize()}, {100 * s:.0f} %, N = {n}"
                for m in NAMES:
                    which = {"network": w, "n": n, "share": s, "method": m}
                    each = [np.mean(values(maker.answers, kind, replicate=r, **which)) for r in range(5)]
                    assert cell(table, m, column).reproduced == pytest.approx(100 * np.mean(each))
                if kind != "sampled":
                    top = 100 * np.mean(values(maker.answers, f"ceiling_{kind}", network=w, n=n, share=s))
                    assert cell(table, "true_network", column).reproduced == pytest.approx(top)
    assert (table.rows[-1].key == "true_network") == (kind != "sampled")


def test_a_target_that_fails_takes_its_data_set_out():
    maker = Maker(2, 0.05).prediction(3, (1000,))
    lost = {"network": "child", "method": "ruichu", "target": "B", "replicate": 1, "share": 0.3}
    maker.fail(lambda r: all(r.get(k) == v for k, v in lost.items()), "error", "no such level")
    found = cell(TABLES["table_2"](inputs(maker)), "ruichu", "Child, 30 %, N = 1000")
    which = {"network": "child", "method": "ruichu", "share": 0.3}
    rest = [np.mean(values(maker.answers, "sampled", replicate=r, **which)) for r in (0, 2)]
    assert found.reproduced == pytest.approx(100 * np.mean(rest))
    assert (found.runs, found.expected) == (2, 3)
    ceilings = cell(TABLES["table_2_expected"](inputs(maker)), "true_network", "Child, 30 %, N = 1000")
    assert (ceilings.runs, ceilings.expected) == (3, 3)


def test_gaps_by_hand(made):
    maker, made = made
    table = TABLES["table_gaps"](made)

    def mean(metric, m, n):
        return np.mean(values(maker.rows, metric, grid="structure", method=m, n=n))

    tpr = [[mean("tpr_mabrouk2015", m, n) for n in SIZES] for m in ("mgcd", "ruichu")]
    fpr = [[mean("fpr_mabrouk2015", m, n) for n in SIZES] for m in ("mgcd", "friedman_tabu")]
    assert cell(table, "tpr_ruichu", "N = 2000").reproduced == pytest.approx(100 * (tpr[0][1] / tpr[1][1] - 1))
    gain = cell(table, "tpr_ruichu", "Mean over N")
    assert gain.reproduced == pytest.approx(100 * (np.mean(tpr[0]) / np.mean(tpr[1]) - 1))
    assert gain.published == "about 10"
    less = cell(table, "fpr_friedman_tabu", "Mean over N")
    assert less.reproduced == pytest.approx(100 * (1 - np.mean(fpr[0]) / np.mean(fpr[1])))
    assert less.published == "20 to 40"
    assert cell(table, "time_ruichu", "N = 1000").published == pytest.approx(0.8872389)
    assert "(printed 20 to 40)" in WRITERS["md"](table)


def test_sensitivity_takes_the_printed_setting_from_the_structure_grid(made):
    maker, made = made
    table = TABLES["table_sensitivity"](made)
    assert [row.key for row in table.rows[:4]] == [*(f"narrow_5000_{m}" for m in NAMES), "truncated_5000_mgcd"]
    for noise in ("narrow", "truncated", "wide"):
        want = values(maker.rows, "threshold_error", noise=noise, method="mgcd", n=5000)
        assert cell(table, f"{noise}_5000_mgcd", "Threshold error").reproduced == pytest.approx(np.mean(want))
    alone = TABLES["table_sensitivity"](inputs(Maker().random(2)))
    assert cell(alone, "wide_5000_mgcd", "TPR").reason == "no runs at this scale"
    assert cell(alone, "truncated_5000_mgcd", "TPR").reproduced == pytest.approx(0.5 * (1 + 0.1 * np.log10(5)))


def test_cost_by_the_number_of_variables(made):
    maker, made = made
    table = TABLES["table_cost"](made)
    counts = {r: len(made.networks[f"random-{r}"].variables) for r in range(5)}
    for least in {10 + 7 * ((count - 10) // 7) for count in counts.values()}:
        mine = [r for r, count in counts.items() if least <= count < least + 7]
        rows = [r for r in maker.rows if r["grid"] == "structure" and r["replicate"] in mine]
        want = np.mean(values(rows, "seconds", method="mgcd"))
        assert cell(table, "mgcd", f"{least} to {least + 6} variables").reproduced == pytest.approx(want)
    assert len({c for c in table.columns if c.endswith(" variables")}) > 1


def test_ranks_go_over_data_sets(made):
    maker, made = made
    table = TABLES["table_ranks"](made)
    ranks = {m: [] for m in NAMES}
    for n in SIZES:
        for r in range(5):
            row = {x["method"]: x["f1_pattern"] for x in maker.rows
                   if (x["grid"], x["n"], x["replicate"]) == ("structure", n, r)}  # fmt: skip
            for place, m in enumerate(sorted(row, key=row.get, reverse=True), 1):
                ranks[m].append(place)
    for m in NAMES:
        assert cell(table, m, "F1 of the pattern, random networks").reproduced == pytest.approx(np.mean(ranks[m]))
    assert "F1 of the pattern, random networks: 25 blocks" in WRITERS["md"](table)
    assert "Expected accuracy, whole blanket: 40 blocks" in WRITERS["md"](table)


def test_agreement_of_what_is_printed_is_perfect(exact):
    table = TABLES["table_agreement"](exact)
    assert [row.cells[1].reproduced for row in table.rows] == [8, *[12] * 6]
    assert all(row.cells[0].reproduced == pytest.approx(1) for row in table.rows)


def test_inputs_come_from_files(made, tmp_path):
    maker, made = made

    def write(name, rows, schema):
        whole = [f.name for f in schema if f.type in ("int64", "int32")]
        known = [{k: v for k, v in row.items() if k in schema.names and v == v} for row in rows]
        known = [{k: round(v) if k in whole and v is not None else v for k, v in row.items()} for row in known]
        write_records(tmp_path / name, known, schema)
        return tmp_path / name

    metrics = write("metrics.parquet", maker.rows, schemas.METRICS)
    predictions = write("predictions.parquet", maker.answers, schemas.PREDICTIONS)
    about = {"published": printed_files("mabrouk2015"), "scale": "published", "seed": 1}
    about["built_in_jobs"] = []
    about["methods"] = [{"name": m.name, "label": m.label, "category": m.category} for m in METHODS]
    for given in (predictions, [predictions]):
        read = read_inputs("mabrouk2015", metrics=metrics, predictions=given, **about)
        for name in ("table_2", "table_2_argmax", "table_gaps"):
            assert WRITERS["csv"](TABLES[name](read)) == WRITERS["csv"](TABLES[name](made))
    assert read_inputs("mabrouk2015", metrics=metrics, predictions=[], **about).predictions == {}
    with pytest.raises(InputError, match="column 'target' is missing"):
        read_inputs("mabrouk2015", metrics=metrics, predictions=metrics, **about)


CASES = {
    "structure": lambda: inputs(Maker(1, 0.1).random(1, (200,)), scale="tiny"),
    "prediction": lambda: inputs(Maker(1, 0.1).prediction(2, (1000,)), networks=()),
    "no reference": lambda: inputs(Maker(1, 0.1).quick().fail(lambda r: r["method"] == "mgcd"), scale="quick"),
    "reference unknown": lambda: inputs(Maker(1, 0.1).quick(), methods=METHODS[1:], scale="quick"),
    "users": lambda: inputs(Maker(1, 0.1).quick().copy("ruichu", "mine"), methods=USER, scale="quick"),
}
# The first two need no runs, and drawing takes longest.
DRAWN = [name for name in FIGURES if name not in ("figure_1", "figure_2")]


@pytest.mark.slow  # it draws every figure of each case
@pytest.mark.parametrize("case", CASES)
def test_every_artefact_is_made_whatever_is_missing(case):
    made = CASES[case]()
    assert all(WRITERS["md"](make(made)) for make in TABLES.values())
    assert all(FIGURES[name](made) for name in DRAWN)


def test_what_is_missing_is_said_beside_print():
    unknown = TABLES["table_gaps"](CASES["reference unknown"]())
    assert cell(unknown, "tpr_ruichu", "N = 1000").reason == "no reference: not among the methods"


def test_all_shares_of_a_data_set_are_left_out_together(exact):
    found = grid(inputs_of(exact, "predicted"), "prediction", "network", "n", "noise", "share")
    assert len(found.cells) == 2 * len(PREDICTION_SIZES) * len(SHARES)
    for one, block in zip(found.cells, found.blocks, strict=True):
        assert found.blocks[next(k for k, other in enumerate(found.cells) if other[:2] == one[:2])] == block


def test_rates_of_the_experiment_stay_within_0_and_1_and_methods_have_their_names():
    rows = levels_given(3)
    for row in rows:
        if row["tpr_mabrouk2015"] is not None:
            row["tpr_mabrouk2015"] = 1.0 - 0.1 * (row["sample"] == 0)  # whose interval would go beyond 1
    table = TABLES["table_levels_given"](inputs(Maker(), experiments={"levels_given": rows}))
    cells = [c for r in table.rows for c, head in zip(r.cells, table.columns, strict=True) if head.startswith("TPR")]
    assert max(c.high for c in cells if c.high is not None) == 1.0
    assert {"MGCD", "Ruichu, levels given"} <= {row.label for row in table.rows}
