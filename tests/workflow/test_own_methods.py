"""Methods of users: a file beside their code, which joins studies, and none of own data unless it is named."""

import pytest
import yaml
from user_tables import table, text
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow.config import load
from cutpoint.method.rows import load_methods, method_files, read_rows

SETTINGS = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "tiny"}
MINE = {"label": "Mine", "learner": "hill_climbing", "score": "kgv"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of a run, with a table of the user."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cars.csv").write_text(text(table()))
    return tmp_path


def add(folder, name, **keys):
    (folder / "methods").mkdir(exist_ok=True)
    path = folder / "methods" / f"{name}.yaml"
    path.write_text(yaml.safe_dump({name: MINE | keys}))
    return path


def joined(here, name, **settings):
    """Return the studies that a method runs in."""
    batches = load(SETTINGS | settings, ROOT, here).batches
    return {study for study, each in batches.items() if any(name in batch.methods for batch in each.values())}


def test_a_file_of_the_user_joins_every_study_but_those_that_say_so_and_own(here):
    add(here, "mine")
    add(here, "elsewhere", studies=["fu2005"])
    add(here, "old", category="direct", studies=[])
    studies = ["fu2005", "mabrouk2015", "field2026"]
    assert joined(here, "mine", studies=studies) == {"fu2005", "mabrouk2015"}
    assert joined(here, "elsewhere", studies=studies) == {"fu2005"}
    assert joined(here, "old", studies=studies) == set()
    assert joined(here, "old", studies=studies, extra_methods=["old"]) == set(studies)
    assert joined(here, "mine", studies=studies, methods=["mine", "bach"]) == set(studies)
    assert joined(here, "bach", studies=studies, methods=["mine", "bach"]) == set(studies)
    assert joined(here, "bach", studies=studies, methods=["mine"]) == set()
    own = {"data": "cars.csv", "drop": "serial", "missing": "drop"}
    assert joined(here, "mine", **own) == set()
    for settings in ({"methods": ["mine"]}, {"methods": ["bach", "mine"]}, {"extra_methods": ["mine"]}):
        assert joined(here, "mine", **own, **settings) == {"own"}
    add(here, "broken", learner="no/file.py:f")  # which own data have no need of
    assert joined(here, "bach", **own, methods=["bach"]) == {"own"}
    with pytest.raises(InputError, match=r"methods/broken.yaml: broken: no/file.py:f: cannot be imported"):
        joined(here, "mine")


def test_files_are_looked_up_as_paths_of_functions_are(here, tmp_path_factory):
    clone = tmp_path_factory.mktemp("clone")
    (clone / "config").mkdir()
    (clone / "config" / "methods.yaml").write_text(yaml.safe_dump({"shipped": MINE}))
    add(here, "one", label="Here")
    add(clone, "one", label="There")
    add(clone, "two")
    rows = load_methods(*method_files(clone))
    assert {name: (row["label"], row["category"], row.get("studies")) for name, row in rows.items()} == {
        "shipped": ("Mine", "direct", []), "one": ("Here", "direct", None), "two": ("Mine", "direct", None),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bach", "search"])  # a row, and one that is crossed
def test_a_name_in_two_files_is_one_line_that_names_both(here, name):
    path, shipped = add(here, name), ROOT / "config" / "methods.yaml"
    with pytest.raises(InputError) as raised:
        read_rows(*method_files(ROOT))
    assert str(raised.value) == f"{path}: {name}: {shipped} has a method of this name; choose another"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"scroe": "kgv"}, "unknown option 'scroe'"),
        ({"learner": "hill_climbin"}, "unknown learner 'hill_climbin'"),
        ({"category": "integrated"}, "category: a row with no rule, truth, policy, discretizer is direct, not integr"),
        ({"category": "direct", "policy": "steck"}, "category: a row with policy is integrated, not direct"),
    ],
)
def test_a_wrong_row_is_named_with_its_file(here, keys, message):
    path = add(here, "mine", **keys)
    with pytest.raises(InputError) as raised:
        joined(here, "mine")
    assert str(raised.value).startswith(f"{path}: mine: {message}")
