"""Config files: what is right is read; tests/golden/errors has what is said to about 140 that are wrong."""

from pathlib import Path

import pytest
import yaml

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.engine.declaration import Declaration, study_file, study_names
from cutpoint.bench.workflow import config
from cutpoint.bench.workflow.settings import Settings
from cutpoint.method.rows import load_methods

ROOT = Path(__file__).parents[2]
METHODS = read_yaml(ROOT / "config" / "methods.yaml")
SETTINGS = read_yaml(ROOT / "config" / "config.yaml")
STUDY = {key: part for key, part in read_yaml(study_file("fu2005")).items() if key not in Declaration.model_fields}
DATASETS = read_yaml(ROOT / "config" / "datasets.yaml")


def write(folder, name, content):
    path = folder / name
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path


def test_the_shipped_files_are_right():
    assert config.check(Settings, SETTINGS, "config").selected == SETTINGS["studies"]
    rows = load_methods(ROOT / "config" / "methods.yaml")
    assert list(rows)[:14] == STUDY["grids"]["simulated"]["methods"]
    studies = {name: study_file(name) for name in study_names()}
    assert sorted(studies) == sorted([*SETTINGS["studies"], "own", "field2026"])  # with data=FILE, study=field2026
    for path in studies.values():
        config.load_study(path, rows, DATASETS)


def test_a_folder_stands_for_the_files_in_it(tmp_path):
    (tmp_path / "many").mkdir()
    for name in ("b.bif", "a.bif", "c.txt"):
        (tmp_path / "many" / name).write_text("")
    grid = STUDY["grids"]["simulated"] | {"networks": ["asia", "many/"]}
    study = write(tmp_path, "mine.yaml", STUDY | {"grids": {"g": grid}, "scales": {"s": {"replicates": 1}}})
    rows = load_methods(ROOT / "config" / "methods.yaml")
    loaded = config.load_study(study, rows, DATASETS, tmp_path)
    assert loaded.grids["g"].networks == ["asia", "many/a.bif", "many/b.bif"]
    with pytest.raises(InputError, match=r"mine.yaml: grids.g.networks: no BIF files in the folder many/"):
        config.load_study(study, rows, DATASETS, tmp_path / "many")


def test_a_crossed_row_stands_for_all_combinations(tmp_path):
    row = {k: v for k, v in METHODS["eqwidth3"].items() if k not in ("score", "bins")}
    row |= {"label": "{score}, {bins}", "cross": {"score": ["bic", "bdeu"], "bins": [2, 3]}}
    rows = load_methods(write(tmp_path, "methods.yaml", {"bach": METHODS["bach"], "all": row}))
    assert list(rows) == ["bach", "all.bic.2", "all.bic.3", "all.bdeu.2", "all.bdeu.3"]
    assert (rows["all.bic.2"]["score"], rows["all.bic.2"]["bins"], rows["all.bic.2"]["label"]) == ("bic", 2, "bic, 2")
    changed = {"grids": {"g": STUDY["grids"]["simulated"] | {"methods": ["all"]}}, "scales": {"s": {"replicates": 1}}}
    study = write(tmp_path, "mine.yaml", STUDY | changed)
    assert config.load_study(study, rows, DATASETS).grids["g"].methods == list(rows)[1:]
