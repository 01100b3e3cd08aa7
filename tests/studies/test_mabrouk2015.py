"""Tables and figures of the Mabrouk study against numbers computed from the rows alone."""

import numpy as np
import pytest
from synthetic_mabrouk import METHODS, PREDICTION_SIZES, SHARES, SIZES, Maker, inputs

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


@pytest.mark.parametrize("metric", ["tpr_mabrouk2015", "fpr_standard"])
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


@pytest.mark.parametrize("kind", ["sampled", "argmax"])
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
    ceilings = cell(TABLES["table_2_argmax"](inputs(maker)), "true_network", "Child, 30 %, N = 1000")
    assert (ceilings.runs, ceilings.expected) == (3, 3)


def test_sensitivity_is_by_the_noise_of_its_grid(made):
    maker, made = made
    table = TABLES["table_sensitivity"](made)
    for noise in ("narrow", "wide"):
        want = values(maker.rows, "shd_standard", noise=noise, method="mgcd", n=5000)
        assert cell(table, "mgcd", f"SHD, {noise}").reproduced == pytest.approx(np.mean(want))
    assert "sensitivity grid" in TABLES["table_sensitivity"](inputs(Maker().random(2))).missing


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
        for name in ("table_1", "table_2", "table_2_argmax"):
            assert WRITERS["csv"](TABLES[name](read)) == WRITERS["csv"](TABLES[name](made))
    assert read_inputs("mabrouk2015", metrics=metrics, predictions=[], **about).predictions.empty
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


def test_all_shares_of_a_data_set_are_left_out_together(exact):
    found = grid(inputs_of(exact, "predicted"), "prediction", "network", "n", "noise", "share")
    assert len(found.cells) == 2 * len(PREDICTION_SIZES) * len(SHARES)
    for one, block in zip(found.cells, found.blocks, strict=True):
        assert found.blocks[next(k for k, other in enumerate(found.cells) if other[:2] == one[:2])] == block
