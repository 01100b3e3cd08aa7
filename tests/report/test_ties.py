"""How a number is rounded does not depend on the order in which it was summed up."""

import pytest

from cutpoint.bench.report.artefacts import number


@pytest.mark.parametrize("tie", [0.125, 0.375, 2.675])
def test_a_tie_is_rounded_as_the_number_without_the_error_of_a_sum(tie):
    assert number(tie * (1 + 1e-15)) == number(tie * (1 - 1e-15)) == number(tie)
