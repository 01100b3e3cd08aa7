"""What runs again when a study grows, a file is deleted or a limit changes, and which runs are kept."""

import re
import shutil

import pytest
from slurm_tools import METRICS
from workflow_tools import only

from cutpoint.bench.data import parquet, schemas

STUDY = "workflow/studies/fu2005/study.yaml"
FOLDER = "results/fu2005/simulated"
AFTER = ["all", "collect", "report", "show"]
OF_A_BATCH = ["discretize", "evaluate", "learn", "learn_direct", "noise", "sample"]
# What is deleted, and the rule that makes it.
INTERMEDIATE = {
    "values.parquet": "noise",
    "codes.parquet": "sample",
    "discretized/built_in.parquet": "discretize",
    "learned/prediscretization/edges.parquet": "learn",
    "learned/direct/thresholds.parquet": "learn_direct",
}
SLOW = 60  # records, with which methods that are slow are so; they are warmed with other numbers
METHODS = f"""
import time
import numpy as np
from cutpoint import Learned

def soon(values, discrete):
    return [np.median(column, keepdims=True) for column in values.T]

def late(values, discrete):
    time.sleep(12.0 * (len(values) == {SLOW}))
    return soon(values, discrete)

def quick(values, discrete):
    return Learned(dag=np.zeros((len(discrete), len(discrete)), dtype=bool))

def naps(values, discrete):
    time.sleep(12.0 * (len(values) == {SLOW}))
    return quick(values, discrete)
"""


def study(*, replicates=2, methods=("eqwidth3", "bach"), networks=("asia",), n=(SLOW,), **keys):
    """Return a change of a study to a small one."""
    grid = {"networks": [*networks], "n": [*n], "noises": ["sigma0.35"], "methods": [*methods]}
    return lambda old: only(old, grid, replicates=replicates, **keys) | {"block": 1}


def batches(done):
    """Return the batches of which files are made."""
    lines = [line for line in done.text.splitlines() if line.startswith("    output: ")]
    return {name for line in lines for name in re.findall(rf"{FOLDER}/([^/]+)/", line)}


def runs(folder, job, batch="all"):
    """Return the runs of a job by method, cell and replicate."""
    rows, _ = parquet.read_records(folder / FOLDER / batch / "learned" / job / "runs.parquet", schemas.RUNS)
    return {tuple(row[name] for name in schemas.IDENTITY): row for row in rows}


def kept(folder, rule, job, batch="all"):
    """Return how many runs a job has kept, by its log."""
    log = folder / "logs" / "fu2005" / rule / "simulated" / batch / f"{job}.log"
    return log.read_text().count(" kept\n")


@pytest.fixture(scope="module")
def cut(workflow, tmp_path_factory):
    """A finished run of a study in batches of one replicate."""
    folder = workflow.folder(tmp_path_factory.mktemp("cut") / "run")
    with workflow.edited_yaml(STUDY, study()):
        done = workflow.listed(folder)
        assert done.code == 0, done.text
        yield folder


@pytest.mark.parametrize(
    ("grown", "new"),
    [
        ({"networks": ["asia", "sachs"]}, {"sachs.n60.block0", "sachs.n60.block1"}),
        ({"n": [SLOW, 80]}, {"asia.n80.block0", "asia.n80.block1"}),
        ({"replicates": 3}, {"asia.n60.block2"}),
    ],
)
def test_what_a_study_has_more_of_is_all_that_runs(workflow, cut, grown, new):
    with workflow.edited_yaml(STUDY, study(**grown)):
        done = workflow.plan(cut)
    assert batches(done) == new
    assert done.jobs == sorted([*AFTER, *OF_A_BATCH * len(new)])


