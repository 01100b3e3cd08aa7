"""What docs/add.md says of tables and figures: every option of a ready-made function, and no other."""

import re

from environments import ROOT

from cutpoint.bench.engine.declaration import FigureSpec, ready_made

ENTRY = re.compile(r"^\| `(\w+_(?:table|figure))` \| (.+) \|$", re.MULTILINE)
WORDS = {"{}", "mean", "share", "largest"}  # that are no options
PAGE = (ROOT / "docs" / "add.md").read_text(encoding="utf-8")


def test_every_option_of_a_ready_made_function_is_documented_and_exists():
    documented = dict(ENTRY.findall(PAGE))
    assert {*documented} == {*ready_made()}
    for name, text in documented.items():
        options = {*ready_made()[name]} - FigureSpec.handed
        named = {word.split(":")[0] for word in re.findall(r"`([^`]+)`", text)}
        assert options <= named <= options | WORDS, name
