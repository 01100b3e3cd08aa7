"""Names of levels, and names in files: legal in the format, different where they differ, and back exactly."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.discretization.labels import interval_labels, spoken
from cutpoint.models.escaping import IDENTIFIERS, LEVELS, PRINTED, WORDS

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
LEGAL = {
    WORDS: r"[A-Za-z_][\w.\-]*",
    LEVELS: r"[A-Za-z_][\w.\-]*|-?\d+",
    IDENTIFIERS: r"[A-Za-z]\w*",
    PRINTED: r"[^<>&\"'{}|\[\]\x00-\x1f\x7f]+",
}


@pytest.mark.parametrize("alphabet", LEGAL)
@given(name=TEXTS | st.from_regex(r"(s_)*(_x00[0-9A-F]{2}_|[a-z_])*", fullmatch=True))
def test_every_name_is_legal_and_comes_back(alphabet, name):
    text = alphabet.escaped(name)
    assert not name or re.fullmatch(LEGAL[alphabet], text, 0 if alphabet is PRINTED else re.ASCII)
    assert alphabet.unescaped(text) == name


@pytest.mark.parametrize("alphabet", LEGAL)
@given(text=TEXTS | st.from_regex(r"(s_)*(_x00[0-9A-F]{2}_|_xFFFFFFFF_|[a-z_])*", fullmatch=True))
def test_names_of_others_that_only_look_escaped_stay(alphabet, text):
    name = alphabet.unescaped(text)
    assert name == text or alphabet.escaped(name) == text


def test_names_by_hand():
    assert WORDS.escaped("débit/jour") == "d_x00E9_bit_x002F_jour"
    assert WORDS.escaped("4") == "s_4"
    assert [LEVELS.escaped(name) for name in ("4", "-1", "1.5", "lt_-1.5")] == ["4", "-1", "s_1.5", "lt_-1.5"]
    assert IDENTIFIERS.escaped("lt_1.5") == "lt_1_x002E_5"
    assert WORDS.escaped("s_x") == "s_s_x"
    assert WORDS.escaped("_x0020_") == "_x005F_x0020_"
    assert WORDS.escaped("\U0001f600") == "_x0001F600_"
    assert PRINTED.escaped("a b/é") == "a b/é"


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
    assert len({*labels}) == len({*map(spoken, labels)}) == len(cuts) + 1
    for label in labels:
        assert WORDS.escaped(label) == LEVELS.escaped(label) == label
        assert re.fullmatch(r"[\w.\-]+", label, re.ASCII)
    numbers = [float(label.split("_")[1]) for label in labels[1:]] if len(cuts) else []
    np.testing.assert_allclose(numbers, cuts, rtol=1e-5, atol=1e-320)
