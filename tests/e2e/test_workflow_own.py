"""The workflow on a file of the user's own, from end to end at the tiny scale."""

import numpy as np
import pytest
import slurm_tools
from user_tables import VARIABLES, table, text, truth
from workflow_tools import artefacts, expected, records

import cutpoint as cp
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.results import Results
from cutpoint.networks.network import write_network
from cutpoint.posteriors import CHAINS

STUDY = "results/own"
METHODS = ["eqfreq3", "bach", "broken"]
SETTINGS = {"study": None, "drop": "serial", "missing": "drop", "resample": "jackknife", "posterior": True}
SETTINGS["methods"] = f"[{','.join(METHODS)}]"
BROKEN = "def broken(values, discrete):\n    raise RuntimeError(f'no luck with {len(values)} records')\n"


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """The folder in which a user stands, with data, a true network and a method that fails."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "cars.csv").write_text(text(table()))
    (folder / "broken.py").write_text(BROKEN)
    write_network(truth(), folder / "cars.bif")
    return folder


@pytest.fixture(scope="module")
def broken(workflow, user):
    """A row of the user's own in the methods file, while the tests of this module run."""
    row = {"label": "Broken", "category": "prediscretization", "discretizer": f"{user / 'broken.py'}:broken"}
    row |= {"learner": "hill_climbing", "score": "bdeu", "studies": []}
    with workflow.edited_yaml("config/methods.yaml", lambda rows: {**rows, "broken": row}):
        yield row


@pytest.fixture(scope="module")
def own(workflow, user, broken):
    """A finished run: its folder and what it said."""
    folder = workflow.folder(user / "run")
    done = workflow.run(folder, data="cars.csv", truth="cars.bif", **SETTINGS)
    assert done.code == 0, done.text
    return folder / STUDY, done


def test_every_artefact_is_there(own):
    folder, _ = own
    assert artefacts(folder) == expected("own")
    report = (folder.parent / "report.html").read_text()
    assert "cars.csv: 79 records used. Records left out for missing cells: 1. Missing cells imputed: 0." in report
    assert "no luck with 79 records" in report
    assert '<a href="posterior.html">' in report


def test_chains_draw_the_same_in_jobs_of_their_own(workflow, user):
    settings = {"data": slurm_tools.write_slow(user / "slow.csv"), "study": None, "posterior": True}
    files = "results/posterior.html", "results/posterior.json"
    alone = workflow.run(workflow.folder(user / "alone"), "-p", *files, **settings)
    with workflow.edited("scripts/posterior.py", slurm_tools.spread):
        spread = workflow.run(workflow.folder(user / "spread"), "-p", *files, **settings)
    assert alone.jobs == ["posterior"] != spread.jobs == ["chain"] * CHAINS + ["posterior"]
    assert len({(user / run / file).read_text() for run in ("alone", "spread") for file in files}) == len(files)


def test_probabilities_are_those_of_the_api(own, user):
    values = cp.read_data(user / "cars.csv", drop=["serial"], missing="drop")
    model, sure = cp.read_model(own[0].parent / "posterior.json"), cp.posterior(values).uncertainty.edges
    np.testing.assert_allclose(model.confidence.adjacent, sure.adjacent, atol=1e-9)
    assert "cars.csv: how probable edges and levels are" in (own[0].parent / "posterior.html").read_text()


def test_one_failing_method_takes_nothing_down(own):
    rows, _ = parquet.read_records(own[0] / "metrics.parquet", schemas.METRICS)
    assert len(rows) == len(METHODS) * (1 + 3 + 2)
    for row in rows:
        assert (row["dataset"], row["network"]) == ("own", None)
        failed = row["method"] == "broken"
        assert row["status"] == ("error" if failed else "ok")
        assert ("no luck with" in row["message"]) == failed
        assert (row["shd_fu2005"] is None) == (row["kgv_gain"] is None) == failed
        assert row["true_edges"] == (None if failed else 1)
    whole = [row for row in rows if row["grid"] == "whole" and row["method"] == "bach"]
    assert [(row["n"], row["missing"]) for row in whole] == [(79, 0)]  # weight and mpg are nearly one


def test_the_api_learns_the_graph_of_the_workflow(own, user):
    kinds = ("runs", "edges", "thresholds")
    files = (sorted(own[0].glob(f"*/*/learned/*/{kind}.parquet")) for kind in kinds)
    results = Results(*files, (), own[0].glob("*/*/values.parquet"))
    values = cp.read_data(user / "cars.csv", drop=["serial"], missing="drop")
    assert values.variables == VARIABLES
    for method in ("eqfreq3", "bach"):
        learned, key = cp.learn(values, method), (method, "own", 0)
        assert np.array_equal(learned.dag, results.graph(key, VARIABLES)), method
    cuts = cp.learn(values, "eqfreq3").thresholds, results.thresholds(("eqfreq3", "own", 0), VARIABLES)
    for mine, theirs in zip(*cuts, strict=True):
        assert np.array_equal(mine, theirs)


def test_neither_the_order_of_columns_nor_the_cut_nor_a_further_method_matters(own, own_study):
    kinds = {"metrics": schemas.METRICS, "held_out": schemas.HELD_OUT, "edges": schemas.EDGE_SHARES}
    for kind, schema in kinds.items():
        expected = records(own[0] / f"{kind}.parquet", schema, lambda row: row["method"] != "broken")
        assert records(own_study / "own" / f"{kind}.parquet", schema) == expected