def test_a_deleted_file_is_made_again_and_changes_nothing(workflow, cut, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(cut, folder)
    metrics, _ = parquet.read_records(folder / METRICS, schemas.METRICS)
    for name, rule in INTERMEDIATE.items():
        path = folder / FOLDER / "asia.n60.block0" / name
        path.unlink()
        done = workflow.plan(folder)
        assert batches(done) == {"asia.n60.block0"}, name
        assert rule in done.jobs
    done = workflow.listed(folder)
    assert done.code == 0, done.text
    assert done.jobs == sorted([*AFTER, *OF_A_BATCH])
    assert all((folder / FOLDER / "asia.n60.block0" / name).exists() for name in INTERMEDIATE)
    assert parquet.read_records(folder / METRICS, schemas.METRICS)[0] == metrics  # with all times
    assert workflow.plan(folder).jobs == []


def test_a_study_in_one_batch_keeps_its_runs_as_it_grows_unless_a_rule_is_forced(workflow, tmp_path):
    folder, before = workflow.folder(tmp_path / "run"), {}
    jobs = {"prediscretization": "learn", "direct": "learn_direct"}
    grown = {"methods": ["eqwidth3", "bach"]}
    for more in ({}, {"methods": ["eqwidth3", "eqwidth2", "bach"]}, {"n": [SLOW, 80]}, {"replicates": 3}):
        grown |= more
        with workflow.edited_yaml(STUDY, study(**grown, together=True)):
            done = workflow.listed(folder, METRICS)
            assert done.code == 0, done.text
        for job, rule in jobs.items():
            if rule not in done.jobs:  # it has none of the further methods
                assert (job, more.keys()) == ("direct", {"methods"})
                continue
            after, earlier = runs(folder, job), before.get(job, {})
            assert {key: after[key] for key in earlier} == earlier  # with all times, to the last bit
            assert len(after) > len(earlier)
            assert kept(folder, rule, job) == len(earlier)
            before[job] = after
    with workflow.edited_yaml(STUDY, study(**grown, together=True)):
        assert workflow.plan(folder, METRICS).jobs == []
        done = workflow.listed(folder, METRICS, "--forcerun", "learn")
    assert done.code == 0, done.text
    assert done.jobs == ["collect", "evaluate", "learn"]
    assert kept(folder, "learn", "prediscretization") == 0
    after, earlier = runs(folder, "prediscretization"), before["prediscretization"]
    assert after.keys() == earlier.keys()
    assert all(after[key]["learn_seconds"] != earlier[key]["learn_seconds"] for key in earlier)
    assert runs(folder, "direct") == before["direct"]


def own_rows(folder):
    """Return rows of one's own: two methods in a job, and two discretizers in a file."""

    def change(rows):
        method = folder / "mine.py"
        direct = {"category": "direct", "job": "mine"}
        mine = {name: direct | {"label": name, "learner": f"{method}:{name}"} for name in ("quick", "naps")}
        cuts = {"category": "prediscretization", "job": "cuts", "learner": "hill_climbing", "score": "bdeu"}
        mine |= {name: cuts | {"label": name, "discretizer": f"{method}:{name}"} for name in ("soon", "late")}
        return rows | mine

    return change


def test_other_limits_run_what_did_not_end_well_and_nothing_else(workflow, tmp_path):
    folder, batch = workflow.folder(tmp_path / "run"), "asia.n60.block0"
    (folder / "mine.py").write_text(METHODS)
    with (
        workflow.edited_yaml("config/methods.yaml", own_rows(folder)),
        workflow.edited_yaml(STUDY, study(replicates=1, methods=["bach", "quick", "naps", "soon", "late"])),
    ):
        done = workflow.listed(folder, METRICS, time_limit=2)
        assert done.code == 0, done.text
        assert status(folder) == {"bach": "ok", "quick": "ok", "soon": "ok", "naps": "timeout", "late": "timeout"}
        before = {job: runs(folder, job, batch) for job in ("mine", "cuts", "direct")}
        assert workflow.plan(folder, METRICS, time_limit=2).jobs == []

        done = workflow.listed(folder, METRICS, time_limit=90)
        assert done.code == 0, done.text
        assert done.jobs == ["collect", "discretize", "evaluate", "learn", "learn_direct"]
        assert set(status(folder).values()) == {"ok"}
        for job, (rule, good) in {"mine": ("learn_direct", "quick"), "cuts": ("learn", "soon")}.items():
            key = (good, "asia-n60-sigma0.35", 0)
            assert runs(folder, job, batch)[key] == before[job][key]  # with all times, to the last bit
            assert kept(folder, rule, job, batch) == 1
        assert runs(folder, "direct", batch) == before["direct"]
        for limit in (90, 2):
            assert workflow.plan(folder, METRICS, time_limit=limit).jobs == []


def status(folder):
    """Return how each method ended."""
    rows, _ = parquet.read_records(folder / METRICS, schemas.METRICS)
    return {row["method"]: row["status"] for row in rows}
