"""Names in files: legal in the format, different where they differ, and back exactly."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.models import formats
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


def test_names_by_hand():
    assert WORDS.escaped("débit/jour") == "d_x00E9_bit_x002F_jour"
    assert WORDS.escaped("4") == "s_4"
    assert [LEVELS.escaped(name) for name in ("4", "-1", "1.5", "lt_-1.5")] == ["4", "-1", "s_1.5", "lt_-1.5"]
    assert IDENTIFIERS.escaped("lt_1.5") == "lt_1_x002E_5"
    assert WORDS.escaped("s_x") == "s_s_x"
    assert WORDS.escaped("_x0020_") == "_x005F_x0020_"
    assert WORDS.escaped("\U0001f600") == "_x0001F600_"
    assert PRINTED.escaped("a b/é") == "a b/é"


def test_every_format_has_an_alphabet_for_names_and_states():
    assert {*formats.FORMATS} == {"bif", "xmlbif", "bifxml", "xml", "xdsl", "net", "uai"}
