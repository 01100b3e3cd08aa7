"""Edge confidences of the calibration study: those of a few runs, and made up ones that are right or too high."""

from functools import cache
from itertools import product

import numpy as np
from cutpoint.bench.studies.calibration.experiments import ALL_RECORDS, ITSELF, RESAMPLES, levels, reliability
from cutpoint.bench.studies.calibration.study import ADJACENCY, DIRECTION
from synthetic import of_study

from cutpoint.bench.engine.inputs import MethodLabel
from cutpoint.method.rows import method_rows

METHODS = ("eqfreq3", "pc_fisherz")
SMALL = {"methods": METHODS, "networks": ("random", "asia"), "samples": 2, "records": (60, 120), "resamples": 4}
SMALL["sure"] = ("consensus",)


@cache
def rows():
    return reliability(1, **SMALL)


def inputs(table):
    methods = [MethodLabel(name, method_rows()[name]["label"], "direct") for name in METHODS]
    experiments = {"reliability": table} if table else {}
    return of_study("calibration", (), methods, 0, "tiny", experiments=experiments)


def simulated(rng, overstated=0.0, size=4000):
    """Features whose confidences are right, or too high by a share of what is left to 1."""
    p = rng.beta(0.5, 2, size).round(2)
    return (p + overstated * (1 - p)).round(9), rng.random(size) < p


def synthetic(overstated, size=4000):
    """Rows of 6 data sets of perfectly calibrated predictors, but for one kind of resample."""
    table = []
    for k, method, kind in product(range(6), METHODS, (*RESAMPLES, ITSELF, ALL_RECORDS)):
        rng = np.random.default_rng([k, list(RESAMPLES).index(kind) if kind in RESAMPLES else 9])
        confidence, true = simulated(rng, overstated if kind == "jackknife10" else 0.0, size)
        about = {"network": "n", "sample": k, "records": 100, "method": method, "resample": kind}
        if kind == ALL_RECORDS:
            confidence = (confidence > 0.5).astype(float)
        for feature in (ADJACENCY, DIRECTION):
            table += [about | {"feature": feature, **level} for level in levels(confidence, true)]
    return table
