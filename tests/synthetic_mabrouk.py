"""Metrics and predictions of the Mabrouk study with known means, with or without noise."""

from itertools import product

import numpy as np
from synthetic import of_study, published, results

from cutpoint.bench.data.schemas import PREDICTIONS
from cutpoint.bench.engine.inputs import MethodLabel, replicates
from cutpoint.networks.network import network
from cutpoint.networks.random_networks import random_network

METHODS = [
    MethodLabel("mgcd", "MGCD", "integrated"),
    MethodLabel("ruichu", "Ruichu", "prediscretization"),
    MethodLabel("friedman_tabu", "Friedman", "integrated"),
]
SIZES = (1000, 2000, 5000, 7500, 10000)
PREDICTION_SIZES = (1000, 2000, 5000, 10000)
SHARES = (0.3, 0.6, 1.0)
TARGETS = {"A": -0.06, "B": 0.01, "C": 0.05}  # by how much each is easier than the mean of all
CEILING = 0.08  # by how much the true network is better than the printed MGCD
TPR = {"mgcd": 0.50, "ruichu": 0.50 / 1.2, "friedman_tabu": 0.50 / 1.5}  # at N = 1000
FPR = {"mgcd": 0.30, "ruichu": 0.30 / 0.7, "friedman_tabu": 0.30 / 0.6}
ERROR = {"mgcd": 0.10, "ruichu": 0.20, "friedman_tabu": 0.40}
NOISE = {"narrow": 0.5, "truncated": 1.0, "wide": 2.0}  # factor of the threshold error
KEPT = ("share", "ceiling_expected", "ceiling_argmax")  # numbers of a run that failed


def ratio(method, n):
    """Return the printed ratio of run times, 1 where none is printed."""
    for row in published("mabrouk2015")["table_1_runtime_ratio"]:
        if row["method"] == method:
            return float(row.get(f"n{n}") or 1)
    return 1.0


class Maker:
    """Rows of metrics and predictions; `jitter` is the standard deviation of log noise per run."""

    def __init__(self, seed=0, jitter=0.0):
        self.rng = np.random.default_rng(seed)
        self.jitter = jitter
        self.rows, self.answers, self.networks = [], [], 0
        self.ratios = {(m.name, n): ratio(m.name, n) for m in METHODS for n in SIZES}
        self.published = {r["method"]: r for r in published("mabrouk2015")["table_2_prediction"]}

    def noise(self):
        return float(np.exp(self.jitter * self.rng.standard_normal()))

    def run(self, grid, w, n, noise, r, m, base):
        tpr = TPR[m] * (1 + 0.1 * np.log10(n / 1000)) * base * self.noise()
        fpr = FPR[m] * (1 - 0.1 * np.log10(n / 1000)) * base * self.noise()
        seconds = 0.02 * n / 1000 * self.ratios.get((m, n), 1) * base * self.noise()
        return {
            "study": "mabrouk2015", "grid": grid, "cell": f"{w}-n{n}-{noise}", "network": w, "noise": noise, "n": n,
            "replicate": r, "method": m, "status": "ok", "message": "",
            **{key: value * f for c, f in (("mabrouk2015", 1), ("standard", 0.9), ("skeleton", 1.1))
               for key, value in ((f"tpr_{c}", tpr * f), (f"fpr_{c}", fpr * f))},
            "f1_pattern": tpr, "shd_fu2005": 30 / tpr, "shd_standard": 20 / tpr,
            "parent_aid": (1 - tpr) * (0.5 if m == "ruichu" else 1), "ancestor_aid": 1 - tpr,
            "threshold_error": ERROR[m] * NOISE.get(noise, 1) * self.noise(),
            "level_error": 10 * ERROR[m], "adjusted_rand": 1 - ERROR[m] * self.noise(), "levels": 4 - ERROR[m],
            "seconds": seconds, "discretize_seconds": 0.75 * seconds, "learn_seconds": 0.25 * seconds,
            "score_calls": 1000.0, "discretization_calls": np.nan if m == "ruichu" else 500.0,
        }  # fmt: skip

    def random(self, replicates=6, sizes=SIZES, grid="structure", noises=("truncated",)):
        self.networks = max(self.networks, replicates)
        for noise, n, r in product(noises, sizes, range(replicates)):
            base = self.noise()
            self.rows += [self.run(grid, "random", n, noise, r, m.name, base) for m in METHODS]
        return self

    def sensitivity(self, replicates=6, sizes=(5000,)):
        return self.random(replicates, sizes, "sensitivity", ("narrow", "wide"))

    def prediction(self, replicates=6, sizes=PREDICTION_SIZES):
        for w, n, r in product(("child", "sachs"), sizes, range(replicates)):
            base = self.noise()
            self.rows += [self.run("prediction", w, n, "uniform", r, m.name, base) for m in METHODS]
            for m in METHODS:
                self.answers += self.predict(w, n, r, m.name)
        return self

    def predict(self, w, n, r, m):
        for share in SHARES:
            row = {name: float(each[f"{w}_{100 * share:.0f}_{n}"]) / 100 for name, each in self.published.items()}
            for target, easier in TARGETS.items():
                best = row["mgcd"] + easier + CEILING
                right = row[m] * self.noise() + easier
                yield {
                    "study": "mabrouk2015", "grid": "prediction", "cell": f"{w}-n{n}-uniform", "network": w, "n": n,
                    "noise": "uniform", "replicate": r, "method": m, "target": target, "share": share,
                    "status": "ok", "message": "", "expected": right - 0.01, "sampled": right, "argmax": right + 0.02,
                    "ceiling_expected": best, "ceiling_argmax": best + 0.03,
                }  # fmt: skip

    def all(self, replicates=6):
        return self.random(replicates).sensitivity(replicates).prediction(replicates)

    def quick(self):
        return self.random(4, (1000, 5000)).sensitivity(2, (1000,)).prediction(2, (1000, 2000))

    def fail(self, which, status="timeout", message="over 60 s"):
        for row in [*self.rows, *self.answers]:
            if which(row):
                numbers = [key for key, value in row.items() if isinstance(value, float) and key not in KEPT]
                row.update(dict.fromkeys(numbers), status=status, message=message)
        return self

    def copy(self, method, name):
        """Add the results of a method under another name, as if a user had added a row."""
        self.rows += [{**row, "method": name} for row in self.rows if row["method"] == method]
        self.answers += [{**row, "method": name} for row in self.answers if row["method"] == method]
        return self


def inputs(maker, *, methods=METHODS, scale="published"):
    families = {f"random-{r}": random_network(r) for r in range(maker.networks)}
    networks = {name: network(name) for name in ("child", "sachs")} | families
    answers = results(maker.answers, PREDICTIONS) if maker.answers else {}
    count = replicates(results(maker.rows))
    return of_study("mabrouk2015", maker.rows, methods, count, scale, networks=networks, predictions=answers)
