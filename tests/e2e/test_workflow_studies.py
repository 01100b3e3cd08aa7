"""All studies from end to end at the tiny scale."""

import csv

import pytest
from workflow_tools import artefacts, expected

CLAIMS = {"mabrouk2015": "M", "steck2007": "S", "tran2013": "T", "maua2018": None, "calibration": "C", "growth": "G"}
CLAIMS |= {"fu2005": "F", "missing": "N"}


@pytest.mark.parametrize("study", CLAIMS)
def test_every_artefact_and_every_verdict_is_there(all_studies, study):
    assert artefacts(all_studies / study) == expected(study)
    for path in (all_studies / study / "tables").glob("*.md"):
        if path.stem == "table_searches" or (study == "tran2013" and path.stem != "table_readings"):
            # others want real data or more runs than tiny ones, or hold what one side alone can tell
            assert "not available" not in path.read_text(), path.name
    with open(all_studies / study / "claims.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part"]]
    assert all(row["verdict"] for row in rows)
    assert bool(rows) == bool(CLAIMS[study])
    assert all(row["claim"].removeprefix(CLAIMS[study]).isdecimal() for row in rows)
    assert study in (all_studies / "report.html").read_text()
