"""What docs/add.md says of tables and figures: every key that it names exists."""

import re
from typing import get_args

import pytest
from environments import ROOT

from cutpoint.bench.engine import declaration as form

ENTRY = re.compile(r"^\| (`[^|]+) \| (.+) \|$", re.MULTILINE)
WORDS = {"{}", "mean", "share", "largest", "Content", "Absent(why)", "title", "scale", "y", "key"}  # that are no keys
PAGE = (ROOT / "docs" / "add.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Tables and figures")[1].split("\n## ")[0]


def keys(kind, *, figure):
    models = get_args(get_args(form.AnyFigure if figure else form.AnyTable)[0])
    fields = set()
    for model in models:
        if kind in get_args(model.model_fields["kind"].annotation):
            fields |= {*model.model_fields}
    return fields


@pytest.mark.parametrize(("kinds", "text"), ENTRY.findall(SECTION))
def test_every_key_of_a_kind_exists(kinds, text):
    figure = text.startswith("figure") or "a figure" in text
    inside = {*form.Lines.model_fields, *form.Axis.model_fields} if figure else set()
    names = [kind.replace("make", "made") for kind in re.findall(r"`([\w-]+)", kinds)]
    assert all(keys(kind, figure=figure) for kind in names)
    allowed = set.union(*(keys(kind, figure=figure) for kind in names))
    assert {word.split(":")[0] for word in re.findall(r"`([^`]+)`", text)} <= allowed | inside | WORDS
