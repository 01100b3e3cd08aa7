"""Runs of the study of mechanisms whose best methods are known: PC with linear equations, Bach with additive ones."""

import numpy as np
from synthetic import METHODS

from cutpoint.bench.data.schemas import METRICS
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.report.artefacts import Scale

SIZES, MECHANISMS = (500, 5000), ("codes", "linear", "additive")
TEXT = ("study", "grid", "cell", "network", "dataset", "noise", "method", "status", "message", "kind")
# mean SHD of all methods but those named
USUAL = {"codes": 11.0, "linear": 10.0, "additive": 12.0}
SHD = {
    "codes": {"eqwidth3": 9.0, "steck3": 9.0, "pc_fisherz": 14.0, "tetrad_pc": 14.0, "bach": 10.0},
    "linear": {"eqwidth3": 13.0, "pc_fisherz": 4.0, "tetrad_pc": 4.0, "bach": 8.0},
    "additive": {"eqwidth3": 15.0, "pc_fisherz": 13.0, "tetrad_pc": 13.0, "bach": 5.0},
}
R2 = {"codes": 0.45, "linear": 0.5, "additive": 0.55}


def rows(methods, replicates, jitter, sizes, seed=0):
    rng = np.random.default_rng(seed)
    for r in range(replicates):
        for n in sizes:
            for mechanism in MECHANISMS:
                network, r2 = rng.normal(), R2[mechanism] + 0.1 * rng.uniform(-1, 1)
                for m in methods:
                    shd = SHD[mechanism].get(m.name, USUAL[mechanism]) - 1.5 * (n == 5000) + network
                    shd += jitter * rng.normal()
                    row = {"study": "mechanisms", "grid": "simulated", "cell": f"random12-n{n}-{mechanism}", "n": n}
                    row |= {"network": "random12", "noise": mechanism, "replicate": r, "method": m.name, "status": "ok"}
                    row |= {
                        "shd_standard": shd,
                        "shd_fu2005": 1.8 * shd,
                        "f1_pattern": 1 - shd / 36,
                        "parent_aid": shd / 40,
                        "seconds": 0.01 * n / 500,
                    }
                    yield row | {"var_sortability": 0.5, "r2_sortability": r2}


def tiers(lost=()):
    """Rows of the experiment on tiers: PC breaks a quarter of its arcs, equal widths a half, Bach has none."""
    shares = {"pc_fisherz": (8, 8, 2), "eqwidth3": (12, 6, 3), "bach": (4, 0, 0)}
    for name in ("abalone", "cars1", "yacht"):
        for method, (edges, arcs, breaks) in shares.items():
            for sample in (0, 1):
                row = {"dataset": name, "method": method, "sample": sample, "status": "ok", "message": ""}
                row |= {"edges": edges, "arcs": arcs, "breaks": breaks}
                if name in lost:
                    row |= dict.fromkeys(("sample", "edges", "arcs", "breaks"))
                    row |= {"status": "unavailable", "message": f"{name}: no such host"}
                yield row


def inputs(
    methods=METHODS,
    replicates=8,
    jitter=0.5,
    sizes=SIZES,
    failed=lambda row: False,
    scale="published",
    experiments=None,
):
    """Inputs with runs, of which those that `failed` names gave no result."""
    made = list(rows(methods, replicates, jitter, sizes))
    for row in filter(failed, made):
        row.update(dict.fromkeys(("shd_standard", "shd_fu2005", "f1_pattern", "parent_aid", "seconds")))
        row.update(status="timeout", message="over 60 s")
    columns = {
        name: np.array([row.get(name) for row in made], object if name in TEXT else float) for name in METRICS.names
    }
    about = Scale(scale, 1, replicates if made else 0)
    return Inputs("mechanisms", columns, {}, {}, {}, methods, about, experiments=experiments or {}, blocks=("network",))


def nothing():
    """Inputs without runs."""
    return inputs(replicates=0, scale="tiny")
