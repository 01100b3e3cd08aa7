"""SHD by the order of the columns, against sums written out and against data of which the answer is known."""

import numpy as np
import pytest
import synthetic
from cutpoint.bench.studies.fu2005 import orders
from synthetic import METHODS, Maker

from cutpoint.bench.engine.show import claims_of, figures_of, tables_of
from cutpoint.bench.report.claims import judge
from cutpoint.bench.statistics.verdicts import REPRODUCED


def cells(table):
    """Return the numbers of a table by row and column."""
    return {row.key: dict(zip(table.columns, (c.reproduced for c in row.cells), strict=True)) for row in table.rows}


@pytest.fixture(scope="module")
def made():
    return synthetic.inputs(Maker(4, 0.1).simulated(2).orders(orders=5))


def rows_of(made, **chosen):
    table = made.metrics
    rows = np.logical_and.reduce([table[key] == value for key, value in chosen.items()])
    return table["shd_fu2005"][rows]


def test_the_table_has_means_spreads_and_fixed_orders(made):
    found = cells(tables_of("fu2005")["table_orders"](made))["steck3"]
    draws = {w: rows_of(made, grid="orders", method="steck3", network=w, n=1000) for w in synthetic.NETWORKS}
    assert all(len(x) == 5 for x in draws.values())
    assert found["Mean over random orders, N = 1000"] == pytest.approx(np.mean(list(draws.values())))
    variances = [np.log(x).var(ddof=1) for x in draws.values()]
    assert found["sd of log SHD, N = 1000"] == pytest.approx(np.sqrt(np.mean(variances)))
    ranges = [(max(x) - min(x)) / np.mean(x) for x in draws.values()]
    assert found["Range / mean, N = 1000"] == pytest.approx(np.mean(ranges))
    for name in orders.FIXED:
        first = rows_of(made, grid="fixed_orders", method="steck3", noise=name, n=1000, replicate=0)
        assert found[f"{name.capitalize()}, N = 1000"] == pytest.approx(first.mean())


def test_parts_are_those_of_sums_written_out():
    rng = np.random.default_rng(1)
    shd = np.exp(rng.standard_normal((3, 4, 5)))
    x, found = np.log(shd), orders.parts(shd)
    total = sum((each - x.mean()) ** 2 for each in x.flat)
    within = sum((x[m, w, r] - x[m, w].mean()) ** 2 for m in range(3) for w in range(4) for r in range(5))
    methods = sum(20 * (x[m].mean() - x.mean()) ** 2 for m in range(3))
    networks = sum(15 * (x[:, w].mean() - x.mean()) ** 2 for w in range(4))
    assert found["order"] == pytest.approx(within / total)
    assert found["method"] == pytest.approx(methods / total)
    assert found["network"] == pytest.approx(networks / total)
    assert sum(found[name] for name in orders.PARTS) == pytest.approx(1)


def test_parts_recover_the_variances_that_data_were_made_with():
    rng = np.random.default_rng(2)
    m, w, r = 40, 40, 200
    x = (
        0.3 * rng.standard_normal((m, 1, 1))
        + 0.5 * rng.standard_normal((1, w, 1))
        + 0.2 * rng.standard_normal((m, w, r))
    )
    found = orders.parts(np.exp(x))
    assert found["over orders"] == pytest.approx(0.2, rel=0.01)
    assert found["over methods"] == pytest.approx(x.mean((1, 2)).std(ddof=1), rel=0.01)
    assert found["over the best"] < found["over methods"]
    assert found["order"] == pytest.approx(0.04 / x.var(), rel=0.02)
    assert found["rest"] < 0.002


def test_an_order_that_decides_nothing_has_no_share():
    shd = np.broadcast_to(np.array([[10.0], [20.0]])[:, :, None], (2, 1, 4))
    found = orders.parts(shd)
    assert (found["order"], found["over orders"], found["method"]) == (0, 0, 1)
    assert orders.spread(shd)["range"].tolist() == [0, 0]


def test_a_distance_of_nothing_counts_as_half_an_edge():
    found = orders.spread(np.array([[[0.0, 4.0], [2.0, 2.0]]]))
    assert found["sd"] == pytest.approx(np.sqrt(np.log(8) ** 2 / 4))
    assert found["mean"] == [2]
    assert found["range"] == [1]


def test_shares_are_of_the_methods_of_the_paper(made):
    found = cells(tables_of("fu2005")["table_order_shares"](made))
    assert list(found) == ["n5000", "n1000", "n500"]
    for row in found.values():
        assert sum(row[f"{name.capitalize()}, %"] for name in orders.PARTS) == pytest.approx(100)
        assert row["sd over orders"] == pytest.approx(0.14, abs=0.03)  # two factors of 0.1 each


