"""What a run of the workflow finds in all studies at the tiny scale stays as it is."""

import pytest
from finished_runs import claim_rows, learned_rows, measured_rows, studies, table_rows
from workflow_tools import ROOT

from cutpoint.base.checking import read_yaml

STUDIES = tuple(sorted(read_yaml(ROOT / "config" / "config.yaml")["studies"]))


def test_all_studies_have_results(all_studies):
    assert tuple(studies(all_studies)) == STUDIES


@pytest.mark.parametrize("study", [*STUDIES, "own"])
def test_numbers_of_a_tiny_run(golden, study, request):
    results = request.getfixturevalue("own_study" if study == "own" else "all_studies")
    kept = golden(f"{study}/tiny")
    for name, rows in measured_rows(results, study):
        kept.rows(f"{name}.csv", rows)
    if rows := list(learned_rows(results, study)):
        kept.rows("learned.csv", rows)
    kept.rows("tables.csv", list(table_rows(results, study)))
    kept.rows("claims.csv", list(claim_rows(results, study)))
    kept.check()
