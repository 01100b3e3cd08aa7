"""Names in files: legal in the format, different where they differ, and back exactly."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
