"""All studies from end to end at the tiny scale."""

import csv

import numpy as np
import pytest
from workflow_tools import artefacts, expected

from cutpoint.bench.data import parquet
from cutpoint.discretization.encoding import encode
from cutpoint.networks.network import read_network

pytestmark = pytest.mark.slow
CLAIMS = {"mabrouk2015": "M", "steck2007": "S", "tran2013": "T", "maua2018": None, "calibration": "C", "growth": "G"}
CLAIMS |= {"fu2005": "F", "missing": "N"}


@pytest.mark.parametrize("study", CLAIMS)
def test_every_artefact_and_every_verdict_is_there(all_studies, study):
    assert artefacts(all_studies / study) == expected(study)
    for path in (all_studies / study / "tables").glob("*.md"):
        if path.stem == "table_searches" or (study == "tran2013" and path.stem != "table_explanations"):
            # others want real data or more runs than tiny ones, or hold what one side alone can tell
            assert "not available" not in path.read_text(), path.name
    with open(all_studies / study / "claims.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part"]]
    assert all(row["verdict"] for row in rows)
    assert bool(rows) == bool(CLAIMS[study])
    assert all(row["claim"].removeprefix(CLAIMS[study]).isdecimal() for row in rows)
    assert study in (all_studies / "report.html").read_text()


@pytest.fixture
def mabrouk(all_studies):
    """The results of the study with random networks and records to predict."""
    return all_studies / "mabrouk2015"


def part(path, cell):
    """Return the data sets of a cell."""
    (found,) = (part for part in parquet.open_parts(path) if part.metadata["cell"] == cell)
    return found


def test_each_replicate_has_its_network_and_its_intervals(mabrouk):
    batch = mabrouk / "simulated" / "all"
    codes = part(batch / "codes.parquet", "random-n200")
    values, narrow = (part(batch / "values.parquet", f"random-n200-{noise}") for noise in ("truncated", "narrow"))
    for (r, discrete), (_, data), (_, other) in zip(codes, values, narrow, strict=True):
        network = read_network(mabrouk / f"networks/random/block0/random-{r}.bif")
        assert sorted(data.variables) == sorted(network.variables)
        assert discrete.about["truth"] == data.about["truth"] == f"random-{r}"
        thresholds = [np.array(data.about["thresholds"][column]) for column in data.columns]
        order = [discrete.variables.index(name) for name in data.variables]
        assert np.array_equal(encode(data.values, thresholds), discrete.values[:, order])
        assert (other.variables, other.about["thresholds"]) == (data.variables, data.about["thresholds"])
    assert codes.read(0).variables != codes.read(1).variables
