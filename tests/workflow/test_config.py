"""Config files: what is right is read, what is wrong is named in one line."""

from pathlib import Path

import pytest
import yaml

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.method import rows_file
from cutpoint.studies.declaration import Declaration, study_file, study_names
from cutpoint.workflow import config
from cutpoint.workflow.settings import Settings

ROOT = Path(__file__).parents[2]
METHODS = yaml.safe_load((ROOT / "config" / "methods.yaml").read_text())
SETTINGS = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
STUDY, MABROUK = (
    {key: part for key, part in read_yaml(study_file(name)).items() if key not in Declaration.model_fields}
    for name in ("fu2005", "mabrouk2015")
)
DATASETS = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text())


def write(folder, name, content):
    path = folder / name
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def test_the_shipped_files_are_right():
    assert config.check(Settings, SETTINGS, "config").selected == SETTINGS["studies"]
    rows = rows_file.load_methods(ROOT / "config" / "methods.yaml")
    assert list(rows)[:14] == STUDY["grids"]["simulated"]["methods"]
    studies = {name: study_file(name) for name in study_names()}
    assert sorted(studies) == sorted([*SETTINGS["studies"], "own"])  # which runs with data=FILE
    for path in studies.values():
        config.load_study(path, rows, DATASETS)


def test_one_study_can_be_chosen():
    assert config.check(Settings, SETTINGS | {"study": "fu2005"}, "config").selected == ["fu2005"]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"time_limit": 0}, "config: time_limit: Input should be greater than 0, got 0"),
        ({"memory_limit": -1}, "config: memory_limit: "),
        ({"batch": 0}, "config: batch: "),
        ({"seed": "x"}, "config: seed: "),
        ({"scal": "quick"}, "config: scal: unknown key; did you mean 'scale'?"),
    ],
)
def test_wrong_settings_are_named(change, text):
    with pytest.raises(InputError) as raised:
        config.check(Settings, SETTINGS | change, "config")
    assert text in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_setting_is_named():
    with pytest.raises(InputError, match="config: scale: missing"):
        config.check(Settings, {k: v for k, v in SETTINGS.items() if k != "scale"}, "config")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"discretizer": "equal_widht"}, "unknown discretizer 'equal_widht'; did you mean 'equal_width'?"),
        ({"learner": "climb"}, "unknown learner 'climb'"),
        ({"score": "kgv"}, "unknown score 'kgv'"),
        ({"binz": 3}, "unknown option 'binz'; did you mean 'bins'?"),
        ({"bins": "three"}, "bins: "),
        ({"bins": 2.5}, "bins: "),
        ({"category": "other"}, "category: "),
        ({"ess": "one"}, "ess: "),
        ({"category": "external", "rule": "r", "job": "j"}, "job: "),
        ({"discretizer": "no/such/file.py:f"}, "cannot be imported"),
        ({"initial": {"equal_width": 3}}, "initial: this method makes its own first thresholds"),
    ],
)
def test_wrong_rows_are_named(tmp_path, row, text):
    path = write(tmp_path, "methods.yaml", {"mine": METHODS["eqwidth3"] | row})
    with pytest.raises(InputError) as raised:
        rows_file.load_methods(path)
    assert str(raised.value).startswith(f"{path}: mine")
    assert text in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "drop", "text"),
    [
        ("eqwidth3", "discretizer", "discretizer: missing"),
        ("steck3", "policy", "policy: missing"),
        ("bach", "score", "score: missing"),
        ("tetrad_pc", "rule", "rule: missing"),
        ("bach", "label", "label: missing"),
    ],
)
def test_missing_parts_are_named(tmp_path, name, drop, text):
    row = {k: v for k, v in METHODS[name].items() if k != drop}
    with pytest.raises(InputError, match=text):
        rows_file.load_methods(write(tmp_path, "methods.yaml", {"mine": row}))


