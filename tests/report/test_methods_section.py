"""The methods section, its references, where a report comes from, and the tables of costs."""

import subprocess
from dataclasses import replace

import pandas as pd
import pytest
from made_report import study
from script_tools import script

from cutpoint.base.checking import read_yaml
from cutpoint.base.text import listed
from cutpoint.bench.data.parquet import write_data
from cutpoint.bench.engine.declaration import study_file, study_names
from cutpoint.bench.report.page import render
from cutpoint.bench.report.provenance import NO_CLONE, by_method, by_rule, command, commit, provenance
from cutpoint.bench.report.study import grid_rows
from cutpoint.bench.runs.jobs import Spent
from cutpoint.bench.workflow.settings import Study
from cutpoint.method import registry

TABLES = (registry.INTEGRATED, registry.LEARNERS, registry.PATTERN_LEARNERS, registry.DISCRETE_PATTERN_LEARNERS)
UNCITED = {"equal_width", "equal_frequency", "ll", "consensus"}  # of textbooks, and of no paper


def load(name):
    return Study.model_validate(read_yaml(study_file(name)))


def test_every_part_of_a_method_is_cited():
    names = {name for table in TABLES for name in table} | set(registry.DISCRETIZERS) | set(registry.CONTINUOUS_SCORES)
    assert (names | set(registry.SCORES) | {"stable"}) - UNCITED == registry.references().keys()
    cited = script("report").references_of(
        [{"policy": "steck", "learner": "hill_climbing", "score": "bdeu"}, {"policy": "steck_exact"}]
    )
    assert [text.split(",")[0] for text in cited] == ["Heckerman", "Steck"]


@pytest.mark.parametrize("name", study_names())
@pytest.mark.parametrize("scale", ["published", "quick"])
def test_every_grid_family_and_experiment_has_a_row_of_what_it_declares(name, scale):
    about = load(name)
    rows = {row["grid"]: row for row in grid_rows(about, scale)}
    assert {*rows} == {*about.grids, *about.random_networks, *about.experiments}
    assert "None" not in str(rows)
    for grid_name, grid in about.grids.items():
        networks = about.scales[scale].of("networks", grid_name) or grid.networks
        assert rows[grid_name]["data"] == ", ".join(grid.datasets or networks)


def test_a_row_has_what_the_scale_and_the_noises_say():
    rows = {row["grid"]: row for row in grid_rows(load("fu2005"), "quick")}
    assert rows["sigma"] == {
        "grid": "sigma",
        "data": "child",
        "records": "500",
        "replicates": "2",
        "made by": "kind=gaussian, sigma=0.3; kind=gaussian, sigma=0.4",
    }
    own, missing = grid_rows(load("own"), "published"), grid_rows(load("missing"), "published")
    assert "kind=cross_validation" in [row["made by"] for row in own]
    assert "missing=(mechanism=mcar, share=0.05, treatment=drop)" in missing[0]["made by"]


def test_costs_count_what_ended_well():
    rows = [
        {"method": "a", "status": "ok", "seconds": 1.0, "peak_mb": 5.0},
        {"method": "a", "status": "ok", "seconds": 3.0, "peak_mb": 9.0},
        {"method": "a", "status": "error", "seconds": 99.0, "peak_mb": 999.0},
        {"method": "b", "status": "ok", "seconds": None, "peak_mb": None},
    ]
    a, b, c = by_method(pd.DataFrame(rows), {"a": "A", "b": "B", "c": "C"})
    assert a == {"label": "A", "runs": 2, "median": 2.0, "total": 4.0, "peak": 9.0}
    assert b == {"label": "B", "runs": 1, "median": None, "total": None, "peak": None}
    assert c == {"label": "C", "runs": 0, "median": None, "total": None, "peak": None}


def test_costs_by_rule(tmp_path):
    for name, spent in {"learn/x/a": (1.5, 2, 9), "learn/x/b": (2.5, 3, 9), "tables": (9, 8, 1)}.items():
        path = tmp_path / f"{name}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"x\n{Spent(*spent)}\n")
    (tmp_path / "learn" / "c.log").write_text("killed\n1 CPU seconds, 1 s, 1 MB\nno end\n")
    expected = [("tables", 1, 9.0, 8.0), ("learn", 2, 4.0, 5.0)]
    assert by_rule(tmp_path) == [dict(zip(("rule", "jobs", "cpu", "wall"), row, strict=True)) for row in expected]
    assert by_rule(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("items", "text"), [(["a"], "a"), (["a", "b"], "a and b"), ([1.5, 2, 3], "1.5, 2 and 3"), ([], "")]
)
def test_lists_in_words(items, text):
    assert listed(items) == text


def test_the_commit_of_a_clone_says_whether_it_is_clean(tmp_path):
    clone = tmp_path / "clone"
    (clone / "inside").mkdir(parents=True)
    assert commit(clone) == NO_CLONE
    file = clone / "file"
    file.write_text("a")
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", "-C", str(clone), *words], check=True)
    assert commit(clone).endswith(", clean")
    file.write_text("b")
    assert commit(clone).endswith(", files changed since: 1")
    assert commit(clone / "inside") == NO_CLONE  # an environment may lie in the clone of something else


def test_a_report_says_what_it_was_made_from(tmp_path):
    write_data(tmp_path / "one.parquet", [], [], status="unavailable", message="", sha256={"one.data": "abc"})
    mine = tmp_path / "my.csv"
    mine.write_text("a,b\n")
    made = "uv run snakemake --cores all --config study={} scale=quick".format
    studies = [replace(study(name), command=made(name), rules=[{"cpu": 1234.0}]) for name in ("paper", "other")]
    facts = provenance(studies, tmp_path, [mine])
    assert facts["CPU seconds"].startswith("2,468 ")
    assert facts["sha256 of one.data"] == "abc"
    assert len(facts["sha256 of my.csv"]) == 64
    assert command(studies) == made("paper").replace("study=paper", "'studies=[paper,other]'")
    assert command(studies[:1]) == made("paper")
    assert all(facts.values())
    assert "<dt>sha256 of one.data</dt><dd>abc</dd>" in render(studies, provenance=facts)