def test_agreement_is_that_of_each_order(made):
    found = cells(tables_of("fu2005")["table_order_agreement"](made))
    assert list(found) == ["shuffled", *orders.FIXED]
    printed = made.printed("table_V-4_shd")
    shd = {}
    for m in METHODS:
        cells_of = [
            rows_of(made, grid="fixed_orders", method=m.name, noise="reversed", n=500, network=w).mean()
            / rows_of(made, grid="fixed_orders", method="bach", noise="reversed", n=500, network=w).mean()
            for w in synthetic.NETWORKS
        ]
        shd[m.name] = np.mean(cells_of)
    gaps = [abs(shd[m.name] - printed[m.name]["n500"]) for m in METHODS]
    assert found["reversed"]["Mean absolute difference, N = 500"] == pytest.approx(np.mean(gaps))
    assert 0.5 < found["reversed"]["Rank correlation, N = 500"] <= 1


def in_orders(replicates=3, factor=1.6, stated=5):
    """Return runs of print in all orders, in which Steck's method is worse where columns are reversed."""
    maker = Maker(1, 0.002).simulated(stated).orders(orders=2, replicates=replicates)
    for row in maker.rows:
        if row.get("noise") == "reversed" and row["method"].startswith("steck"):
            row["shd_fu2005"] *= factor
    return maker


@pytest.fixture(scope="module")
def ordered():
    return synthetic.inputs(in_orders())


def test_claims_are_judged_in_each_order(ordered):
    table = tables_of("fu2005")["table_order_claims"](ordered)
    assert [row.key for row in table.rows] == ["F1", "F2", "F3", "F4", "F5", "F6", "F10", "F15"]
    found = cells(table)
    maker = in_orders()
    maker.rows = [row | {"grid": "simulated"} for row in maker.rows if row.get("noise") == "reversed"]
    alone = synthetic.inputs(maker)
    for name, row in found.items():
        twin = judge(name, claims_of("fu2005")[name], alone)
        assert row["Reversed"].endswith(twin.judgement.summary.partition(";")[0])
        assert row["Reversed"].startswith(twin.judgement.grade.partition(" ")[0])
    assert found["F3"]["Declared"] == found["F3"]["As stated"] == "reproduced, 5 of 5 hold"
    assert found["F3"]["Reversed"] == "3 of 5 hold"


def test_a_claim_says_where_the_order_changes_its_grade(ordered):
    claims = claims_of("fu2005")
    changed = judge("F3", claims["F3"], ordered)
    assert changed.judgement.grade == REPRODUCED
    assert changed.remark == (
        "By the order of the columns, on the same 3 replicates: random, declared, alphabetical and topological: "
        "reproduced, 5 of 5 hold; reversed: 3 of 5 hold."
    )
    assert changed.note == f"5 of 5 hold. {changed.remark}"
    assert judge("F2", claims["F2"], ordered).remark == ""
    assert judge("F9", claims["F9"], ordered).remark == ""


def test_too_few_replicates_in_other_orders_say_nothing():
    made = synthetic.inputs(in_orders(replicates=2))
    assert cells(tables_of("fu2005")["table_order_claims"](made))["F3"]["Reversed"] == "preview"
    assert judge("F3", claims_of("fu2005")["F3"], made).remark == ""


def test_the_figure_shows_the_orders_of_each_network(made):
    drawn = figures_of("fu2005")["figure_orders"](made)
    assert [axes.get_xlabel() for axes in drawn.axes] == [w.capitalize() for w in synthetic.NETWORKS]
    places = [text.get_text() for text in drawn.axes[0].get_yticklabels()]
    label = {method.name: method.label for method in made.methods}["steck3"]
    for axes, network in zip(drawn.axes, synthetic.NETWORKS, strict=True):
        mine = [line for line in axes.get_lines() if {*line.get_ydata()} == {places.index(label)}]
        random = rows_of(made, grid="orders", method="steck3", network=network, n=5000)
        (bar,) = [line.get_xdata() for line in mine if len(line.get_xdata()) == 2]
        assert bar == pytest.approx([min(random), max(random)])
        shown = {line.get_marker(): line.get_xdata()[0] for line in mine if len(line.get_xdata()) == 1}
        assert shown["s"] == pytest.approx(np.mean(random))
        for mark, order in (("<", "topological"), (">", "reversed")):
            (fixed,) = rows_of(
                made, grid="fixed_orders", method="steck3", network=network, n=5000, noise=order, replicate=0
            )
            assert shown[mark] == fixed


def test_without_runs_there_is_nothing_to_show():
    made = synthetic.inputs(Maker(1, 0.1).simulated(1, sizes=(500,)))
    for name in ("table_orders", "table_order_shares", "table_order_agreement", "table_order_claims"):
        assert "orders grid" in tables_of("fu2005")[name](made).missing
