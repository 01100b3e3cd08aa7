"""The tables of differences and of the stability of ranks, from runs whose differences are known."""

import numpy as np
import pytest
import synthetic_mabrouk
from synthetic import METHODS, Maker, inputs

from cutpoint.bench.engine import contests
from cutpoint.bench.engine.contests import declared_contest
from cutpoint.bench.engine.tables import make_table

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
