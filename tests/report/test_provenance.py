"""Where a report comes from: of a clone, of a folder inside another clone, and of the commands and data of a run."""

import subprocess
from dataclasses import replace

from made_report import study

from cutpoint.bench.data.parquet import write_data
from cutpoint.bench.report.page import render
from cutpoint.bench.report.provenance import NO_CLONE, command, commit, provenance


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
