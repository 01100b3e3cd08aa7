"""The map of the code: its tables come from the code, and a name that is gone is an error."""

import ast
from collections import Counter

import map as maps
import pytest

from cutpoint.bench.workflow.fingerprint import closure

ALIKE: list[str] = []


def test_map_is_up_to_date_and_follows_a_cell_from_the_config_to_the_table():
    assert maps.page() == maps.PAGE.read_text(), "uv run tools/map.py"
    path = [file.name for file in maps.path_of_a_cell()]
    places = [path.index(name) for name in ("lookups.py", "settings.py", "sample.py", "runner.py", "tables.py")]
    assert places == sorted(places)
    command = closure(["cutpoint.commands.learn"])
    assert {maps.PACKAGE / name for name in ("data/user_table.py", "api.py", "models/model.py")} <= command


def test_a_class_name_stands_for_one_thing():
    files = [path for root in ("src", "scripts", "workflow") for path in (maps.ROOT / root).rglob("*.py")]
    names = [node.name for file in files for node in ast.walk(maps.parsed(file)) if isinstance(node, ast.ClassDef)]
    assert [name for name, count in Counter(names).items() if count > 1] == ALIKE


def test_names_that_are_gone_are_errors(tmp_path, monkeypatch):
    monkeypatch.setattr(maps, "ASIDE", (*maps.ASIDE, "nowhere"))
    with pytest.raises(SystemExit, match="'nowhere', which is gone"):
        maps.path_of_a_cell()
    monkeypatch.setattr(maps, "PAGE", tmp_path / "page.md")
    maps.PAGE.write_text("See `no_such_function`.")
    with pytest.raises(SystemExit, match="the code has no 'no_such_function'"):
        maps.page()


def test_an_outdated_page_and_a_longer_path_fail_the_check(tmp_path, monkeypatch):
    monkeypatch.setattr(maps, "PAGE", tmp_path / "page.md")
    maps.PAGE.write_text("<!-- table learn -->\n<!-- /table -->\n")
    with pytest.raises(SystemExit, match=r"\+\| \[cli.py\]"):
        maps.main(["--check"])
    maps.main([])
    maps.main(["--check"])
    monkeypatch.setattr(maps, "BUDGET", (24, 1_000, 65))
    with pytest.raises(SystemExit, match=r"at most \(24, 1000, 65\)"):
        maps.main(["--check"])