@pytest.mark.parametrize("initial", [3, {"equal_frequency": "x"}, {"a": 2}, {"equal_width": 2, "hartemink": 3}])
def test_a_wrong_first_policy_is_named(tmp_path, initial):
    path = write(tmp_path, "methods.yaml", {"mine": METHODS["steck3"] | {"initial": initial}})
    with pytest.raises(InputError, match="initial"):
        rows_file.load_methods(path)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("methods", ["steck9"], "unknown 'steck9'; did you mean"),
        ("networks", ["alarmm"], "unknown 'alarmm'; did you mean 'alarm'"),
        ("noises", ["sigma9"], "unknown 'sigma9'"),
        ("n", [0], "n.0"),
        ("sizes", [1], "sizes: unknown key"),
    ],
)
def test_wrong_studies_are_named(tmp_path, key, value, text):
    grids = {"simulated": STUDY["grids"]["simulated"] | {key: value}}
    write(tmp_path, "mine.yaml", STUDY | {"grids": grids})
    with pytest.raises(InputError) as raised:
        config.load_study(tmp_path / "mine.yaml", METHODS, DATASETS)
    assert "mine.yaml: grids.simulated" in str(raised.value)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("random_networks", {"alarm": {}}, "random_networks.alarm: is the name of a shipped network"),
        ("random_networks", {"random": {"nodes": [0, 3]}}, "random_networks.random.nodes.0: "),
        ("random_networks", {}, "grids.structure.networks: unknown 'random'"),
        ("noises", {"truncated": {"kind": "triangle"}}, "noises.truncated.kind: "),
        ("noises", {"truncated": {"kind": "truncated_gaussian", "sd": [0.5, 0.1]}}, "the lower end of the range"),
        ("noises", MABROUK["noises"] | {"uniform": {"kind": "uniform"}}, "predict: noise 'uniform' needs targets"),
        ("scales", {"quick": {"replicates": {"structure": 1}}}, "scales.quick.replicates: sensitivity: missing"),
        ("scales", {"quick": {"replicates": 1, "n": {"strcture": [1]}}}, "unknown grid 'strcture'; did you mean"),
    ],
)
def test_wrong_random_networks_noises_and_scales_are_named(tmp_path, key, value, text):
    path = write(tmp_path, "mine.yaml", MABROUK | {key: value})
    with pytest.raises(InputError) as raised:
        config.load_study(path, METHODS, DATASETS)
    assert str(path) in str(raised.value)
    assert text in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_method_that_discretizes_after_moves_needs_a_search_that_lets_it(tmp_path):
    row = {k: v for k, v in METHODS["mgcd"].items() if not k.startswith(("tabu", "max"))} | {"learner": "hill_climbing"}
    with pytest.raises(InputError, match="learner: hill_climbing does not let the method discretize after every move"):
        rows_file.load_methods(write(tmp_path, "methods.yaml", {"mine": row}))


def test_an_unknown_study_is_named():
    with pytest.raises(InputError, match="unknown study 'fu2006'; did you mean 'fu2005'"):
        config.load_study(study_file("fu2006"), METHODS, DATASETS)


def test_the_methods_of_other_studies_need_no_rows_and_no_sound_file(tmp_path):
    write(tmp_path, "one.yaml", {"grids": {"a": {"methods": ["bach", "gone"]}, "b": {"methods": ["search"]}}})
    (tmp_path / "bad.yaml").write_text("grids: [1")
    write(tmp_path, "odd.yaml", {"grids": {"a": 3}})
    rows = {"search.bic": {"group": "search"}, "bach": {}}
    assert config.printed_methods(tmp_path.glob("*.yaml"), rows) == {"bach", "gone", "search.bic"}


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("noises", {"truncated": {"kind": "truncated_gaussian", "length": [1, 2], "sd": [0.1, 0.5]}},
         "noises.truncated.length: unknown key; did you mean 'lengths'? (known: lengths, targets, test, kind, sd)"),
        ("noises", {"truncated": {"kind": "unifrm"}}, "noises.truncated.kind: unknown 'unifrm'; did you mean"),
        ("noises", {"truncated": {"lengths": [1, 2]}}, "noises.truncated.kind: missing"),
        ("random_networks", {"random": {"max_parent": 3}}, "random_networks.random.max_parent: unknown key; did"),
        ("resamples", {"j": {"kind": "jackknife", "delet": 3}}, "resamples.j.delet: unknown key; did you"),
        ("scales", {"quick": {"replicate": 3}}, "scales.quick.replicate: unknown key; did"),
        ("scales", {"quick": {"replicates": {"structure": 0}}}, "scales.quick.replicates.structure: Input"),
        ("scales", {"quick": {"replicates": 1, "n": 5}}, "scales.quick.n: Input should be a valid"),
    ],
)  # fmt: skip
def test_nested_keys_are_named_as_they_stand(tmp_path, key, value, text):
    with pytest.raises(InputError) as raised:
        config.load_study(write(tmp_path, "mine.yaml", MABROUK | {key: value}), METHODS, DATASETS)
    assert text in str(raised.value)


def test_a_key_that_stands_twice_is_refused(tmp_path):
    (tmp_path / "twice.yaml").write_text("a: {b: 1, c: 2, b: 3}\n")
    with pytest.raises(InputError, match="line 1: the key 'b' stands twice"):
        config.read_yaml(tmp_path / "twice.yaml")


