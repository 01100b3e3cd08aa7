"""Runs of the study field2026 whose best rows are known: equal widths on codes, PC on linear equations."""

from types import SimpleNamespace

import numpy as np
from synthetic import results

from cutpoint.bench.engine.inputs import Inputs, Method
from cutpoint.bench.report.artefacts import Scale
from cutpoint.data.features import FEATURES

SIZES, MECHANISMS = (100, 1000), ("codes", "linear")
EDGES = 20
CUT, SCORES, SEARCHES = ("equal_frequency", "equal_width"), ("bdeu", "bic"), ("hill_climbing", "tabu")
CROSSED = {(d, s, a): f"field3.{d}.{s}.{a}" for d in CUT for s in SCORES for a in SEARCHES}
METHODS = [
    *(Method(name, f"{d} 3, {s}, {a}", "prediscretization") for (d, s, a), name in CROSSED.items()),
    Method("pc_fisherz", "PC", "direct"),
    Method("panel_ess.equal_width.10", "equal_width 3, ess 10", "prediscretization"),
]
# SHD of what is not named is 20 on every data set
SHD = {("codes", "equal_width"): -8.0, ("linear", "pc_fisherz"): -12.0, ("codes", "pc_fisherz"): 6.0}
NORMALITY = {"codes": 0.9, "linear": 1.0}


def part(method):
    """Return what of a row decides its SHD."""
    return method.name.split(".")[1] if "." in method.name else method.name


def rows(networks, jitter, seed=0):
    rng = np.random.default_rng(seed)
    for k in range(networks):
        level = rng.normal()
        for n in SIZES:
            for mechanism in MECHANISMS:
                features = dict.fromkeys(FEATURES, 0.1) | {"normality": NORMALITY[mechanism] + 0.01 * rng.normal()}
                for method in METHODS:
                    panel = method.name.startswith("panel")
                    shd = 20 + level + SHD.get((mechanism, part(method)), 0.0) + jitter * rng.normal()
                    row = {"study": "field2026", "grid": "panel" if panel else "factorial", "noise": mechanism}
                    row |= {"network": f"net{k}", "cell": f"net{k}-n{n}-{mechanism}", "n": n, "replicate": 0}
                    row |= {"method": method.name, "status": "ok", "message": "", "shd_standard": shd}
                    row |= {"true_edges": EDGES, "f1_pattern": 1 - shd / 60, "seconds": 0.01, "extra": shd / 2}
                    row |= {"held_out_splines": 0.2 - shd / 200}
                    yield row | features


def inputs(networks=8, jitter=0.5, failed=lambda row: False, scale="published", variables=lambda k: 10):
    """Inputs with runs, of which those that `failed` names gave no result."""
    made = list(rows(networks, jitter))
    for row in filter(failed, made):
        row.update(dict.fromkeys(("shd_standard", "f1_pattern", "extra", "true_edges", "held_out_splines")))
        row.update(status="timeout", message="stopped after 60 s of wall time")
    known = {f"net{k}": SimpleNamespace(variables=range(variables(k))) for k in range(networks)}
    about = Scale(scale, 1, 1 if made else 0)
    return Inputs("field2026", results(made), known, {}, {}, METHODS, about, blocks=("network",))


def nothing():
    """Inputs without runs."""
    return inputs(networks=0, scale="tiny")
