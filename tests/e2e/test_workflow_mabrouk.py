"""The study of Mabrouk from end to end at the tiny scale, and its methods in Fu's study."""

import csv

import numpy as np
import pytest
import yaml
from workflow_tools import ROOT, records

from cutpoint.data import parquet, schemas
from cutpoint.discretization.encoding import encode
from cutpoint.networks.network import read_network
from cutpoint.networks.noise import code_thresholds

pytestmark = pytest.mark.slow
ABOUT = yaml.safe_load((ROOT / "config" / "studies" / "mabrouk2015.yaml").read_text())
STUDY = "results/mabrouk2015"


@pytest.fixture(scope="module")
def mabrouk(workflow, finished, tmp_path_factory):
    """A finished run; `finished` comes before it so that most kernels are compiled."""
    folder = workflow.folder(tmp_path_factory.mktemp("mabrouk") / "run")
    done = workflow.run(folder, study="mabrouk2015")
    assert done.code == 0, done.text
    return folder


def test_every_artefact_is_there(mabrouk):
    written = {
        f"{path.parent.name}/{path.name}"
        for kind in ("tables", "figures")
        for path in (mabrouk / STUDY / kind).iterdir()
    }
    expected = {f"tables/{name}.{kind}" for name in ABOUT["tables"] for kind in ("csv", "md", "tex", "json", "html")}
    assert written == expected | {
        f"figures/{name}.{kind}" for name in ABOUT["figures"] for kind in ("pdf", "svg", "png")
    }
    with open(mabrouk / STUDY / "claims.csv", newline="") as file:
        assert [row["claim"] for row in csv.DictReader(file) if not row["part"]] == ["M1", "M2", "M3", "M4", "M5"]
    text = (mabrouk / "results" / "report.html").read_text()
    assert "Mabrouk" in text
    assert "fu2005" not in text


def test_every_run_is_good(mabrouk):
    rows, _ = parquet.read_records(mabrouk / STUDY / "metrics.parquet", schemas.METRICS)
    assert len(rows) == 3 * 2 * (1 + 2 + 1)  # methods x replicates x cells
    assert {row["status"] for row in rows} == {"ok"}
    assert {row["network"] for row in rows} == {"random", "asia"}
    assert all(0 <= row["adjusted_rand"] <= 1 for row in rows)
    predicted, _ = parquet.read_records(mabrouk / STUDY / "predictions.parquet", schemas.PREDICTIONS)
    assert len(predicted) == 3 * 2 * 3 * 3  # methods x replicates x targets x shares
    assert {row["status"] for row in predicted} == {"ok"}
    assert {row["records"] for row in predicted} == {67}


def test_each_replicate_has_its_network_and_its_intervals(mabrouk):
    codes = parquet.open_data(mabrouk / STUDY / "data/random/n200/0-1/discrete.parquet")
    values = parquet.open_data(mabrouk / STUDY / "data/random/n200/0-1/truncated/continuous.parquet")
    narrow = parquet.open_data(mabrouk / STUDY / "data/random/n200/0-1/narrow/continuous.parquet")
    for (r, discrete), (_, data), (_, other) in zip(codes, values, narrow, strict=True):
        network = read_network(mabrouk / STUDY / f"networks/random-{r}.bif")
        assert data.variables == sorted(network.variables)
        assert discrete.about["truth"] == data.about["truth"] == f"random-{r}"
        thresholds = [np.array(data.about["thresholds"][v]) for v in data.variables]
        assert np.array_equal(encode(data.values, thresholds), discrete.values)
        assert other.about["thresholds"] == data.about["thresholds"]
    assert codes.read(0).variables != codes.read(1).variables


def test_records_held_out_share_the_intervals_and_the_targets(mabrouk):
    folder = mabrouk / STUDY / "data/asia/n200/0-1"
    codes, learned, test = (parquet.open_data(folder / name) for name in
                            ("discrete.parquet", "uniform/continuous.parquet", "uniform/test.parquet"))  # fmt: skip
    for (_, discrete), (_, first), (_, last) in zip(codes, learned, test, strict=True):
        assert (len(first.values), len(last.values)) == (133, 67)
        assert first.about["thresholds"] == last.about["thresholds"]
        assert first.frozen.sum() == 3
        assert np.array_equal(first.frozen, last.frozen)
        thresholds = [np.array(first.about["thresholds"][v]) for v in first.variables]
        both = np.vstack([first.values, last.values])
        assert np.array_equal(encode(both, thresholds), discrete.values)
        binary = code_thresholds([2])[0].tolist()
        assert all(first.about["thresholds"][v] == binary for v in np.array(first.variables)[first.frozen])


def test_results_do_not_depend_on_batches_or_cores(workflow, mabrouk, tmp_path):
    other = workflow.folder(tmp_path / "other")
    done = workflow.run(
        other, f"{STUDY}/metrics.parquet", f"{STUDY}/predictions.parquet", study="mabrouk2015", cores=1, batch=1
    )
    assert done.code == 0, done.text
    for name, schema in (("metrics", schemas.METRICS), ("predictions", schemas.PREDICTIONS)):
        found = records(other / STUDY / f"{name}.parquet", schema)
        assert found == records(mabrouk / STUDY / f"{name}.parquet", schema)
    for path in sorted((mabrouk / STUDY / "networks").iterdir()):
        assert (other / STUDY / "networks" / path.name).read_bytes() == path.read_bytes()


def test_its_methods_join_another_study_when_asked(workflow, finished):
    extra = "[mgcd,ruichu,friedman_tabu]"
    batch = "results/fu2005/batches/simulated-2cells-41f9da-0-1"
    done = workflow.run(finished[0], f"{batch}/methods/mabrouk/runs.parquet", extra_methods=extra)
    assert done.code == 0, done.text
    rows, _ = parquet.read_records(finished[0] / batch / "methods/mabrouk/runs.parquet", schemas.RUNS)
    assert {row["method"] for row in rows} == {"mgcd", "ruichu", "friedman_tabu"}
    assert {row["status"] for row in rows} == {"ok"}
    done = workflow.plan(finished[0], extra_methods="[mgdc]")
    assert done.code != 0
    assert "config: extra_methods: unknown 'mgdc'; did you mean 'mgcd'?" in done.text


def test_all_studies_are_planned_together(workflow, tmp_path):
    done = workflow.plan(tmp_path / "run", study=None)
    assert done.code == 0, done.text
    assert {"tables_fu2005", "tables_mabrouk2015", "predict", "random_networks_mabrouk2015"} <= set(done.jobs)
