"""Inputs of every study whose tables, figures, claims and answers are kept: full, with failures, and with nothing."""

from dataclasses import replace

import synthetic
import synthetic_calibration
import synthetic_field
import synthetic_growth
import synthetic_mabrouk
import synthetic_maua
import synthetic_missing
import synthetic_own
import synthetic_steck
import synthetic_tran

from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.engine.inputs import Inputs, MethodLabel

MINE = MethodLabel("mine", "Mine_1 & co.", "other")  # a user's row, with letters that LaTeX takes for its own
LOST = MethodLabel("lost", "Lost", "direct")  # a row without any run
OVER = "over 60 s"


def fu2005_full():
    maker = synthetic.Maker(1, 0.1).simulated(replicates=3).sigma(replicates=3).real()
    maker.rows += [{**row, "method": "mine"} for row in maker.rows if row["method"] == "steck3"]
    maker.orders(replicates=3)
    methods = [*synthetic.METHODS, MINE, LOST]
    return synthetic.inputs(maker, methods=methods, replicates=3)


def fu2005_failed():
    maker = synthetic.Maker(2, 0.1).simulated(replicates=2, sizes=(500, 1000)).sigma(replicates=2).real()
    maker.fail(lambda row: row["method"] == "hartemink" and row["n"] == 1000, message=OVER)
    maker.fail(lambda row: row["method"] == "steck3" and row.get("network") == "alarm" and row["replicate"] == 1)
    maker.fail(lambda row: row["method"] == "bach" and row["grid"] == "real", "error", "boom")
    return synthetic.inputs(maker, replicates=2, scale="quick")


def fu2005_single():
    maker = synthetic.Maker(3, 0.1).simulated(replicates=1, sizes=(500,), networks={"alarm": 46})
    return synthetic.inputs(maker, replicates=1, scale="tiny")


def mabrouk2015_full():
    maker = synthetic_mabrouk.Maker(3, 0.1).all(3).copy("ruichu", "mine")
    empty = [r for r in maker.rows if r["grid"] == "structure" and r["method"] == "ruichu" and r["n"] == 1000][:2]
    for row in empty:  # a graph without edges has no rates although the run went well
        row.update(tpr_mabrouk2015=None, fpr_mabrouk2015=None, fpr_standard=0.0)
    return synthetic_mabrouk.inputs(maker, methods=[*synthetic_mabrouk.METHODS, MINE, LOST])


def mabrouk2015_failed():
    maker = synthetic_mabrouk.Maker(1, 0.1).quick()
    maker.fail(lambda row: row["method"] == "mgcd" and row["n"] == 1000)
    maker.fail(lambda row: row["method"] == "ruichu" and row["replicate"] == 1, "error", "boom")
    return synthetic_mabrouk.inputs(maker, scale="quick")


def steck2007_failed():
    rows = synthetic_steck.runs(1, dataset="hartemink") + synthetic_steck.runs(1)
    for row in rows[::4]:
        row.update(dict.fromkeys(synthetic_steck.MEASURES), status="timeout", message=OVER)
    single = {name: make(1) for name, make in synthetic_steck.MAKERS.items() if name != "sizes"}
    single["graphs"] = synthetic_steck.graphs(lost=("steck2",))
    yeast = synthetic_steck.data("hartemink")
    both = {"sachs": synthetic_steck.data(), "hartemink": yeast}
    shares = synthetic_steck.shares("hartemink", 7)
    return synthetic_steck.inputs(rows=rows, experiments=single, datasets=both, edges=shares, scale="quick")


def steck2007_nothing():
    lost = {"hartemink": synthetic_steck.LOST}
    return synthetic_steck.inputs(rows=[], experiments={}, edges=[], datasets=lost, scale="tiny")


def field_failed():
    return synthetic_field.inputs(
        networks=4, failed=lambda row: row["method"] == "pc_fisherz" and row["network"] == "net1", scale="quick"
    )


def missing_failed():
    return synthetic_missing.inputs(
        replicates=3, failed=lambda row: row["method"] == "bach" and "30" in row["noise"], scale="quick"
    )


def maua2018_failed():
    tabu, exact = synthetic_maua.NAMES
    return synthetic_maua.inputs(failed=[(tabu, 100, 0), (exact, 200, 0), (exact, 200, 1)])


def calibration_failed():
    first, _ = synthetic_calibration.METHODS
    rows = synthetic_calibration.synthetic(0.0, size=60)
    return synthetic_calibration.inputs([row for row in rows if row["method"] == first and not row["sample"]])


def tran2013_full():
    return synthetic_tran.inputs(synthetic_tran.results())


def tran2013_failed():
    return replace(tran2013_full(), experiments={}, published={}, cache={}, scale=RunScale("tiny", 1, 0))


CASES = {
    "calibration": {
        "full": lambda: synthetic_calibration.inputs(synthetic_calibration.synthetic(0.3, size=400)),
        "failed": calibration_failed,
        "nothing": lambda: synthetic_calibration.inputs([]),
    },
    "fu2005": {
        "full": fu2005_full,
        "failed": fu2005_failed,
        "single": fu2005_single,
        "nothing": lambda: synthetic.inputs(synthetic.Maker(), networks=(), scale="tiny", replicates=0),
    },
    "field2026": {
        "full": synthetic_field.inputs,
        "failed": field_failed,
        "nothing": lambda: synthetic_field.inputs(networks=0, scale="tiny"),
    },
    "growth": {
        "full": lambda: synthetic_growth.inputs(jitter=0.1),
        "failed": lambda: synthetic_growth.inputs(
            {"quick": synthetic_growth.LAWS["quick"], "bach": (0.8, 2.2, 0.05)}, replicates=1
        ),
        "nothing": lambda: synthetic.of_study("growth", scale="tiny"),
    },
    "mabrouk2015": {
        "full": mabrouk2015_full,
        "failed": mabrouk2015_failed,
        "nothing": lambda: synthetic_mabrouk.inputs(synthetic_mabrouk.Maker(), scale="quick"),
    },
    "maua2018": {
        "full": lambda: synthetic_maua.inputs(replicates=3),
        "failed": maua2018_failed,
        "nothing": lambda: synthetic.of_study("maua2018", scale="tiny"),
    },
    "missing": {
        "full": synthetic_missing.inputs,
        "failed": missing_failed,
        "nothing": lambda: synthetic_missing.inputs(replicates=0, scale="tiny"),
    },
    "own": {
        "full": lambda: synthetic_own.inputs(8, 6, truth=True, failed=[3], broken=[4]),
        "failed": lambda: synthetic_own.inputs(5, 3, failed=(0, 1, 2), resamples=2, folds=2),
        "plain": lambda: synthetic_own.inputs(8, 4, seed=5, resamples=4, folds=1, broken=[1]),
        "nothing": synthetic_own.nothing,
    },
    "steck2007": {
        "full": lambda: synthetic_steck.inputs(methods=[*synthetic_steck.METHODS, MINE]),
        "failed": steck2007_failed,
        "nothing": steck2007_nothing,
    },
    "tran2013": {"full": tran2013_full, "failed": tran2013_failed},
}


def make(study: str, case: str) -> Inputs:
    return CASES[study][case]()
