"""What is measured of finished runs: the costs of methods and jobs, and what a cluster is asked for."""

import re
from pathlib import Path

import costs
import pytest
import resources
import yaml
from hypothesis import given
from hypothesis import strategies as st
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs.jobs import Spent
from cutpoint.bench.workflow.forecast import read_costs


def write_log(folder, path, *spent):
    file = folder / "logs" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"first\n{Spent(*spent)}\n")


def test_every_log_of_the_workflow_names_a_rule_of_it():
    text = "".join(path.read_text() for path in (ROOT / "workflow").rglob("*.smk"))
    rules = set(re.findall(r"^ *(?:rule|checkpoint) (\w+):|^ *use rule \w+ as (\w+) with", text, re.MULTILINE))
    rules = {name for pair in rules for name in pair}
    paths = re.findall(r'"logs/(.*)"', text)
    assert len(paths) > 20
    for path in paths:
        filled = re.sub(r"{(\w+)}", lambda match: {"job": "tetrad_pc"}.get(match[1], "x"), path)
        assert resources.rule_of(Path(filled)) in rules, path


def test_finished_jobs_count_for_their_rules(tmp_path):
    with pytest.raises(InputError, match="logs: no logs of finished jobs"):
        resources.measure([tmp_path])
    write_log(tmp_path, "s/learn_direct/real/b.block1/mine.log", 50, 60, 1450)
    write_log(tmp_path, "s/show.log", 10, 12, 400)
    (tmp_path / "logs/s/noise.log").write_text("killed before its end\n")
    learned, shown = resources.Use([60.0], [1450.0], True), resources.Use([12.0], [400.0], False)
    assert resources.measure([tmp_path]) == {"learn_direct": learned, "show": shown}


def test_programs_of_others_stand_for_those_of_users(tmp_path):
    write_log(tmp_path, "s/external/real/all/tetrad_pc.log", 8, 9, 350)
    write_log(tmp_path, "s/external/simulated/all/function.log", 3, 4, 250)
    used = resources.measure([tmp_path])
    assert used["program"].seconds == used["function"].seconds == [9.0, 4.0]
    assert used["tetrad_pc"] == resources.Use([9.0], [350.0], True)
    assert used["program"].supervised


TRIES = (1, 2, 3)


def amount(text, attempt):
    return eval(str(text), {"attempt": attempt})


@given(
    st.lists(st.tuples(st.floats(0.1, 1e5), st.floats(1, 1e5)), min_size=1, max_size=9),
    st.booleans(),
    st.floats(500, 50000),
)
def test_a_request_has_room_and_grows(jobs, supervised, limit):
    use = resources.Use([s for s, _ in jobs], [mb for _, mb in jobs], supervised)
    request = resources.request(use, 1.0, limit)
    memory = [amount(request["mem_mb"], attempt) for attempt in TRIES]
    minutes = [amount(request["runtime"], attempt) for attempt in TRIES]
    assert memory[0] >= 1.5 * max(use.megabytes) + 500
    assert minutes[0] * 60 >= 3 * max(use.seconds)
    assert [memory[0] * 2, memory[1] * 2] == memory[1:]
    assert [minutes[0] * 4, minutes[1] * 4] == minutes[1:]
    if supervised:  # the run is stopped before the job
        assert memory[2] >= limit + resources.PACKAGES_MB + 500


def test_a_block_replaces_the_one_before_and_nothing_else():
    profile = "jobs: 9\nset-resources:\n  old: {mem_mb: 1}\n\n  older: {mem_mb: 2}\n# kept\nretries: 2\n"
    new = resources.block({"learn": resources.Use([60.0], [300.0])}, 1.0, 4000)
    text = resources.replace_block(profile, new)
    assert yaml.safe_load(text) == {
        "jobs": 9,
        "set-resources": {"learn": {"mem_mb": "1000 * 2 ** (attempt - 1)", "runtime": "4 * 4 ** (attempt - 1)"}},
        "retries": 2,
    }
    assert "# kept" in text
    assert resources.replace_block("jobs: 9\n", new) == "jobs: 9\n" + new


def test_the_command_writes_into_a_profile(tmp_path, capsys):
    write_log(tmp_path, "report.log", 1, 1, 20)
    resources.main([str(tmp_path)])
    output = capsys.readouterr().out
    profile = tmp_path / "config.yaml"
    profile.write_text("executor: slurm\n")
    resources.main([str(tmp_path), "--write", str(profile)])
    assert profile.read_text() == "executor: slurm\n" + output


def profile():
    return read_yaml(ROOT / "profiles" / "slurm" / "config.yaml")


def test_the_profile_asks_for_more_on_each_try_and_leaves_supervision_the_last_word():
    limit = read_yaml(ROOT / "config" / "config.yaml")["memory_limit"]
    for rule, limits in profile()["set-resources"].items():
        for key in ("mem_mb", "runtime"):
            values = [amount(limits[key], attempt) for attempt in TRIES]
            assert values == sorted(set(values)), rule
    supervised = [
        rule for rule in profile()["set-resources"] if rule.startswith(("learn", "tetrad_pc", *resources.MADE_FROM))
    ]
    for rule in supervised:
        assert amount(profile()["set-resources"][rule]["mem_mb"], 3) > limit + resources.PACKAGES_MB
    assert supervised
    assert profile()["retries"] == len(TRIES) - 1


@pytest.fixture
def run(tmp_path):
    """A run of one batch; steck3 takes some 0.3 seconds at 1000 records of up to 20 variables."""
    results = tmp_path / "results" / "growth"
    base = {"study": "growth", "grid": "g", "cell": "c", "replicate": 0, "network": "child", "status": "ok"}
    times = [(1000, 0.3), (500, 0.2), (2000, 0.8)]
    rows = [base | {"method": "steck3", "n": n, "seconds": seconds} for n, seconds in times]
    rows += [base | {"method": "mgcd", "n": 500, "status": "error", "seconds": None}]
    (results / "simulated" / "b").mkdir(parents=True)
    parquet.write_records(results / "simulated" / "b" / "metrics.parquet", rows, schemas.METRICS)
    (results / "claims.csv").write_text("")
    for job, seconds in {"sample/b": 1.0, "evaluate/simulated/b": 2.0, "show": 2.5, "collect": 1.0}.items():
        write_log(tmp_path, f"growth/{job}.log", seconds, 0, 0)
    return tmp_path


def test_a_method_costs_the_seconds_of_all_its_runs(run, capsys):
    target = run / "costs.csv"
    target.write_text("kind,name,seconds\nmethod,bach,0.5\nmethod,steck3,9\n")
    costs.main([str(run), "--write", str(target)])
    assert read_costs(target) == {
        ("method", "bach"): 0.5,  # as it was
        ("method", "steck3"): 0.325,  # 1.3 seconds of what should take 4
        ("job", ""): 1.5,
        ("study", ""): 3.5,
    }
    assert capsys.readouterr().out == f"{target}: 3 costs measured\n"


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="no results of a study"):
        costs.main([str(tmp_path)])
