"""From settings to the checked config: what is wrong with them is one line, before anything runs."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml
from fault_tools import read_only
from user_tables import cars, text
from workflow_tools import ROOT, write_yaml

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.networks.network import Network, write_network
from cutpoint.studies.declaration import Declaration, study_file
from cutpoint.workflow.load import Places, check_folder, load, one_line

SETTINGS = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
TINY = {"scale": "tiny", "study": "fu2005"}


def line(root, here, **settings):
    """Return what a run says to wrong settings."""
    with pytest.raises(InputError) as raised:
        load(SETTINGS | TINY | settings, root, here)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of the run, in which the user stands too."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"study": "fu2006"}, "unknown study 'fu2006'; did you mean 'fu2005'?"),
        ({"scale": "quik"}, "unknown scale 'quik'; did you mean 'quick'?"),
        ({"scal": "quick"}, "config: scal: unknown key; did you mean 'scale'?"),
        ({"time_limit": 0}, "config: time_limit: Input should be greater than 0, got 0"),
        ({"seed": "abc"}, "config: seed: Input should be a valid integer"),
        ({"mirror": "no/folder"}, "config: mirror: no such folder: no/folder"),
        ({"files": {"hartemin": "x.csv"}}, "config: files.hartemin: unknown data set; did you mean 'hartemink'?"),
        ({"files": {"hartemink": "x.csv"}}, "config: files.hartemink: no such file: x.csv"),
        ({"extra_methods": ["mgdc"]}, "config: extra_methods: unknown 'mgdc'; did you mean 'mgcd'?"),
    ],
)
def test_a_wrong_setting_is_named(folder, change, said):
    assert line(ROOT, folder, **change).startswith(said)


def test_missing_settings_are_named(folder):
    kept = {key: value for key, value in SETTINGS.items() if key not in ("seed", "batch", "scale")}
    with pytest.raises(InputError, match=r"^config: scale, seed, batch: missing$"):
        load(kept, ROOT, folder)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"learner": "hill_climb"}, "methods.yaml: mine: unknown learner 'hill_climb'; did you mean 'hill_climbing'?"),
        ({"discretizer": "no/file.py:f"}, "methods.yaml: mine: no/file.py:f: cannot be imported"),
    ],
)
def test_a_wrong_row_is_named(folder, row, said):
    shutil.copytree(ROOT / "config", folder / "clone" / "config")
    write_yaml(folder / "clone" / "config" / "methods.yaml", lambda rows: {**rows, "mine": rows["eqwidth3"] | row})
    assert said in line(folder / "clone", folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"methods": ["eqwidth33"]}, "grids.simulated.methods: unknown 'eqwidth33'; did you mean 'eqwidth3'?"),
        ({"networks": ["alarm", "my/alarm.bif"]}, "networks 'alarm' and 'my/alarm.bif' have one name"),
        ({"networks": ["my/alarm.bif"]}, "config: studies: networks: no such file: my/alarm.bif"),
    ],
)
def test_a_wrong_study_is_named(folder, monkeypatch, change, said):
    study = {key: part for key, part in read_yaml(study_file("fu2005")).items() if key not in Declaration.model_fields}
    grids = {"simulated": study["grids"]["simulated"] | change}
    path = folder / "fu2005.yaml"
    path.write_text(yaml.safe_dump(study | {"scales": {"tiny": {"replicates": 1}}, "grids": grids}))
    monkeypatch.setattr("cutpoint.workflow.load.study_file", lambda name: path)
    assert said in line(ROOT, folder)


def table():
    """Return a mixed table with an identifier and a missing cell."""
    found = {"serial": [f"no{i}" for i in range(80)], **cars(80)}
    found["mpg"][11] = "NA"
    return found


@pytest.fixture
def user(folder):
    """A user's file and its true network."""
    (folder / "cars.csv").write_text(text(table()))
    half = np.full(2, 0.5)
    names = ("doors", "electric", "make", "mpg", "weight")
    write_network(Network("cars", names, (("a", "b"),) * 5, ((),) * 5, (half,) * 5), folder / "cars.bif")
    return {"study": None, "data": "cars.csv", "drop": "serial", "missing": "drop"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"study": "own", "data": None}, "config: study: own runs on a file of yours; give data=FILE"),
        ({"data": None, "drop": ["a"]}, "config: drop: is about your own data; give data=FILE too"),
        ({"study": "fu2005"}, "config: study: data=FILE runs the study own, not fu2005; leave one of them out"),
        ({"data": "car.csv"}, "config: data: no such file: car.csv"),
        ({"truth": "my.bif"}, "config: truth: no such file: my.bif"),
        ({"truth": "alarn"}, "config: truth: unknown 'alarn'; did you mean 'alarm'?"),
        ({"truth": "asia"}, "cars.csv: column doors: the network asia has no such variable (known: "),
        ({"truth": "cars.bif", "drop": ["serial", "make"]}, "cars.csv: no column make, which is a variable of the"),
        ({"methods": ["stek3"]}, "config: methods: unknown 'stek3'; did you mean 'steck3'?"),
        ({"missing": "refuse"}, "cars.csv, line 13, column mpg: a missing cell (1 in all, in 1 of 80 rows)"),
        ({"missing": "fill"}, "config: missing: Input should be 'refuse' or 'drop', got 'fill'"),
        ({"drop": ["serial", "serail"]}, "config: drop: cars.csv has no column 'serail'; did you mean 'serial'?"),
    ],
)
def test_a_wrong_setting_of_own_data_is_named(folder, user, change, said):
    assert line(ROOT, folder, **{**user, **change}).startswith(said)


def test_own_data_are_read_once_and_not_again_in_jobs(folder, user):
    settings = SETTINGS | {"scale": "tiny"} | user | {"truth": "cars.bif"}
    checked = load(settings, ROOT, folder)
    assert checked.own.values.shape == (79, 5)
    assert checked.networks == {"cars": str(folder / "cars.bif")}
    assert load(settings, ROOT, folder, main=False).own is None


def test_files_of_the_clone_are_relative_in_it_and_absolute_elsewhere(folder, monkeypatch):
    elsewhere = Places(ROOT, Path("/home/me"))
    assert elsewhere.network("asia") == f"{ROOT}/data/networks/asia.bif"
    assert elsewhere.network("my/asia.bif") == "/home/me/my/asia.bif"
    assert elsewhere.user("/data/my.csv") == "/data/my.csv"
    monkeypatch.chdir(ROOT)
    assert Places(ROOT, ROOT).network("asia") == "data/networks/asia.bif"


@pytest.mark.parametrize("place", [".", ".snakemake", "results"])
def test_a_folder_of_another_user_is_named(folder, monkeypatch, place):
    (folder / place).mkdir(exist_ok=True)
    with read_only(folder / place):
        monkeypatch.chdir(folder)  # into what is mounted there now
        with pytest.raises(InputError) as raised:
            check_folder()
    monkeypatch.chdir("/")
    assert str(raised.value).startswith(f"{(folder / place).resolve()}: not writable; make it writable for you, or run")


def test_wrong_input_ends_the_process_in_one_line():
    with pytest.raises(SystemExit, match=r"^cutpoint: no luck$"), one_line():
        raise InputError("no luck")
