"""The subcommands on a user's file: what is typed, what is started, and lines for what is wrong."""

import argparse
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import cutpoint as cp
from cutpoint import cli
from cutpoint.base.user_code import ROOT
from cutpoint.bench.commands import report
from cutpoint.commands.settings import parse


@pytest.fixture
def table(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    pairs = rng.multivariate_normal([10, 12], [[9, 8], [8, 9]], 120)
    rows = [f"{k};{x:.2f};{y:.2f};{'mf'[k % 2]}".replace(".", ",") for k, (x, y) in enumerate(pairs)]
    (tmp_path / "my.csv").write_text("\n".join(["id;x;y;sex", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my.csv"


def test_settings_are_yaml():
    assert parse(["drop=[id, a b]", "decimal=comma", "missing=drop", "thousands="]) == {
        "drop": ["id", "a b"],
        "decimal": "comma",
        "missing": "drop",
        "thousands": None,
    }


def test_learning_from_a_file_writes_the_model(table, capsys):
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]", "--method", "eqfreq3", "-o", "my.bif"]
    assert cli.main(words) == 0
    said = capsys.readouterr().out
    assert "my.csv: 120 rows, 3 columns; eqfreq3" in said
    assert said.endswith("wrote my.bif\n")
    found = cp.read_model("my.bif")
    data = cp.read_data("my.csv", decimal=",", drop=["id"])
    np.testing.assert_array_equal(found.dag, cp.learn(data, "eqfreq3").fit(data).dag)
    assert found.dag[[*found.variables].index("x")].any() or found.dag[[*found.variables].index("y")].any()


def test_a_method_without_thresholds_shows_its_graph(table, capsys):
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]", "--method", "bach"]
    assert cli.main(words) == 0
    learned = cp.learn(cp.read_data("my.csv", decimal=",", drop=["id"]), "bach")
    first, second, *lines = capsys.readouterr().out.splitlines()
    assert first == "my.csv: 120 rows, 3 columns; bach"
    assert second == f"{learned!r}, no thresholds: the graph alone, as a fitted network needs levels"
    assert f"score {learned.score:.6g}" in second
    edges = [line for line in lines if "without edges" not in line]
    assert edges == [f"  {e.source} {'->' if e.directed else '--'} {e.target}" for e in learned.edges()]
    assert len(edges) == 1
    assert lines[-1] == "  without edges: sex"
    assert cli.main([*words, "-o", "my.dot"]) == 0
    assert Path("my.dot").read_text() == learned.to_dot()


def test_what_cannot_be_written_is_said_before_anything_is_learned(table, monkeypatch, capsys):
    monkeypatch.setattr("cutpoint.api._warm", lambda method: pytest.fail("learned"))
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]"]
    for more, said in (
        (["-o", "t.foo"], "t.foo: the ending names the format (known: bif, "),
        (["-o", "t.bif", "--method", "bach"], "t.bif: bach has no thresholds, and a fitted network needs levels; "),
        (["-o", "t.bif", "--method", "bnlearn_hc"], "bnlearn_hc: an external method"),
    ):
        assert cli.main([*words, *more]) == 1
        captured = capsys.readouterr()
        assert captured.err.startswith(f"cutpoint: {said}")
        assert captured.err.count("\n") == 1
        assert not captured.out
        assert not Path("t.bif").exists()


def test_a_report_is_the_workflow_on_the_file(table, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(
        "subprocess.run", lambda command, check: started.append(command) or argparse.Namespace(returncode=0)
    )
    assert cli.main(["report", "my.csv", "drop=[id]", "decimal=comma", "--cores", "2"]) == 0
    (command,) = started
    assert command[:5] == [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    assert command[command.index("--config") + 1 :] == [f"data={table}", "scale=quick", "drop=[id]", "decimal=comma"]
    assert command[command.index("--directory") + 1] == "my-report"
    assert (ROOT / "Snakefile").is_file()
    assert capsys.readouterr().out == f"report: {Path('my-report', 'results', 'report.html')}\n"


def test_a_report_without_snakemake_says_what_to_install(table, monkeypatch, capsys):
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    assert cli.main(["report", "my.csv"]) == 1
    assert capsys.readouterr().err == "cutpoint: report needs Snakemake: pip install 'bn-cutpoint[workflow]'\n"
    assert cli.main(["report", "my.csv", "--cores", "-3"]) == 1
    assert capsys.readouterr().err == "cutpoint: --cores: a whole number from 1 is expected, got -3\n"
    assert cli.main(["report", "none.csv"]) == 1
    assert capsys.readouterr().err == "cutpoint: none.csv: no such file\n"


def test_settings_of_the_help_are_those_of_the_config():
    known = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    words = report.HELP.split(": ", 1)[1].replace("'", "").split()
    assert set(parse(words)) <= set(known)


def test_learning_with_gaps_and_knowledge(table, capsys):
    lines = table.read_text().splitlines()
    for k in (3, 50, 90):
        cells = lines[k].split(";")
        lines[k] = ";".join([cells[0], "", *cells[2:]])
    table.write_text("\n".join(lines) + "\n")
    Path("known.yaml").write_text("forbidden: [x -> y, y -> x]\nthresholds: {x: [10]}\n")
    words = ["learn", "my.csv", "decimal=comma", "drop=[id]", "--method", "eqfreq3", "-o", "my.json"]
    assert cli.main(words) == 1
    assert "missing=drop to leave these rows out, missing=impute" in capsys.readouterr().err
    for missing, records in (("drop", 117), ("impute", 120)):
        assert cli.main([*words, f"missing={missing}", "knowledge=known.yaml"]) == 0
        model = cp.read_model("my.json")
        x, y = [*model.variables].index("x"), [*model.variables].index("y")
        assert model.records == records
        assert not model.dag[x, y]
        assert not model.dag[y, x]
        assert model.thresholds[x].tolist() == [10]
