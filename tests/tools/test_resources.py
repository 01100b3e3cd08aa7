"""What a cluster is asked for: a block that follows from benchmarks and runs, and that Snakemake understands."""

import re
from pathlib import Path

import pytest
import resources
import yaml
from hypothesis import given
from hypothesis import strategies as st
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def write_benchmark(folder, path, seconds, rss):
    file = folder / "logs" / "benchmarks" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEADER + f"{seconds}\t0:00:00\t{rss}\t0\t0\t0\t0\t0\t0\t0\n")


def write_runs(folder, path, *peaks):
    empty = dict.fromkeys(schemas.RUNS.names)
    about = {"method": "m", "cell": "c", "status": "ok", "message": "", "kind": "dag"}
    rows = [empty | about | {"replicate": r, "peak_mb": peak} for r, peak in enumerate(peaks)]
    file = folder / "results" / path
    file.parent.mkdir(parents=True)
    parquet.write_records(file, rows, schemas.RUNS)


def test_every_benchmark_of_the_workflow_names_a_rule_of_it():
    text = "".join(path.read_text() for path in (ROOT / "workflow").rglob("*.smk"))
    rules = set(re.findall(r"^ *rule (\w+):|^ *use rule \w+ as (\w+) with", text, re.MULTILINE))
    rules = {name for pair in rules for name in pair}
    paths = re.findall(r'"logs/benchmarks/(.*)"', text)
    assert len(paths) > 20
    for path in paths:
        filled = re.sub(r"{(\w+)}", lambda match: {"job": "tetrad_pc"}.get(match[1], "x"), path)
        assert resources.rule_of(Path(filled)) in rules, path


def test_the_children_of_a_job_count_also_where_its_benchmark_does_not_see_them(tmp_path):
    write_benchmark(tmp_path, "s/learn_direct/real/b.block1/mine.tsv", 60, 5.5)
    write_runs(tmp_path, "s/real/b.block1/learned/mine/runs.parquet", 300.0, None, 1200.0)
    write_benchmark(tmp_path, "s/noise/b.block1.tsv", 30, "NA")
    write_benchmark(tmp_path, "s/show.tsv", 12, 400)
    used = resources.measure([tmp_path])
    assert used["learn_direct"] == resources.Use([60.0], [resources.PACKAGES_MB + 1200], True)
    assert used["noise"] == resources.Use([30.0], [resources.PACKAGES_MB], False)
    assert used["show"] == resources.Use([12.0], [400.0], False)
    assert used.keys() == {"learn_direct", "noise", "show"}


def test_the_children_of_discretizers_count(tmp_path):
    write_benchmark(tmp_path, "s/discretize/simulated/asia.n100.block0/built_in.tsv", 5, 20)
    runs = {"discretizer": "equal_width(bins=2)", "cell": "c", "replicate": 0, "status": "ok", "peak_mb": 40.0}
    file = tmp_path / "results/s/simulated/asia.n100.block0/discretized/built_in.parquet"
    file.parent.mkdir(parents=True)
    parquet.write_records(file, [dict.fromkeys(schemas.DISCRETIZED.names) | runs], schemas.DISCRETIZED)
    assert resources.measure([tmp_path]) == {"discretize": resources.Use([5.0], [resources.PACKAGES_MB + 40], True)}


def test_programs_of_others_stand_for_those_of_users(tmp_path):
    write_benchmark(tmp_path, "s/external/real/all/tetrad_pc.tsv", 9, 20)
    write_runs(tmp_path, "s/real/all/learned/tetrad_pc/runs.parquet", 100.0)
    write_benchmark(tmp_path, "s/external/simulated/all/function.tsv", 4, 20)
    used = resources.measure([tmp_path])
    assert used["program"].seconds == used["function"].seconds == [9.0, 4.0]
    assert used["tetrad_pc"] == resources.Use([9.0], [resources.PACKAGES_MB + 100], True)
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
    write_benchmark(tmp_path, "report.tsv", 1, 20)
    resources.main([str(tmp_path)])
    output = capsys.readouterr().out
    profile = tmp_path / "config.yaml"
    profile.write_text("executor: slurm\n")
    resources.main([str(tmp_path), "--write", str(profile)])
    assert profile.read_text() == "executor: slurm\n" + output


@pytest.mark.parametrize("content", ["", "a\tb\n1\t2\n", HEADER + "x\t0\t1\n"])
def test_a_file_that_is_no_benchmark_is_named(tmp_path, content):
    file = tmp_path / "logs" / "benchmarks" / "report.tsv"
    file.parent.mkdir(parents=True)
    file.write_text(content)
    with pytest.raises(InputError, match=r"report\.tsv: not a benchmark of Snakemake"):
        resources.measure([tmp_path])


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