def test_files_that_are_no_yaml_are_named(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        config.read_yaml(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("a: [1\nb: 2")
    with pytest.raises(InputError, match=r"bad.yaml: not valid YAML in line 2"):
        config.read_yaml(tmp_path / "bad.yaml")
    (tmp_path / "list.yaml").write_text("- 1")
    with pytest.raises(InputError, match="a mapping"):
        config.read_yaml(tmp_path / "list.yaml")


@pytest.mark.parametrize("text", ["def cut(:", "1 / 0", "x = 1"])
def test_a_file_of_ones_own_that_does_not_import_is_named(tmp_path, text):
    (tmp_path / "own.py").write_text(text)
    path = write(tmp_path, "methods.yaml", {"mine": METHODS["eqwidth3"] | {"discretizer": f"{tmp_path}/own.py:cut"}})
    with pytest.raises(InputError, match=r"own.py:cut: cannot be imported") as raised:
        rows_file.load_methods(path)
    assert "\n" not in str(raised.value)


def test_a_row_needs_a_plain_name(tmp_path):
    with pytest.raises(InputError, match="my-method: a name starts with a letter"):
        rows_file.load_methods(write(tmp_path, "methods.yaml", {"my-method": METHODS["eqwidth3"]}))


def test_a_network_of_a_scale_is_looked_up(tmp_path):
    write(tmp_path, "mine.yaml", STUDY | {"scales": {"tiny": {"replicates": 1, "networks": ["asai"]}}})
    with pytest.raises(InputError, match=r"scales.tiny.networks: unknown 'asai'; did you mean 'asia'"):
        config.load_study(tmp_path / "mine.yaml", METHODS, DATASETS)


def test_a_crossed_row_stands_for_all_combinations(tmp_path):
    row = {k: v for k, v in METHODS["eqwidth3"].items() if k not in ("score", "bins")}
    row |= {"label": "{score}, {bins}", "cross": {"score": ["bic", "bdeu"], "bins": [2, 3]}}
    rows = rows_file.load_methods(write(tmp_path, "methods.yaml", {"bach": METHODS["bach"], "all": row}))
    assert list(rows) == ["bach", "all.bic.2", "all.bic.3", "all.bdeu.2", "all.bdeu.3"]
    assert (rows["all.bic.2"]["score"], rows["all.bic.2"]["bins"], rows["all.bic.2"]["label"]) == ("bic", 2, "bic, 2")
    study = write(tmp_path, "mine.yaml", STUDY | {"grids": {"g": STUDY["grids"]["simulated"] | {"methods": ["all"]}}})
    assert config.load_study(study, rows, DATASETS).grids["g"].methods == list(rows)[1:]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"cross": {"score": "bic"}}, "cross: write lists"),
        ({"cross": {"ess": [1.0, "one"]}}, "mine.one: ess: "),
        ({"cross": {"ess": [1.0]}, "label": "{scor}"}, "label: '{scor}' may hold {ess}"),
        ({"cross": {"ess": [1.0]}, "label": "{ess.x}"}, "label: '{ess.x}' may hold {ess}"),
        ({"cross": {"ess": [1.0, 1.0]}}, "cross: two rows would be called 'mine.1_0'"),
        ({"cross": {"bins": [2]}}, "cross: 'bins' is a key of the row too"),
    ],
)
def test_wrong_crosses_are_named(tmp_path, keys, text):
    with pytest.raises(InputError) as raised:
        rows_file.load_methods(write(tmp_path, "methods.yaml", {"mine": METHODS["eqwidth3"] | keys}))
    assert text in str(raised.value)
    assert "\n" not in str(raised.value)


STECK = {key: part for key, part in read_yaml(study_file("steck2007")).items() if key not in Declaration.model_fields}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"resamples": {"jackknife30": {"kind": "jackknife", "delete": 400}}},
            "resamples.jackknife30.delete: hartemink has",
        ),
        (
            {"grids": {"a": STECK["grids"]["jackknife"], "b": STECK["grids"]["jackknife"]}},
            "grids.b: another grid has the",
        ),
    ],
)
def test_wrong_resamples_are_named(tmp_path, change, text):
    rows = rows_file.load_methods(ROOT / "config" / "methods.yaml")
    study = STECK | {"scales": {"quick": {"replicates": 2}}} | change
    study["resamples"] = STECK["resamples"] | study["resamples"]
    with pytest.raises(InputError) as raised:
        config.load_study(write(tmp_path, "mine.yaml", study), rows, DATASETS)
    assert text in str(raised.value)
