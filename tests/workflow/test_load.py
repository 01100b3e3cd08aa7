"""From settings to the checked config: what is wrong with them is one line, before anything runs."""

from pathlib import Path

import pytest
from fault_tools import read_only
from user_tables import table, text, truth
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.workflow import names
from cutpoint.bench.workflow.config import Places, check_command, check_folder, load
from cutpoint.bench.workflow.names import check_imports
from cutpoint.method.rows import read_rows
from cutpoint.networks.network import write_network

SETTINGS = read_yaml(ROOT / "config" / "config.yaml")
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


def test_missing_settings_are_named(folder):
    kept = {key: value for key, value in SETTINGS.items() if key not in ("seed", "batch", "scale")}
    with pytest.raises(InputError, match=r"^config: scale, seed: missing$"):
        load(kept, ROOT, folder)


def test_own_data_are_read_once_and_not_again_in_jobs(folder):
    (folder / "cars.csv").write_text(text(table()))
    write_network(truth(), folder / "cars.bif")
    own = {"data": "cars.csv", "drop": "serial", "missing": "drop", "truth": "cars.bif"}
    settings = SETTINGS | {"scale": "tiny"} | own
    checked = load(settings, ROOT, folder)
    assert checked.own.values.shape == (79, 5)
    assert checked.networks == {"cars": str(folder / "cars.bif")}
    assert load(settings, ROOT, folder, main=False).own is None


@pytest.mark.parametrize("graph", ["a,b,c\n0,1,0\n0,0,1\n0,0,0\n", "from,to\na,b\nb,c\n"])
def test_a_true_graph_may_be_a_csv_file(folder, graph):
    (folder / "chain.csv").write_text("a,b,c\n" + "".join(f"{k}.5,{k * k % 31}.5,{7 * k % 53}.5\n" for k in range(60)))
    (folder / "chain_truth.csv").write_text(graph)
    settings = SETTINGS | {"scale": "tiny", "data": "chain.csv"}
    checked = load(settings | {"truth": "chain_truth.csv"}, ROOT, folder)
    assert checked.networks == {"chain_truth": str(folder / "chain_truth.csv")}
    (folder / "chain_truth.csv").write_text(graph.replace("c", "d"))
    with pytest.raises(InputError, match=r"chain_truth\.csv"):
        load(settings | {"truth": "chain_truth.csv"}, ROOT, folder)


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


@pytest.mark.parametrize(
    ("text", "seconds", "message"),
    [("import sys; sys.exit(0)", 60.0, "ends its process"), ("while True: pass", 0.5, "takes more than 0.5 s")],
)
def test_an_own_file_that_would_end_the_plan_is_named(folder, monkeypatch, text, seconds, message):
    (folder / "mine.py").write_text(text)
    row = "{label: Mine, category: direct, learner: hill_climbing, score: 'mine.py:score'}"
    (folder / "methods.yaml").write_text(f"mine: {row}\n")
    monkeypatch.setattr(names.check_import, "__defaults__", (seconds,))
    with pytest.raises(InputError) as raised:
        check_imports(*read_rows(folder / "methods.yaml"))
    place = f"{folder / 'methods.yaml'}: mine: score: mine.py"
    assert str(raised.value) == f"{place}: its import {message}; let it define functions and do no more"


def test_a_file_that_is_not_in_utf_8_is_named(folder):
    (folder / "file.yaml").write_bytes("a: é".encode("latin-1"))
    with pytest.raises(InputError, match=r"file.yaml: not in UTF-8, at byte 4; save it as UTF-8$"):
        read_yaml(folder / "file.yaml")


def test_dates_are_text(folder):
    (folder / "file.yaml").write_text("a: 2020-01-01\nb: 2020-01-01 10:00:00")
    assert read_yaml(folder / "file.yaml") == {"a": "2020-01-01", "b": "2020-01-01 10:00:00"}


@pytest.mark.parametrize("words", [["--config", "a=1", "--config", "b=2"], ["-C", "a=1", "-n", "--config=b=2"]])
def test_settings_behind_a_second_config_would_replace_the_first(words):
    check_command(["snakemake", *words[:2], "config=3"])
    with pytest.raises(InputError, match="--config stands twice, and only the last one would count"):
        check_command(["snakemake", *words])
    with pytest.raises(InputError, match="--containerize: the image is there"):
        check_command(["snakemake", "--containerize"])
