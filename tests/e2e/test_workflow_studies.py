"""The studies that rest on experiments, from end to end at the tiny scale."""

import csv
import re

import pytest

from cutpoint.base.checking import read_yaml
from cutpoint.studies.declaration import study_file

pytestmark = pytest.mark.slow
CLAIMS = {"steck2007": "S", "tran2013": "T", "maua2018": None, "calibration": "C", "growth": "G"}


@pytest.fixture(scope="module")
def several(workflow, finished, tmp_path_factory):
    """A finished run of the studies; `finished` comes before it so that most kernels are compiled."""
    folder = workflow.folder(tmp_path_factory.mktemp("several") / "run")
    done = workflow.run(folder, study=None, studies=f"[{','.join(CLAIMS)}]")
    assert done.code == 0, done.text
    return folder / "results"


@pytest.mark.parametrize("study", CLAIMS)
def test_every_artefact_is_there(several, study):
    about = read_yaml(study_file(study))
    for kind, endings in (("tables", ("csv", "md", "tex", "json", "html")), ("figures", ("pdf", "svg", "png"))):
        written = {path.name for path in (several / study / kind).iterdir()}
        assert written == {f"{name}.{ending}" for name in about[kind] for ending in endings}
    for path in (several / study / "tables").glob("*.md"):
        if study == "tran2013" or path.stem == "table_searches":  # others want real data or more runs than tiny ones
            assert "not available" not in path.read_text(), path.name
    for name in about.get("experiments", []):
        assert (several / study / "experiments" / f"{name}.parquet").stat().st_size > 1000


@pytest.mark.parametrize("study", CLAIMS)
def test_every_claim_has_a_verdict(several, study):
    with open(several / study / "claims.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part"]]
    assert all(row["verdict"] for row in rows)
    assert bool(rows) == bool(CLAIMS[study])
    assert all(re.fullmatch(rf"{CLAIMS[study]}\d+", row["claim"]) for row in rows)


def test_the_report_shows_all_of_them(several):
    text = (several / "report.html").read_text()
    assert all(study in text for study in CLAIMS)


def test_an_option_of_an_experiment_makes_it_again_alone(workflow, several):
    def more(about):
        about["scales"]["tiny"]["experiments"]["recovery"]["samples"] = 11
        return about

    with workflow.edited_yaml("config/studies/tran2013.yaml", more):
        done = workflow.plan(several.parent, study="tran2013")
    assert done.code == 0, done.text
    assert done.jobs == sorted(
        ["all", "claims_tran2013", "experiment", "figures_tran2013", "report", "tables_tran2013"]
    )
