"""Differences, claims and the figure of the study of missing cells on runs whose costs are known."""

import numpy as np
import pytest
import synthetic_missing as synthetic

from cutpoint.bench.engine.numbers import number
from cutpoint.bench.engine.tables import make_table


def shd(inputs, name, method):
    rows = inputs.metrics
    return rows["shd_standard"][(rows["noise"] == name) & (rows["method"] == method)].to_numpy()


def cells(inputs, name):
    table = make_table(inputs, name)
    return {(row.key, head): cell for row in table.rows for head, cell in zip(table.columns, row.cells, strict=True)}


def test_differences_are_paired_by_network():
    inputs = synthetic.inputs()
    cell = cells(inputs, "table_change")["steck3", "MCAR 15 %"]
    each = shd(inputs, "mcar15_impute", "steck3") - shd(inputs, "mcar15_drop", "steck3")
    assert cell.reproduced == pytest.approx(each.mean())
    half = 2.364624 * each.std(ddof=1) / np.sqrt(8)  # Student's t with 7 degrees of freedom
    assert (cell.low, cell.high) == pytest.approx((each.mean() - half, each.mean() + half))


def test_losses_are_against_complete_data():
    inputs = synthetic.inputs()
    column = number(inputs, "loss", "mar30_drop").sample
    expected = [(shd(inputs, "mar30_drop", m.name) - shd(inputs, "complete", m.name)).mean() for m in inputs.methods]
    np.testing.assert_allclose(column, expected)
