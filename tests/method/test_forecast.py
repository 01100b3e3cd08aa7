"""What a method will take, against kept runs, and what is refused because it cannot end."""

import csv
import time

import numpy as np
import pytest
from workflow_tools import ROOT

import cutpoint as cp
from cutpoint import cli
from cutpoint.base.errors import InputError
from cutpoint.method import forecast as module
from cutpoint.method.forecast import forecast

RUNS = [*csv.DictReader((ROOT / "data" / "learn_runs.csv").open(encoding="utf-8"))]
UNSEEN = [run for run in RUNS if run["unseen"] == "1"]


def test_of_at_least_thirty_runs_that_were_not_fitted_each_took_what_is_said_within_a_factor_of_two():
    assert len(UNSEEN) >= 30
    for run in RUNS:
        said = forecast(run["method"], int(run["records"]), int(run["columns"]))
        assert 0.5 <= max(said.seconds, 0.5) / max(float(run["seconds"]), 0.5) <= 2, (run, said)
        assert 0.5 <= said.megabytes / float(run["megabytes"]) <= 2, (run, said)


def test_what_is_said_is_said_at_once_and_only_of_what_was_measured():
    began = time.perf_counter()
    assert str(forecast("sparse_gaussian", 2000, 3000)).endswith(" GB")
    assert time.perf_counter() - began < 1
    assert forecast("no such method", 100, 10) is None


def test_what_cannot_end_is_refused_with_what_can_unless_an_option_is_given(monkeypatch):
    values = np.random.default_rng(0).standard_normal((40, 8))
    monkeypatch.setattr(module, "MOST_SECONDS", forecast("boss_gaussian", 40, 8).seconds / 2)
    with pytest.raises(InputError, match=r"boss_gaussian: 8 columns of 40 records would take about .* what can end: "):
        cp.learn(values, "boss_gaussian")
    assert cp.learn(values, "boss_gaussian", restarts=1) is not None


def test_the_command_says_it_where_it_is_more_than_some_seconds(tmp_path, monkeypatch, capsys):
    file = tmp_path / "my.csv"
    file.write_text("\n".join(["a,b", *(f"{i * i % 7 + i / 9},{i / 3}" for i in range(40))]))
    monkeypatch.setattr("cutpoint.commands.learn.FEW_SECONDS", 0)
    assert cli.main(["learn", str(file), "--method", "steck3"]) == 0
    assert "steck3 takes about 1 seconds, 0.3 GB here" in capsys.readouterr().out
