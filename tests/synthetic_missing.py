"""Runs of the study of missing cells: dropping costs an edge for each 5 %, imputing half of one."""

import numpy as np
import synthetic
from cutpoint.bench.studies.missing.study import COMPLETE, MECHANISMS, SHARES, noise

from cutpoint.bench.engine.inputs import MethodLabel

COST = {"drop": 0.2, "impute": 0.1}  # pairs that differ for each percent of missing cells
NAMES = ("eqfreq3", "eqwidth3", "friedman3", "monti3", "steck3", "bach", "pc_fisherz")
METHODS = [*(m for m in synthetic.METHODS if m.name in NAMES), MethodLabel("gaussian_bic", "Gaussian BIC", "direct")]


def costs():
    """Return the pairs that differ by each noise."""
    kinds = {noise(m, share, done): share * each for m in MECHANISMS for share in SHARES for done, each in COST.items()}
    return {COMPLETE: 0.0} | kinds


def inputs(replicates=8, jitter=0.3, failed=lambda row: False, scale="published"):
    """Inputs with runs, of which those that `failed` names gave no result."""
    rng, runs = np.random.default_rng(0), []
    for r in range(replicates):
        network = rng.normal()
        for m in METHODS:
            for name, cost in costs().items():
                shd = 10 + cost + network + jitter * rng.normal()
                row = {"study": "missing", "grid": "simulated", "cell": f"random12-n1000-{name}", "n": 1000}
                row |= {"network": "random12", "noise": name, "replicate": r, "method": m.name, "status": "ok"}
                runs.append(row | {"shd_standard": shd, "f1_pattern": 1 - shd / 36})
    for row in filter(failed, runs):
        row.update(shd_standard=None, f1_pattern=None, status="timeout", message="over 60 s")
    return synthetic.of_study("missing", runs, METHODS, replicates, scale)
