"""Names of the levels between thresholds."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.discretization.labels import interval_labels, spoken_labels
from cutpoint.models.escaping import LEVELS, WORDS


@pytest.mark.parametrize(
    ("cuts", "labels"),
    [
        ([], ["all"]),
        ([1.5], ["lt_1.5", "ge_1.5"]),
        ([1.5, 3], ["lt_1.5", "from_1.5_to_3", "ge_3"]),
        ([-1.5, 1e-05], ["lt_-1.5", "from_-1.5_to_1e-05", "ge_1e-05"]),
        ([-0.0, 1e16], ["lt_0", "from_0_to_1e16", "ge_1e16"]),
        ([4362.5], ["lt_4362.5", "ge_4362.5"]),
        ([0.1 + 0.2, 0.3000001], ["lt_0.3", "from_0.3_to_0.3000001", "ge_0.3000001"]),
    ],
)
def test_labels_by_hand(cuts, labels):
    assert interval_labels(cuts) == labels


@given(st.lists(st.floats(-1e300, 1e300), max_size=6, unique=True))
def test_labels_differ_and_every_format_takes_them(cuts):
    cuts = np.unique(np.array(cuts) + 0.0)
    labels = interval_labels(cuts)
    assert len({*labels}) == len({*spoken_labels(cuts)}) == len(cuts) + 1
    for label in labels:
        assert WORDS.escaped(label) == LEVELS.escaped(label) == label
        assert re.fullmatch(r"[\w.\-]+", label, re.ASCII)
    numbers = [float(label.split("_")[1]) for label in labels[1:]] if len(cuts) else []
    np.testing.assert_allclose(numbers, cuts, rtol=1e-5, atol=1e-320)
