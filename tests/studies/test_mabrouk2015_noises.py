"""The noise of the paper is told apart from those that a user adds."""

import numpy as np
import pytest
from synthetic_mabrouk import METHODS, Maker, inputs

from cutpoint.bench.engine.show import claims_of, figures_of, tables_of
from cutpoint.bench.report.claims import judge, to_csv
from cutpoint.bench.report.writers import WRITERS

TABLES, FIGURES, CLAIMS = tables_of("mabrouk2015"), figures_of("mabrouk2015"), claims_of("mabrouk2015")

WRONG = {"tpr_mabrouk2015": 0.1, "f1_pattern": 0.1, "threshold_error": 9.0, "seconds": 0.2, "sampled": 0.3}


def spoilt(row):
    changed = {key: row[key] * factor for key, factor in WRONG.items() if key in row and row["method"] == "mgcd"}
    return {**row, **changed, "noise": "mine", "cell": row["cell"].rsplit("-", 1)[0] + "-mine"}


def maker():
    return Maker(3, 0.1).all(3)


@pytest.fixture(scope="module")
def paper():
    return inputs(maker())


@pytest.fixture(scope="module")
def mixed():
    made = maker()
    made.rows += [spoilt(row) for row in made.rows]
    made.answers += [spoilt(row) for row in made.answers]
    return inputs(made)


@pytest.mark.parametrize("name", [name for name in TABLES if name != "table_sensitivity"])
def test_a_noise_of_the_user_changes_no_number_of_the_paper(name, paper, mixed):
    assert WRITERS["csv"](TABLES[name](mixed)) == WRITERS["csv"](TABLES[name](paper))


def test_a_noise_of_the_user_changes_no_verdict(paper, mixed):
    texts = [to_csv("x", [judge(k, c, made) for k, c in CLAIMS.items()], paper.scale) for made in (paper, mixed)]
    assert texts[0] == texts[1]


def test_sensitivity_has_rows_for_every_noise(paper, mixed):
    known, found = (TABLES["table_sensitivity"](made).rows for made in (paper, mixed))
    for row, other in zip(found, known, strict=False):
        assert row.key == other.key
        ends = ([(c.reproduced, c.low, c.high) for c in each.cells] for each in (row, other))
        np.testing.assert_allclose(*(np.array(list(each), float) for each in ends), rtol=1e-9)
    assert [(row.key, row.label) for row in found[len(known) :]] == [
        (f"mine_5000_{m.name}", f"mine, N = 5000: {m.label}") for m in METHODS
    ]
    assert all(cell.reproduced is not None for row in found for cell in row.cells)
    assert {row.category for row in found} == {""}


def test_without_the_noise_of_the_paper_all_others_count():
    made = Maker(3, 0.1).random(2, (1000,), noises=("mine", "other"))
    alone = inputs(made)
    (row,) = [row for row in TABLES["table_rates"](alone).rows if row.key == "mgcd"]
    assert (row.cells[0].runs, row.cells[0].expected) == (4, 4)
