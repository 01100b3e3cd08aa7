"""Runs of the study field2026 whose best methods are known: equal widths on codes, PC on linear equations."""

from itertools import product
from types import SimpleNamespace

import numpy as np
from synthetic import of_study

from cutpoint.bench.engine.inputs import MethodLabel

SIZES, MECHANISMS = (100, 1000), ("codes", "linear")
MEASUREMENTS = ("", "_rounded", "_ties", "_skewed", "_noisy")
EDGES = 20
METHODS = [
    MethodLabel("eqfreq3", "Eqfreq3", "prediscretization"),
    MethodLabel("eqwidth3", "Eqwidth3", "prediscretization"),
    MethodLabel("pc_fisherz", "PC", "direct"),
    MethodLabel("consensus", "Consensus", "integrated"),
    MethodLabel("levels2.equal_width", "equal_width 2", "prediscretization"),
    MethodLabel("levels5.equal_width", "equal_width 5", "prediscretization"),
    MethodLabel("boss3", "BOSS", "prediscretization"),
    MethodLabel("true_codes", "True codes", "reference"),
]
WIDE = ("eqfreq3", "eqwidth3", "pc_fisherz", "levels5.equal_width")  # those on all data sets
# SHD of what is not named is 20 on every data set
SHD = {("codes", "eqwidth3"): -8.0, ("linear", "pc_fisherz"): -12.0, ("codes", "pc_fisherz"): 6.0}
SHD |= {("codes", "true_codes"): -15.0, ("codes", "consensus"): -10.0, ("linear", "consensus"): -14.0}
SHD |= {("linear", "boss3"): -4.0}


def rows(networks, jitter, seed=0):
    rng = np.random.default_rng(seed)
    for k in range(networks):
        level = rng.normal()
        name = f"net{k}" if k % 2 else f"random{k}_weak"
        runs = product(SIZES, MECHANISMS, enumerate(MEASUREMENTS), METHODS)
        for n, mechanism, (r, measurement), method in runs:
            noise, wide = mechanism + measurement, method.name in WIDE
            if not wide and (r > 1 or (method.category == "reference" and mechanism != "codes")):
                continue
            shd = 20 + level + SHD.get((mechanism, method.name), 0.0) + jitter * rng.normal()
            shd += r * (method.name == "pc_fisherz")
            yield {
                "study": "field2026", "noise": noise, "network": name, "n": n, "replicate": r, "method": method.name,
                "cell": f"{name}-n{n}-{noise}", "grid": "field" if wide else "fourth", "status": "ok", "message": "",
                "shd_standard": shd, "true_edges": EDGES, "f1_pattern": 1 - shd / 60, "f1_skeleton": 1 - shd / 50,
                "parent_aid": shd / 100, "seconds": 0.01, "extra": shd / 2,
            }  # fmt: skip


def inputs(networks=8, jitter=0.5, failed=lambda row: False, scale="published", variables=lambda k: 10):
    """Inputs with runs, of which those that `failed` names gave no result."""
    runs = list(rows(networks, jitter))
    for row in filter(failed, runs):
        row.update(dict.fromkeys(("shd_standard", "f1_pattern", "f1_skeleton", "parent_aid", "extra", "true_edges")))
        row.update(status="timeout", message="stopped after 60 s of wall time")
    names = dict.fromkeys(row["network"] for row in runs)
    truths = {name: SimpleNamespace(variables=range(variables(k))) for k, name in enumerate(names)}
    return of_study("field2026", runs, METHODS, 1 if runs else 0, scale, networks=truths)
