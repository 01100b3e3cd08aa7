"""The studies of growing costs and of missing cells: exponents and differences that are known beforehand."""

import numpy as np
import pytest
import synthetic_missing as synthetic
from cutpoint.bench.studies.growth.powers import power_law
from hypothesis import given
from hypothesis import strategies as st
from synthetic import cells, cells_of
from synthetic_growth import LAWS, OPTIMUM, inputs

from cutpoint.bench.engine.numbers import number
from cutpoint.bench.engine.tables import make_table


@given(st.floats(-1, 4), st.floats(1e-6, 1e3), st.floats(1, 1e4), st.integers(2, 7))
def test_a_power_law_is_found(exponent, scale, reference, count):
    sizes = reference * 2.0 ** np.arange(count)
    law = power_law(sizes, scale * (sizes / reference) ** exponent, reference)
    assert law.exponent == pytest.approx(exponent, abs=1e-9)
    assert law.scale == pytest.approx(scale)
    assert law.deviation == pytest.approx(0, abs=1e-6)


def test_a_power_law_of_noisy_values_is_the_line_of_least_squares(rng):
    sizes, values = np.array([1.0, 2, 4, 8, 16]), rng.exponential(size=(3, 5))
    values[1, 2] = np.nan
    law = power_law(sizes, values, 2.0)
    for k in range(3):
        good = np.isfinite(values[k])
        slope, intercept = np.polyfit(np.log(sizes[good] / 2), np.log(values[k, good]), 1)
        assert law.exponent[k] == pytest.approx(slope)
        assert law.scale[k] == pytest.approx(np.exp(intercept))
        line = np.exp(intercept) * (sizes[good] / 2) ** slope
        ratios = np.maximum(values[k, good] / line, line / values[k, good])
        assert law.deviation[k] == pytest.approx(ratios.max() - 1)


def test_one_point_has_no_exponent():
    assert np.isnan(power_law(np.array([1.0, 2.0]), np.array([3.0, np.nan]), 1.0).exponent)


def test_exponents_come_back():
    table = make_table(inputs(), "table_exponents")
    for method, (records, variables, start) in LAWS.items():
        if method not in ("quick", OPTIMUM):
            row = cells(table, method)
            assert row["Exponent, records"].reproduced == pytest.approx(records)
            assert row["Exponent, variables"].reproduced == pytest.approx(variables)
            assert row["Seconds, records"].reproduced == pytest.approx(start)
            assert row["Deviation, %, records"].reproduced == pytest.approx(0, abs=1e-6)


def shd(inputs, name, method):
    rows = inputs.metrics
    return rows["shd_standard"][(rows["noise"] == name) & (rows["method"] == method)].to_numpy()


def test_differences_are_paired_by_network():
    inputs = synthetic.inputs()
    cell = cells_of(inputs, "table_change")["steck3", "MCAR 15 %"]
    each = shd(inputs, "mcar15_impute", "steck3") - shd(inputs, "mcar15_drop", "steck3")
    assert cell.reproduced == pytest.approx(each.mean())
    half = 2.364624 * each.std(ddof=1) / np.sqrt(8)  # Student's t with 7 degrees of freedom
    assert (cell.low, cell.high) == pytest.approx((each.mean() - half, each.mean() + half))


def test_losses_are_against_complete_data():
    inputs = synthetic.inputs()
    column = number(inputs, "loss", "mar30_drop").sample
    expected = [(shd(inputs, "mar30_drop", m.name) - shd(inputs, "complete", m.name)).mean() for m in inputs.methods]
    np.testing.assert_allclose(column, expected)
