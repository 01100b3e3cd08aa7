"""Searches of the lecture notes with known scores: the exact one is the best, the other is a little worse."""

from itertools import product

from synthetic import of_study

from cutpoint.bench.engine.inputs import MethodLabel

NAMES = tuple(f"search.equal_width.bic.{search}" for search in ("tabu", "exact"))
LOST = ("score", "shd_fu2005", "shd_standard", "f1_pattern", "parent_aid", "seconds")


def inputs(failed=(), replicates=2):
    """Inputs with the runs of both searches, of which those in `failed` (method, n, replicate) gave no result."""
    runs = []
    for method, n, r in product(NAMES, (100, 200), range(replicates)):
        best = method.endswith("exact")
        about = {"study": "maua2018", "grid": "searches", "network": "asia", "cell": f"asia-n{n}", "status": "ok"}
        about |= {"method": method, "n": n, "replicate": r, "score": -50.0 - n - (0 if best else 1 + 2 * r)}
        about |= {"shd_fu2005": 3 + r, "shd_standard": 2 + r, "f1_pattern": 0.8 - 0.1 * r, "parent_aid": 0.2}
        about |= {"seconds": 0.1, "score_calls": 12}
        if (method, n, r) in failed:
            about |= {"status": "timeout", "message": "over 60 s"} | dict.fromkeys(LOST)
        runs.append(about)
    methods = [MethodLabel(name, name, "prediscretization") for name in NAMES]
    return of_study("maua2018", runs, methods, replicates, "quick")
